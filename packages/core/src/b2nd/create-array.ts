/** Making arrays. @module */
import { ArgumentError } from "../errors.js";
import { firstFailure } from "../frame/replace-file.js";
import { abandonCreated } from "../super-chunk/abandon-created.js";
import type { SChunkCreateOptions } from "../super-chunk/schunk-options.js";
import { SChunk } from "../super-chunk/super-chunk.js";
import { storeItems } from "../values/convert-items.js";
import { describeValue } from "../values/describe-value.js";
import type { DType } from "../values/dtype.js";
import { NDBuffer } from "../values/nd-buffer.js";
import { parseDType } from "../values/parse-dtype.js";
import { product } from "../values/shape.js";
import { type ArrayInput, dtypeFor, inputItems, type ScalarInput, shapedItems } from "./array-input.js";
import { B2ND_METALAYER } from "./array-reader.js";
import { encodeB2ndMetalayer } from "./b2nd-metalayer.js";
import { ChunkGrid } from "./chunk-grid.js";
import { chooseShapes } from "./default-shapes.js";
import { NDArray } from "./nd-array.js";

/** How to make an array: what {@link SChunk.create} takes, and the array's own layout. */
export interface ArrayCreateOptions
  extends Omit<SChunkCreateOptions, "typesize" | "chunksize" | "chunksizeInHeader" | "data" | "fill"> {
  /** NumPy notation or a name such as `"float32"`. Default `"<f8"`; for `asarray`, the input's own. */
  readonly dtype?: string | undefined;
  /** Items per chunk along each dimension. Default: chosen as python-blosc2 does. */
  readonly chunkShape?: readonly number[] | undefined;
  /** Items per block along each dimension. */
  readonly blockShape?: readonly number[] | undefined;
}

type Fill = { readonly kind: "zeros" | "uninit" | "nan" } | { readonly kind: "value"; readonly value: Uint8Array };

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

function create(
  shape: readonly number[],
  dtype: DType,
  options: ArrayCreateOptions,
  fill: Fill,
  commit: boolean = options.commit ?? true,
): NDArray {
  checkShape(shape);
  if (dtype.itemsize === 0) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `dtype ${dtype.str} has items of no bytes: give a width`, {
      parameter: "dtype",
      value: dtype.str,
    });
  }
  const { chunkShape, blockShape } = chooseShapes(shape, dtype.itemsize, options.chunkShape, options.blockShape);
  const grid = new ChunkGrid(shape, chunkShape, blockShape);
  const { meta, cparams, ...rest } = options;
  const metalayer = encodeB2ndMetalayer({
    version: METALAYER_VERSION,
    shape,
    chunkShape,
    blockShape,
    dtypeFormat: 0,
    dtype: dtype.str,
  });
  const itemCount = grid.nchunks * grid.chunkItemCount;
  const schunk = SChunk.create({
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
  try {
    return NDArray.fromSChunk(schunk);
  } catch (error) {
    schunk.close();
    throw error;
  }
}

/** An array of zeros. Takes no space for its chunks until they are written to. */
export function zeros(shape: readonly number[], options: ArrayCreateOptions = {}): NDArray {
  return create(shape, parseDType(options.dtype ?? "<f8"), options, { kind: "zeros" });
}

/** An array to be written to; reads as zeros until then. */
export function empty(shape: readonly number[], options: ArrayCreateOptions = {}): NDArray {
  return zeros(shape, options);
}

/** An array whose items are marked as uninitialised; they read as zeros here, as anything elsewhere. */
export function uninit(shape: readonly number[], options: ArrayCreateOptions = {}): NDArray {
  return create(shape, parseDType(options.dtype ?? "<f8"), options, { kind: "uninit" });
}

/** An array of NaN; dtype float32 or float64. */
export function nans(shape: readonly number[], options: ArrayCreateOptions = {}): NDArray {
  const dtype = parseDType(options.dtype ?? "<f8");
  if (dtype.kind !== "f" || (dtype.itemsize !== 4 && dtype.itemsize !== 8) || dtype.byteOrder === "big") {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `dtype ${dtype.str} has no special NaN chunks; use <f4 or <f8, or full()`,
      {
        parameter: "dtype",
      },
    );
  }
  return create(shape, dtype, options, { kind: "nan" });
}

/**
 * An array with one value everywhere.
 *
 * @param value see {@link ScalarInput}; `[re, im]` works for complex, and a `Uint8Array` holds an item's bytes. The dtype is the value's
 * own unless there is one in the options.
 * @throws ArgumentError for a value that the dtype does not take.
 */
export function full(
  shape: readonly number[],
  value: ScalarInput | readonly [number, number],
  options: ArrayCreateOptions = {},
): NDArray {
  const isPair = Array.isArray(value);
  const implied = value instanceof Uint8Array ? `|V${value.byteLength}` : isPair ? "<c16" : undefined;
  const dtype = dtypeFor(value as ScalarInput, options.dtype ?? implied);
  const isItem = value instanceof Uint8Array && value.byteLength === dtype.itemsize;
  return create(shape, dtype, options, { kind: "value", value: isItem ? value : storeItems(dtype, [value], []) });
}

/**
 * Stores values as a new array.
 *
 * @param input Nested arrays state their shape; typed arrays are flat unless `options.shape` says otherwise.
 * @example
 * ```ts
 * using a = asarray(new Float32Array(6), { shape: [2, 3], urlpath: "a.b2nd", backend: stdio() });
 * ```
 */
export function asarray(
  input: ArrayInput,
  options: ArrayCreateOptions & { readonly shape?: readonly number[] | undefined } = {},
): NDArray {
  const { shape: given, ...rest } = options;
  const dtype = dtypeFor(input, options.dtype);
  const items = given?.length === 0 ? inputItems(input, dtype) : shapedItems(input, dtype);
  const itemCount = items.bytes.byteLength / dtype.itemsize;
  const shape = given ?? items.shape ?? [itemCount];
  if (product(shape) !== itemCount) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `shape (${shape.join(", ")}) does not hold ${itemCount} items`, {
      parameter: "shape",
    });
  }
  const array = create(shape, dtype, rest, { kind: "zeros" }, false);
  try {
    array.set([], new NDBuffer(dtype, shape, items.bytes));
    if (rest.commit !== false) array.flush();
    return array;
  } catch (error) {
    throw firstFailure(error, () => abandonCreated(array.schunk));
  }
}
