/** The super-chunk of a new array. @module */

import { describeValue } from "../checks/describe-value.js";
import type { OptionNames } from "../checks/option-names.js";
import { ArgumentError } from "../errors.js";
import { NEW_FRAME_NAMES } from "../super-chunk/schunk-option-names.js";
import type { SChunkCreateOptions } from "../super-chunk/schunk-options.js";
import { SChunk } from "../super-chunk/super-chunk.js";
import type { DType } from "../values/dtype.js";
import { product } from "../values/shape.js";
import { B2ND_METALAYER } from "./array-description.js";
import { encodeB2ndMetalayer } from "./b2nd-metalayer.js";
import { ChunkGrid } from "./chunk-grid.js";
import { chooseShapes } from "./default-shapes.js";

/** How to make an array: what {@link SChunk.create} takes, and the array's own layout. */
export interface ArrayCreateOptions
  extends Omit<SChunkCreateOptions, "typesize" | "chunksize" | "chunksizeInHeader" | "data" | "fill"> {
  /** NumPy notation or a name such as `"float32"`. Default `"<f8"`; for `asarray`, the input's own. */
  readonly dtype?: string | undefined;
  /** Items per chunk along each dimension. Default: chosen as python-blosc2 does. */
  readonly chunks?: readonly number[] | undefined;
  /** Items per block along each dimension. */
  readonly blocks?: readonly number[] | undefined;
}

/** See `checkOptionNames`. */
export const ARRAY_CREATE_NAMES: OptionNames<ArrayCreateOptions> = {
  ...NEW_FRAME_NAMES,
  commit: true,
  dtype: true,
  chunks: true,
  blocks: true,
};

/** What all items are at first. */
export type ArrayFill =
  | { readonly kind: "zeros" | "uninit" | "nan" }
  | { readonly kind: "value"; readonly value: Uint8Array };

/** The version that C-Blosc2 writes into the metalayer. */
const METALAYER_VERSION = 0;

function checkShape(shape: readonly number[]): void {
  if (!Array.isArray(shape)) {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `shape: expected a list of integers from 0, found ${describeValue(shape)}`,
      { parameter: "shape", found: describeValue(shape) },
    );
  }
  for (let i = 0; i < shape.length; i++) {
    const n = shape[i] as number;
    if (!Number.isSafeInteger(n) || n < 0) {
      throw new ArgumentError("BLOSC2_ARGUMENT_OUT_OF_RANGE", `shape[${i}] is ${n}; expected an integer from 0`, {
        parameter: "shape",
        value: n,
      });
    }
  }
  if (product(shape) > Number.MAX_SAFE_INTEGER) {
    throw new ArgumentError("BLOSC2_ARGUMENT_OUT_OF_RANGE", `shape (${shape.join(", ")}) has 2^53 items or more`, {
      parameter: "shape",
    });
  }
}

/** A super-chunk with the metalayer and the chunks of a new array. @throws ArgumentError */
export function createArraySChunk(
  shape: readonly number[],
  dtype: DType,
  options: ArrayCreateOptions,
  fill: ArrayFill,
  commit: boolean = options.commit ?? true,
): SChunk {
  checkShape(shape);
  if (dtype.itemsize === 0) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `dtype ${dtype.str} has items of no bytes: give a width`, {
      parameter: "dtype",
      value: dtype.str,
    });
  }
  const { chunks: chunkShape, blocks: blockShape } = chooseShapes(
    shape,
    dtype.itemsize,
    options.chunks,
    options.blocks,
  );
  const grid = new ChunkGrid(shape, chunkShape, blockShape);
  const { meta, cparams, dtype: _dtype, chunks: _chunks, blocks: _blocks, ...rest } = options;
  const metalayer = encodeB2ndMetalayer({
    version: METALAYER_VERSION,
    shape,
    chunks: chunkShape,
    blocks: blockShape,
    dtypeFormat: 0,
    dtype: dtype.str,
  });
  const itemCount = grid.nchunks * grid.chunkItemCount;
  return SChunk.create({
    ...rest,
    commit,
    fill: itemCount > 0 ? { itemCount, ...fill } : undefined,
    typesize: dtype.itemsize,
    chunksize: Math.max(1, grid.chunkItemCount) * dtype.itemsize,
    chunksizeInHeader: true,
    cparams: { ...cparams, blocksize: grid.blockItemCount * dtype.itemsize },
    // The array's metalayer comes first, as C-Blosc2 writes it.
    meta: { [B2ND_METALAYER]: metalayer, ...meta },
  });
}
