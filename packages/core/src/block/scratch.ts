/** A work buffer that is reused from block to block. @module */

/** Grows on demand, never shrinks; its content is arbitrary after each `take`. */
export class Scratch {
  #bytes: Uint8Array = new Uint8Array(0);
  #view: Uint8Array = this.#bytes;

  /** Exactly `byteLength` bytes, valid until the next call. The same view comes back for the same length. */
  take(byteLength: number): Uint8Array {
    if (this.#view.byteLength === byteLength) return this.#view;
    if (this.#bytes.byteLength < byteLength) this.#bytes = new Uint8Array(byteLength);
    this.#view = this.#bytes.subarray(0, byteLength);
    return this.#view;
  }
}
