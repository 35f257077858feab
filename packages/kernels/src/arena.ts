/** The memory of one set of kernels, divided into the buffers that blocks pass through. @module */

/** Bytes of a WebAssembly page. */
const PAGE = 65536;
/** Planes of a split block lie apart from each other: 128 bytes for each of 255 streams. */
const PLANE_GAPS = 255 * 128;
/** `csize` fields and run tokens of 255 streams, and what codecs may write past a stream that does not shrink. */
const FIELDS = 255 * 5 + 4096;
const MAX_DICTIONARY = 32768;

/** What the arena needs of a memory: its size, and a way to make it larger. */
export interface GrowableMemory {
  readonly byteLength: number;
  /** @throws RangeError when the platform refuses. */
  grow(pages: number): void;
}

/**
 * Addresses of the buffers. They hold for the block size reserved last and move when a larger one is reserved, so they are read
 * anew for every block; what the buffers contain does not survive a move.
 */
export class Arena {
  /** A raw block that is to be encoded. */
  source = 0;
  /** Block 0 of the chunk. */
  reference = 0;
  /** One of two buffers between filters; has room for the gaps between planes. */
  scratch = 0;
  /** The other one. */
  otherScratch = 0;
  /** A filtered block that is to be encoded; has room for the gaps between planes. */
  filtered = 0;
  /** A decoded or an encoded block. */
  output = 0;
  /** Bytes of `output`. */
  outputByteLength = 0;
  /** A dictionary, with room for a block behind it. */
  dictionary = 0;
  /** Compressed bytes; behind everything else, so that it alone grows with them. */
  staging = 0;
  readonly #memory: GrowableMemory;
  readonly #base: number;
  #blockByteLength = -1;

  constructor(memory: GrowableMemory, base: number) {
    this.#memory = memory;
    this.#base = base;
    this.reserve(0, 0);
  }

  /** Largest block that fits without another `reserve`. */
  get blockByteLength(): number {
    return this.#blockByteLength;
  }

  /**
   * Makes room for blocks of `blockByteLength` bytes and for `stagingByteLength` compressed bytes. Never shrinks.
   *
   * @returns whether the buffers moved or the memory grew, which makes views of it invalid.
   * @throws RangeError when the platform refuses the memory.
   */
  reserve(blockByteLength: number, stagingByteLength: number): boolean {
    const moves = blockByteLength > this.#blockByteLength;
    const block = aligned(Math.max(blockByteLength, this.#blockByteLength));
    const staging = moves ? this.#base + 6 * block + blockFixed(block) : this.staging;
    const missing = staging + stagingByteLength - this.#memory.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
    if (moves) this.#place(block);
    return moves || missing > 0;
  }

  #place(block: number): void {
    this.#blockByteLength = block;
    this.source = this.#base;
    this.reference = this.source + block;
    this.otherScratch = this.reference + block;
    this.scratch = this.otherScratch + block;
    this.filtered = this.scratch + block + PLANE_GAPS;
    this.output = this.filtered + block + PLANE_GAPS;
    this.outputByteLength = block + FIELDS;
    this.dictionary = aligned(this.output + this.outputByteLength);
    this.staging = this.#base + 6 * block + blockFixed(block);
  }
}

/** What is there once, whatever the block size, and the block behind a dictionary. */
function blockFixed(block: number): number {
  return aligned(2 * PLANE_GAPS + FIELDS + 64) + MAX_DICTIONARY + block;
}

/** Rounded up to a multiple of 64, a cache line. */
function aligned(byteLength: number): number {
  return Math.ceil(byteLength / 64) * 64;
}
