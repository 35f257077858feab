/** Small writes on their way to the file. @module */
import { giveBuffer, takeBuffer } from "./buffer-pool.js";

/** Collects writes that touch each other into one; the handle drains it. Its memory comes with the first write. */
export class WriteBuffer {
  readonly #capacity: number;
  #bytes: Uint8Array | undefined;
  #start = 0;
  #length = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Position in the file of the first pending byte. */
  get start(): number {
    return this.#start;
  }

  /** Position after the last pending byte; 0 if nothing is pending. */
  get end(): number {
    return this.#length === 0 ? 0 : this.#start + this.#length;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** The pending bytes. */
  get pending(): Uint8Array {
    return this.#bytes === undefined ? new Uint8Array(0) : this.#bytes.subarray(0, this.#length);
  }

  /** Takes a write over, or answers false: what is pending must be drained first, or the write is as large as the buffer. */
  take(position: number, bytes: Uint8Array): boolean {
    const length = bytes.byteLength;
    if (length >= this.#capacity) return false;
    if (this.#length === 0) this.#start = position;
    const offset = position - this.#start;
    if (offset < 0 || offset > this.#length || offset + length > this.#capacity) return false;
    this.#bytes ??= takeBuffer(this.#capacity);
    this.#bytes.set(bytes, offset);
    this.#length = Math.max(this.#length, offset + length);
    return true;
  }

  /** Forgets what is pending: it is in the file now. */
  clear(): void {
    this.#length = 0;
  }

  /** Lets the memory go, and what is pending with it. */
  free(): void {
    this.#length = 0;
    giveBuffer(this.#bytes);
    this.#bytes = undefined;
  }
}
