/** What reading an input gave, folded into one line that can be compared. @module */
import { crc32 } from "node:zlib";
import { isBlosc2Error } from "@b2frame/core";

/** Bytes looked at per input; an input may rightly promise far more. */
const MAX_BYTES = 2 ** 21;

/** Collects what was read, in order: bytes, facts, and the classes of errors. */
export class Content {
  #room: number = MAX_BYTES;
  #crc = 0;
  /** Steps that gave something, and that were refused. */
  readonly #steps: string[] = [];

  /** Whether more bytes are wanted. */
  get isFull(): boolean {
    return this.#room <= 0;
  }

  /**
   * Runs one way of reading, and says whether it gave something. A b2frame error is one of its results; any other goes on to
   * the caller.
   */
  attempt(step: string, read: () => Uint8Array | string | number | undefined): boolean {
    if (this.isFull) return false;
    try {
      const result = read();
      if (result instanceof Uint8Array) {
        this.#room -= result.byteLength;
        this.#crc = crc32(result, this.#crc);
      }
      this.#steps.push(`${step}=${result instanceof Uint8Array ? `${result.byteLength} bytes, ${this.#crc}` : result}`);
      return true;
    } catch (error) {
      if (!isBlosc2Error(error)) throw error;
      this.#steps.push(`${step}: refused`);
      return false;
    }
  }

  /**
   * Runs one way of reading, for which any value will do: of a chunk that is damaged somewhere, an engine may or may not give the
   * parts that are not.
   */
  attemptUnseen(read: () => Uint8Array): void {
    try {
      read();
    } catch (error) {
      if (!isBlosc2Error(error)) throw error;
    }
  }

  /** All of it; equal for equal content. */
  toString(): string {
    return this.#steps.join("; ");
  }
}
