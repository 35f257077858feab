/** Tensors of python-blosc2: what `save_array`, `save_tensor` and `pack_array2` write, all items of an array in a plain super-chunk. @module */
import { type DType, FormatError, type NDArray, NDBuffer, parseDType, type SChunk, zeros } from "@b2frame/core";
import { cOrderPieces } from "./array/c-order-pieces.js";

/** The vlmetalayer that says which array the items are. */
const TENSOR_LAYER = "__pack_tensor__";
/** Most bytes that are copied at once. */
const MAX_PIECE_BYTES = 16 << 20;

/** What a tensor is. */
export interface TensorLayout {
  /** What it was made from: `"numpy"`, `"torch"` or `"tensorflow"`. */
  readonly kind: string;
  readonly shape: readonly number[];
  readonly dtype: DType;
}

function invalid(schunk: SChunk, field: string, expected: string, found: string, cause?: unknown): FormatError {
  const location = { path: schunk.urlpath, structure: `vlmetalayer "${TENSOR_LAYER}"`, position: 0 };
  return new FormatError("BLOSC2_FORMAT_INVALID", { ...location, field, expected, found }, cause);
}

function pythonString(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

/** NumPy's `dtype.descr` as the text that Python prints of it; `undefined` if it is none. */
function spelled(value: unknown): string | undefined {
  if (typeof value === "string") return pythonString(value);
  if (!Array.isArray(value)) return undefined;
  const fields = value.map((field: unknown) => {
    if (!Array.isArray(field)) return undefined;
    const [name, type, shape] = field as unknown[];
    const item = spelled(type);
    if (typeof name !== "string" || item === undefined) return undefined;
    return Array.isArray(shape)
      ? `(${pythonString(name)}, ${item}, (${shape.join(", ")},))`
      : `(${pythonString(name)}, ${item})`;
  });
  return fields.includes(undefined) ? undefined : `[${fields.join(", ")}]`;
}

function dtypeOf(schunk: SChunk, value: unknown): DType {
  const text = typeof value === "string" ? value : spelled(value);
  if (text === undefined) throw invalid(schunk, "dtype", "a dtype of NumPy", "something else");
  try {
    return parseDType(text);
  } catch (error) {
    throw invalid(schunk, "dtype", "a dtype of NumPy", text.slice(0, 80), error);
  }
}

/**
 * What the tensor in a super-chunk is; `undefined` if it holds none.
 *
 * @throws FormatError if its description can't be read, or does not fit the items
 */
export function tensorLayoutOf(schunk: SChunk): TensorLayout | undefined {
  if (!schunk.vlmeta.has(TENSOR_LAYER)) return undefined;
  const value = schunk.vlmeta.getValue(TENSOR_LAYER);
  const [kind, shape, type] = (Array.isArray(value) ? value : []) as unknown[];
  const isShape = Array.isArray(shape) && shape.every((n) => Number.isSafeInteger(n) && n >= 0);
  if (typeof kind !== "string" || !isShape) throw invalid(schunk, "content", "a kind and a shape", "something else");
  const dtype = dtypeOf(schunk, type);
  const nbytes = (shape as number[]).reduce((product, n) => product * n, dtype.itemsize);
  if (nbytes !== schunk.nbytes) throw invalid(schunk, "shape", `${schunk.nbytes} bytes of items`, `${nbytes} bytes`);
  return { kind, shape: shape as number[], dtype };
}

/**
 * The tensor in a super-chunk as an array in memory; `undefined` if it holds none. It is a copy, made piece by piece.
 *
 * @throws as {@link tensorLayoutOf}, and when a chunk can't be read
 * @example
 * ```ts
 * using saved = openSChunk("saved.b2frame"); // blosc2.save_array(a, "saved.b2frame")
 * using array = arrayOfTensor(saved);
 * ```
 */
export function arrayOfTensor(schunk: SChunk): NDArray | undefined {
  const layout = tensorLayoutOf(schunk);
  if (layout === undefined) return undefined;
  const { shape, dtype } = layout;
  const { itemsize } = dtype;
  if (itemsize % schunk.typesize !== 0) throw invalid(schunk, "dtype", `items of ${schunk.typesize} bytes`, dtype.str);
  const array = zeros(shape, { dtype: dtype.str });
  const perItem = itemsize / schunk.typesize;
  let done = 0;
  for (const { start, stop } of cOrderPieces({
    shape,
    chunks: array.chunks,
    itemsize,
    maxBytes: MAX_PIECE_BYTES,
  })) {
    const counts = stop.map((end, i) => end - (start[i] as number));
    const count = counts.reduce((product, n) => product * n, 1);
    const bytes = schunk.getSlice(done * perItem, (done + count) * perItem);
    array.setSlice(start, stop, new NDBuffer(dtype, counts, bytes));
    done += count;
  }
  return array;
}
