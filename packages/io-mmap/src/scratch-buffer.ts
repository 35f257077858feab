/** The memory that copies are handed out in. @module */
import { Blosc2Error } from "@b2frame/core";

/** A longer copy gets memory of its own, so that one large read does not hold memory until the file is closed. */
const LONGEST_KEPT = 2 ** 24;
const SMALLEST = 2 ** 16;

/** A reused buffer: what `take` gave before is overwritten by the next user. */
export class ScratchBuffer {
  #buffer: Uint8Array = new Uint8Array(0);

  /** @throws Blosc2Error `BLOSC2_LIMIT_EXCEEDED` if the runtime has no buffer of that length. */
  take(length: number): Uint8Array {
    if (this.#buffer.byteLength >= length) return this.#buffer.subarray(0, length);
    try {
      if (length > LONGEST_KEPT) return new Uint8Array(length);
      this.#buffer = new Uint8Array(Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(length))));
    } catch (error) {
      throw new Blosc2Error(
        "BLOSC2_LIMIT_EXCEEDED",
        `a read of ${length} bytes that no single map holds needs a buffer, and this runtime has none so long`,
        { length },
        error,
      );
    }
    return this.#buffer.subarray(0, length);
  }
}
