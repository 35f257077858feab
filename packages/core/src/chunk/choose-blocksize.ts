/**
 * The automatic blocksize and the split rule. Readers take both from the chunk header, so these only decide how well a chunk
 * compresses and how finely it can be read; the choice is C-Blosc2's, so that chunks come out alike.
 *
 * @module
 */

import { MAX_BLOCKSIZE } from "./chunk-layout.js";
import type { SplitMode } from "./cparams.js";

const KIB = 1024;
/** The cache that blocks are made for. */
const L1_BYTES = 32 * KIB;
/** Most bytes of an automatic blocksize that will be split. */
const MAX_SPLIT_BLOCKSIZE = 4 * KIB * KIB;
/** Shortest stream and largest typesize for which splitting pays. */
const MIN_STREAM_LENGTH = 32;
const MAX_SPLIT_TYPESIZE = 16;

const BLOSCLZ = 0;
const LZ4 = 1;
const LZ4HC = 2;
const ZLIB = 4;
const ZSTD = 5;
const SHUFFLE = 1;

/** Multiples of the base by clevel. */
const FACTORS: readonly number[] = [0.25, 0.5, 1, 2, 4, 4, 8, 8, 8, 8];
/** KiB per byte of typesize by clevel, for blocks that will be split. */
const SPLIT_KIB: readonly number[] = [0, 32, 32, 32, 64, 64, 64, 128, 256, 512];

/** What the choice depends on. */
export interface BlocksizeParams {
  readonly compcode: number;
  readonly clevel: number;
  /** The true typesize, which may exceed 255. */
  readonly typesize: number;
  readonly filters: Uint8Array;
  /** Bytes; 0 = automatic. */
  readonly blocksize: number;
  readonly splitmode: SplitMode;
}

/** Whether full blocks of `blocksize` bytes are split into one stream per byte of the typesize. */
export function isSplit(params: BlocksizeParams, typesize: number, blocksize: number): boolean {
  // A stream of no bytes would be unreadable.
  if (params.splitmode === "never" || blocksize < typesize) return false;
  if (params.splitmode === "always") return true;
  const { compcode, clevel } = params;
  const fast = compcode === BLOSCLZ || compcode === LZ4 || (compcode === ZSTD && clevel <= 5);
  return (
    fast &&
    params.filters.includes(SHUFFLE) &&
    typesize <= MAX_SPLIT_TYPESIZE &&
    Math.floor(blocksize / typesize) >= MIN_STREAM_LENGTH
  );
}

/** The automatic blocksize before it is fitted to nbytes and typesize. */
function automaticBlocksize(nbytes: number, params: BlocksizeParams): number {
  const { compcode, clevel, typesize } = params;
  const thorough = compcode === LZ4HC || compcode === ZLIB || compcode === ZSTD;
  let blocksize = nbytes;
  if (nbytes >= L1_BYTES) {
    blocksize = (thorough ? 2 : 1) * L1_BYTES * (FACTORS[clevel] as number);
    if (clevel === 9 && thorough) blocksize *= 2;
  }
  if (clevel > 0 && isSplit(params, typesize, nbytes)) {
    blocksize = (SPLIT_KIB[clevel] as number) * KIB * typesize;
    blocksize = Math.max(L1_BYTES, Math.min(blocksize, MAX_SPLIT_BLOCKSIZE));
  }
  return blocksize;
}

/** Bytes per block for a chunk of `nbytes` bytes: at least 1, and a multiple of the typesize if it exceeds that. */
export function chooseBlocksize(nbytes: number, params: BlocksizeParams): number {
  const { typesize } = params;
  if (nbytes === 0 || (nbytes < typesize && params.blocksize === 0)) return 1;
  let blocksize = params.blocksize > 0 ? params.blocksize : automaticBlocksize(nbytes, params);
  blocksize = Math.min(blocksize, nbytes, MAX_BLOCKSIZE);
  if (blocksize > typesize) blocksize -= blocksize % typesize;
  return blocksize;
}
