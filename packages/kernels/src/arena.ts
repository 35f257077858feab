/** The memory of one set of kernels, divided into the buffers that blocks pass through. @module */

/** Bytes of a WebAssembly page. */
export const PAGE = 65536;
/** What is copied in or out may start up to a page behind the address of its buffer; see `shiftApart`. */
const MAX_SHIFT = 4096;
/** Planes of a split block lie apart from each other: 128 bytes for each of at most 255 streams. */
const PLANE_GAPS = 32768;
/** At least the `csize` fields and run tokens of 255 streams. */
const FIELDS = 4096;
const MAX_DICTIONARY = 32768;
/** What the buffers take beside seven blocks. */
const FIXED = 3 * MAX_SHIFT + 2 * PLANE_GAPS + FIELDS + MAX_DICTIONARY;

/** What the arena needs of a memory: its size, and a way to make it larger. */
export interface GrowableMemory {
  readonly byteLength: number;
  /** @throws RangeError when the platform refuses. */
  grow(pages: number): void;
}

/** A memory of WebAssembly, in words that need no types of a browser. */
export interface LinearMemory {
  readonly buffer: ArrayBufferLike;
  /** @throws RangeError when the platform refuses. */
  grow(pages: number): number;
}

/**
 * Addresses of the buffers. They hold for the block size reserved last and move when a larger one is reserved, so they are read
 * again for every block; what the buffers contain does not survive a move.
 */
export class Arena {
  /** A raw block that is to be encoded; has room for a shift. */
  source = 0;
  /** Block 0 of the chunk; has room for a shift. */
  reference = 0;
  /** One of two buffers between filters; has room for the gaps between planes. */
  scratch = 0;
  /** The other one. */
  otherScratch = 0;
  /** A filtered block that is to be encoded; has room for the gaps between planes. */
  filtered = 0;
  /** A decoded or an encoded block; has room for a shift. */
  output = 0;
  /** Bytes of `output`, the room for a shift not counted. */
  outputByteLength = 0;
  /** A dictionary, with room for a block behind it. */
  dictionary = 0;
  /** Blocks that are decoded to be copied by boxes, and what they are copied to. */
  boxes = 0;
  /** Compressed bytes; behind everything else, so that it alone grows with them. */
  staging = 0;
  readonly #memory: GrowableMemory;
  readonly #base: number;
  #blockByteLength = -1;
  #boxesByteLength = 0;

  constructor(memory: GrowableMemory, base: number) {
    this.#memory = memory;
    this.#base = aligned(base);
    this.reserve(0, 0);
  }

  /** Largest block that fits without another `reserve`. */
  get blockByteLength(): number {
    return this.#blockByteLength;
  }

  /**
   * Makes room for blocks of `blockByteLength` bytes, for `stagingByteLength` compressed bytes and for `boxesByteLength` bytes of boxes.
   * Never shrinks.
   *
   * @returns whether the buffers moved or the memory grew, which makes views of it invalid.
   * @throws RangeError when the platform refuses the memory.
   */
  reserve(blockByteLength: number, stagingByteLength: number, boxesByteLength = 0): boolean {
    const moves = blockByteLength > this.#blockByteLength || boxesByteLength > this.#boxesByteLength;
    const block = aligned(Math.max(blockByteLength, this.#blockByteLength));
    const boxes = aligned(Math.max(boxesByteLength, this.#boxesByteLength));
    const staging = moves ? this.#base + 7 * block + FIXED + boxes : this.staging;
    const missing = staging + stagingByteLength - this.#memory.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
    if (moves) this.#place(block, boxes);
    return moves || missing > 0;
  }

  /** Whether there is room for such blocks, compressed bytes and boxes without a `reserve` that moves or grows anything. */
  fits(blockByteLength: number, stagingByteLength: number, boxesByteLength = 0): boolean {
    const fitsStaging = this.staging + stagingByteLength <= this.#memory.byteLength;
    return blockByteLength <= this.#blockByteLength && boxesByteLength <= this.#boxesByteLength && fitsStaging;
  }

  #place(block: number, boxes: number): void {
    this.#blockByteLength = block;
    this.#boxesByteLength = boxes;
    this.source = this.#base;
    this.reference = this.source + block + MAX_SHIFT;
    this.otherScratch = this.reference + block + MAX_SHIFT;
    this.scratch = this.otherScratch + block;
    this.filtered = this.scratch + block + PLANE_GAPS;
    this.output = this.filtered + block + PLANE_GAPS;
    this.outputByteLength = block + FIELDS;
    this.dictionary = this.output + this.outputByteLength + MAX_SHIFT;
    this.boxes = this.dictionary + block + MAX_DICTIONARY;
    this.staging = this.boxes + boxes;
  }
}

/**
 * How far behind the (page-aligned) address of an arena's buffer to put bytes that are copied between it and `view`: so far
 * that the two places are half a page apart, modulo the page size. Where the target of a copy lies 1 to 31 bytes behind its
 * source in that sense, some processors copy ten times slower (measured on AMD EPYC: 2 instead of 30 GB/s); and the memory of
 * large arrays starts 0 or 16 bytes behind a page's start, as WebAssembly memory does.
 *
 * @param offset of the bytes in `view`
 */
export function shiftApart(view: Uint8Array, offset: number): number {
  return (view.byteOffset + offset + MAX_SHIFT / 2) & (MAX_SHIFT - 16);
}

/** Rounded up to whole pages of 4 KiB, so that all buffers start on one. */
function aligned(byteLength: number): number {
  return Math.ceil(byteLength / MAX_SHIFT) * MAX_SHIFT;
}
