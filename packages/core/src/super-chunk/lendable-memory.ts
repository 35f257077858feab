/** The memory in which an iteration lends one chunk after the other. @module */
import { allocate } from "../engine/allocate.js";

/** Longer memory goes with its iteration. */
const LONGEST_KEPT = 2 ** 25;

/** Kept for the next iteration: memory that is new has to be filled with zeros, page by page, when it is first written. */
let spare: Uint8Array | undefined;

/** Memory of one iteration. */
export class LendableMemory {
  #bytes: Uint8Array | undefined;

  /** Room for a chunk, in which those before may have been. @throws Blosc2Error `BLOSC2_LIMIT_EXCEEDED` */
  take(byteLength: number): Uint8Array {
    if (this.#bytes === undefined) {
      this.#bytes = spare;
      spare = undefined;
    }
    if (this.#bytes === undefined || this.#bytes.byteLength < byteLength) this.#bytes = allocate(byteLength);
    return this.#bytes;
  }

  /** Ends the iteration. */
  giveBack(): void {
    if (this.#bytes !== undefined && this.#bytes.byteLength <= LONGEST_KEPT) spare = this.#bytes;
    this.#bytes = undefined;
  }
}
