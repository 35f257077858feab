/** Making arrays. @module */
import { checkOptionNames, type OptionNames } from "../checks/option-names.js";
import { ArgumentError } from "../errors.js";
import { firstFailure } from "../frame/replace-file.js";
import { abandonCreated } from "../super-chunk/abandon-created.js";
import { storeItems } from "../values/convert-items.js";
import type { DType } from "../values/dtype.js";
import { NDBuffer } from "../values/nd-buffer.js";
import { parseDType } from "../values/parse-dtype.js";
import { product } from "../values/shape.js";
import { type ArrayInput, dtypeFor, inputItems, type ScalarInput, shapedItems } from "./array-input.js";
import { ARRAY_CREATE_NAMES, type ArrayCreateOptions, type ArrayFill, createArraySChunk } from "./array-schunk.js";
import { arrayOwning, type NDArray } from "./nd-array.js";

function create(
  shape: readonly number[],
  dtype: DType,
  options: ArrayCreateOptions,
  fill: ArrayFill,
  commit?: boolean,
): NDArray {
  return arrayOwning(createArraySChunk(shape, dtype, options, fill, commit));
}

/** The dtype of arrays whose values say nothing of it. @throws ArgumentError, also for unknown options */
function chosenDType(options: ArrayCreateOptions): DType {
  checkOptionNames(ARRAY_CREATE_NAMES, options);
  return parseDType(options.dtype ?? "<f8");
}

/** An array of zeros. Takes no space for its chunks until they are written to. */
export function zeros(shape: readonly number[], options: ArrayCreateOptions = {}): NDArray {
  return create(shape, chosenDType(options), options, { kind: "zeros" });
}

/** An array to be written to; reads as zeros until then. */
export function empty(shape: readonly number[], options: ArrayCreateOptions = {}): NDArray {
  return zeros(shape, options);
}

/** An array whose items are marked as uninitialised; they read as zeros here, as anything elsewhere. */
export function uninit(shape: readonly number[], options: ArrayCreateOptions = {}): NDArray {
  return create(shape, chosenDType(options), options, { kind: "uninit" });
}

/** An array of NaN; dtype float32 or float64. */
export function nans(shape: readonly number[], options: ArrayCreateOptions = {}): NDArray {
  const dtype = chosenDType(options);
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
  checkOptionNames(ARRAY_CREATE_NAMES, options);
  const isPair = Array.isArray(value);
  const implied = value instanceof Uint8Array ? `|V${value.byteLength}` : isPair ? "<c16" : undefined;
  const dtype = dtypeFor(value as ScalarInput, options.dtype ?? implied);
  const isItem = value instanceof Uint8Array && value.byteLength === dtype.itemsize;
  return create(shape, dtype, options, { kind: "value", value: isItem ? value : storeItems(dtype, [value], []) });
}

/** How to store values: as for other new arrays, and the shape that flat ones have. */
type AsArrayOptions = ArrayCreateOptions & { readonly shape?: readonly number[] | undefined };

const ASARRAY_NAMES: OptionNames<AsArrayOptions> = { ...ARRAY_CREATE_NAMES, shape: true };

/**
 * Stores values as a new array.
 *
 * @param input Nested arrays state their shape; typed arrays are flat unless `options.shape` says otherwise.
 * @example
 * ```ts
 * using a = asarray(new Float32Array(6), { shape: [2, 3], urlpath: "a.b2nd", io: stdio() });
 * ```
 */
export function asarray(input: ArrayInput, options: AsArrayOptions = {}): NDArray {
  checkOptionNames(ASARRAY_NAMES, options);
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
    if (rest.commit !== false) array.commit();
    return array;
  } catch (error) {
    throw firstFailure(error, () => abandonCreated(array.schunk));
  }
}
