/** How many uncompressed bytes each chunk of a super-chunk has, and where they begin. @module */
import { readChunkHeader } from "../chunk/chunk-header.js";
import { FormatError } from "../errors.js";
import type { FrameReader } from "../frame/frame.js";
import { CHUNKSIZE_VARIABLE } from "../frame/frame-layout.js";

/**
 * Sizes of chunks. In frames whose chunks have one size they follow from the header; else they are in the chunks' own
 * headers, and are read when a position in the whole is first asked for.
 */
export class ChunkSizes {
  readonly #frame: FrameReader;
  /** Sizes of all chunks, once known; only where they differ. */
  #sizes: number[] | undefined;
  /** Running sums of the sizes, one more than there are chunks. */
  #starts: Float64Array | undefined;

  constructor(frame: FrameReader) {
    this.#frame = frame;
  }

  /** Whether chunks may differ in size, but for a shorter last one. */
  get variable(): boolean {
    return this.#frame.header.chunksize === CHUNKSIZE_VARIABLE;
  }

  /** Uncompressed bytes of one chunk. @throws FormatError */
  nbytes(chunkIndex: number): number {
    const { header, index } = this.#frame;
    if (!this.variable) {
      const last = index.length - 1;
      return chunkIndex < last ? header.chunksize : header.nbytes - header.chunksize * last;
    }
    return this.#sizes?.[chunkIndex] ?? this.#readNbytes(chunkIndex);
  }

  /** Uncompressed bytes before a chunk; of all chunks for the index one past the last. */
  start(chunkIndex: number): number {
    if (!this.variable) return Math.min(chunkIndex * this.#frame.header.chunksize, this.#frame.header.nbytes);
    return this.#runningSums()[chunkIndex] as number;
  }

  /** The chunk that holds a byte of the whole; `position` is less than `nbytes`. */
  find(position: number): number {
    if (!this.variable) return Math.floor(position / this.#frame.header.chunksize);
    const starts = this.#runningSums();
    let low = 0;
    let high = starts.length - 2;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Fixes all sizes in memory; called while they still follow from the header. */
  becomeVariable(): void {
    this.#sizes = Array.from({ length: this.#frame.index.length }, (_, i) => this.nbytes(i));
    this.#starts = undefined;
  }

  insert(chunkIndex: number, nbytes: number): void {
    this.#sizes?.splice(chunkIndex, 0, nbytes);
    this.#starts = undefined;
  }

  update(chunkIndex: number, nbytes: number): void {
    if (this.#sizes !== undefined) this.#sizes[chunkIndex] = nbytes;
    this.#starts = undefined;
  }

  delete(chunkIndex: number): void {
    this.#sizes?.splice(chunkIndex, 1);
    this.#starts = undefined;
  }

  reorder(order: ArrayLike<number>): void {
    const old = this.#sizes;
    if (old !== undefined) this.#sizes = Array.from(order, (from) => old[from] as number);
    this.#starts = undefined;
  }

  /** Forgets what was read. */
  clear(): void {
    this.#sizes = undefined;
    this.#starts = undefined;
  }

  #runningSums(): Float64Array {
    if (this.#starts !== undefined) return this.#starts;
    const { index, header, origin } = this.#frame;
    this.#sizes ??= Array.from({ length: index.length }, (_, i) => this.#readNbytes(i));
    const starts = new Float64Array(index.length + 1);
    this.#sizes.forEach((size, i) => {
      starts[i + 1] = (starts[i] as number) + size;
    });
    const total = starts[index.length] as number;
    if (total !== header.nbytes) {
      throw new FormatError("BLOSC2_FORMAT_BAD_LENGTH", {
        path: origin.path,
        structure: "frame header",
        position: this.#frame.position,
        field: "nbytes",
        expected: `${total}, the sum over all chunks`,
        found: header.nbytes,
      });
    }
    this.#starts = starts;
    return starts;
  }

  #readNbytes(chunkIndex: number): number {
    const { index, origin } = this.#frame;
    const entry = index.at(chunkIndex);
    if (entry < 0) {
      throw new FormatError("BLOSC2_FORMAT_INVALID", {
        path: origin.path,
        structure: `chunk ${chunkIndex}`,
        position: this.#frame.position,
        field: "offset",
        expected: "a stored chunk: in a frame of variable-size chunks a special one keeps no size",
        found: "a special chunk",
      });
    }
    return readChunkHeader(this.#frame.chunkSource(entry, chunkIndex)).nbytes;
  }
}
