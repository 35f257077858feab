/** The index file of a sparse frame as it was read or written last. @module */
import { isBlosc2Error } from "../errors.js";
import type { CheckedHandle } from "../io/checked-handle.js";
import { FIXED_HEADER_LENGTH } from "./frame-layout.js";
import { leadsTo } from "./same-file.js";
import type { SparseFiles } from "./sparse-files.js";

/**
 * Tells whether the index file is still the one that was seen. The file is kept open, so that no other one can get its identity. Writers
 * that work in place, as C-Blosc2 does, show in its header or its length.
 */
export class SeenIndex {
  readonly #files: SparseFiles;
  readonly #handle: CheckedHandle;
  readonly #length: number;
  readonly #fixedHeader: Uint8Array;

  /** @param handle of the file, which this owns from here on. */
  constructor(files: SparseFiles, handle: CheckedHandle) {
    this.#files = files;
    this.#handle = handle;
    this.#length = handle.size();
    this.#fixedHeader = handle.read(0, FIXED_HEADER_LENGTH).slice();
  }

  /** Whether the index's name leads to the file that was seen. */
  get named(): boolean {
    return leadsTo(this.#files.backend, this.#files.indexPath, this.#handle);
  }

  unchanged(): boolean {
    try {
      if (!this.named || this.#handle.size() !== this.#length) return false;
      const now = this.#handle.read(0, FIXED_HEADER_LENGTH);
      return this.#fixedHeader.every((byte, i) => now[i] === byte);
    } catch (error) {
      if (isBlosc2Error(error, "BLOSC2_IO_STALE") || isBlosc2Error(error, "BLOSC2_IO_SHORT_READ")) return false;
      throw error;
    }
  }

  close(): void {
    this.#handle.close();
  }
}
