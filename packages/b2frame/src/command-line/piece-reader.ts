/** Reading a stream of pieces in portions of any size. @module */

/** A reader over pieces of bytes, as a stream gives them. */
export class PieceReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #piece: Uint8Array = new Uint8Array(0);

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  async #next(): Promise<boolean> {
    const { done, value } = await this.#pieces.next();
    if (done === true) return false;
    this.#piece = value;
    return true;
  }

  /** The next `length` bytes without taking them; fewer only at the end. */
  async peek(length: number): Promise<Uint8Array> {
    const head = new Uint8Array(length);
    const filled = await this.fill(head);
    const back = new Uint8Array(filled + this.#piece.byteLength);
    back.set(head.subarray(0, filled));
    back.set(this.#piece, filled);
    this.#piece = back;
    return back.subarray(0, filled);
  }

  /** Takes bytes until `target` is full; gives their number, which is less only at the end. */
  async fill(target: Uint8Array): Promise<number> {
    let filled = 0;
    while (filled < target.byteLength) {
      if (this.#piece.byteLength === 0 && !(await this.#next())) break;
      const taken = this.#piece.subarray(0, target.byteLength - filled);
      target.set(taken, filled);
      filled += taken.byteLength;
      this.#piece = this.#piece.subarray(taken.byteLength);
    }
    return filled;
  }

  /** All that has not been taken. */
  async *rest(): AsyncGenerator<Uint8Array> {
    do {
      if (this.#piece.byteLength > 0) yield this.#piece;
    } while (await this.#next());
  }

  /** Releases the stream. */
  async close(): Promise<void> {
    await this.#pieces.return?.();
  }
}
