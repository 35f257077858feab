/**
 * The `b2nd` metalayer: shape, chunk shape, block shape and dtype of an array (format document README_B2ND_METALAYER).
 *
 * ```
 * 97 version ndim  9n {D3 int64}*n  9n {D2 int32}*n  9n {D2 int32}*n  dtype_format  DB uint32 dtype
 * ```
 * The older `caterva` metalayer has the same layout, without the last two elements where the first byte is 95.
 *
 * @module
 */
import { ByteReader } from "../bytes/byte-reader.js";
import { FixedMsgpackWriter } from "../bytes/fixed-msgpack.js";
import { decodeUtf8, encodeUtf8 } from "../bytes/utf8.js";
import { ArgumentError, type SourceLocation } from "../errors.js";

/** Most dimensions that the format allows. */
export const B2ND_MAX_DIM = 16;

/** What the metalayer says. */
export interface B2ndMetalayer {
  readonly version: number;
  /** Items per dimension, C order. */
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly blocks: readonly number[];
  /** 0: NumPy notation. */
  readonly dtypeFormat: number;
  readonly dtype: string | undefined;
}

/** Reads the metalayer's content. Throws FormatError on any contradiction; nothing is allocated from its numbers. */
export function decodeB2ndMetalayer(content: Uint8Array, location: SourceLocation): B2ndMetalayer {
  const reader = new ByteReader(content, location);
  const count = reader.uint8(0, "array marker");
  if (count < 0x95 || count > 0x97)
    throw reader.invalid("array marker", 0, "0x95, 0x96 or 0x97", `0x${count.toString(16)}`);
  const version = reader.uint8(1, "version");
  const ndim = reader.uint8(2, "ndim");
  if (version > 127) throw reader.invalid("version", 1, "0 to 127", version, "BLOSC2_FORMAT_BAD_VERSION");
  if (ndim > B2ND_MAX_DIM) throw reader.invalid("ndim", 2, `0 to ${B2ND_MAX_DIM}`, ndim);
  let at = 3;
  const dims = (field: string, marker: number, width: number): number[] => {
    reader.marker(at, 0x90 + ndim, `${field} array`);
    at++;
    const values: number[] = [];
    for (let i = 0; i < ndim; i++) {
      reader.marker(at, marker, `${field}[${i}] marker`);
      const value =
        width === 8 ? reader.int64BigEndian(at + 1, `${field}[${i}]`) : reader.int32BigEndian(at + 1, `${field}[${i}]`);
      if (value < 0) throw reader.invalid(`${field}[${i}]`, at + 1, "0 or more", value, "BLOSC2_FORMAT_BAD_LENGTH");
      values.push(value);
      at += 1 + width;
    }
    return values;
  };
  const shape = dims("shape", 0xd3, 8);
  const chunkShape = dims("chunkshape", 0xd2, 4);
  const blockShape = dims("blockshape", 0xd2, 4);
  checkShapes(reader, shape, chunkShape, blockShape);
  if (count < 0x97) return { version, shape, chunks: chunkShape, blocks: blockShape, dtypeFormat: 0, dtype: undefined };
  const dtypeFormat = reader.uint8(at, "dtype_format");
  if (dtypeFormat > 127) throw reader.invalid("dtype_format", at, "0 to 127", dtypeFormat);
  reader.marker(at + 1, 0xdb, "dtype marker");
  const dtypeLength = reader.uint32BigEndian(at + 2, "dtype length");
  reader.require(at + 6, dtypeLength, "dtype");
  const dtype = decodeUtf8(content.subarray(at + 6, at + 6 + dtypeLength));
  if (dtype === undefined) throw reader.invalid("dtype", at + 6, "UTF-8", "other bytes");
  return {
    version,
    shape,
    chunks: chunkShape,
    blocks: blockShape,
    dtypeFormat,
    dtype: dtype === "" ? undefined : dtype,
  };
}

function checkShapes(
  reader: ByteReader,
  shape: readonly number[],
  chunkShape: readonly number[],
  blockShape: readonly number[],
): void {
  let items = 1;
  let chunkItems = 1;
  let blockItems = 1;
  for (let i = 0; i < shape.length; i++) {
    const [s, c, b] = [shape[i] as number, chunkShape[i] as number, blockShape[i] as number];
    if (s !== 0 && (c === 0 || b === 0)) {
      throw reader.invalid(
        `chunkshape[${i}] and blockshape[${i}]`,
        3,
        "1 or more where shape is not 0",
        `${c} and ${b}`,
        "BLOSC2_FORMAT_BAD_LENGTH",
      );
    }
    items *= s;
    blockItems *= b;
    chunkItems *= b === 0 ? c : Math.ceil(c / b) * b;
  }
  if (items > Number.MAX_SAFE_INTEGER)
    throw reader.invalid("shape", 3, "fewer than 2^53 items", `${shape.join("x")}`, "BLOSC2_FORMAT_BAD_LENGTH");
  for (const [field, product] of [
    ["chunkshape", chunkItems],
    ["blockshape", blockItems],
  ] as const) {
    if (product > 0x7fffffff)
      throw reader.invalid(field, 3, "at most 2^31 - 1 items", product, "BLOSC2_FORMAT_BAD_LENGTH");
  }
}

/** The metalayer's content. Its length depends only on the number of dimensions and the dtype, so a resize rewrites it in place. */
export function encodeB2ndMetalayer(metalayer: B2ndMetalayer): Uint8Array {
  const { shape, chunks: chunkShape, blocks: blockShape } = metalayer;
  const ndim = shape.length;
  if (ndim > B2ND_MAX_DIM) {
    throw new ArgumentError("BLOSC2_ARGUMENT_OUT_OF_RANGE", `shape has ${ndim} dimensions; at most ${B2ND_MAX_DIM}`, {
      parameter: "shape",
    });
  }
  const writer = new FixedMsgpackWriter();
  writer.byte(0x97).byte(metalayer.version).byte(ndim);
  writer.byte(0x90 + ndim);
  for (const n of shape) writer.int64(n);
  writer.byte(0x90 + ndim);
  for (const n of chunkShape) writer.int32(n);
  writer.byte(0x90 + ndim);
  for (const n of blockShape) writer.int32(n);
  writer.byte(metalayer.dtypeFormat).str32(encodeUtf8(metalayer.dtype ?? ""));
  return writer.finish();
}
