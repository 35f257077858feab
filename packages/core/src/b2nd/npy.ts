/**
 * NumPy's `.npy` files, versions 1.0 to 3.0 (NumPy enhancement proposal 1).
 *
 * @module
 */
import { ByteReader } from "../bytes/byte-reader.js";
import { decodeUtf8, encodeUtf8 } from "../bytes/utf8.js";
import { isBlosc2Error, UnsupportedError } from "../errors.js";
import type { DType } from "../values/dtype.js";
import { NDBuffer } from "../values/nd-buffer.js";
import { dtypeFromLiteral } from "../values/parse-dtype.js";
import { type PythonLiteral, parsePythonLiteral } from "../values/python-literal.js";
import { cOrderStrides, product } from "../values/shape.js";
import { spellAsList } from "../values/spell-dtype.js";
import { copyRegion } from "./copy-region.js";

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59] as const;
/** NumPy aligns the data to this. */
const ALIGNMENT = 64;

/** What the header of a `.npy` file says of its items. */
export interface NpyHeader {
  readonly dtype: DType;
  readonly shape: readonly number[];
  /** Whether the first dimension varies fastest. */
  readonly fortranOrder: boolean;
  /** Position of the first item in the file. */
  readonly dataPosition: number;
}

/**
 * Decodes the header of a `.npy` file, without its items.
 *
 * @param bytes the front of the file, with all of the header: 64 KiB hold every header of version 1.0.
 * @param path names the file in error messages.
 * @throws FormatError naming the field that is wrong.
 */
export function decodeNpyHeader(bytes: Uint8Array, path?: string): NpyHeader {
  const reader = npyReader(bytes, path);
  MAGIC.forEach((byte, i) => {
    reader.marker(i, byte, "magic");
  });
  const major = reader.uint8(6, "version");
  if (major < 1 || major > 3) throw reader.invalid("version", 6, "1, 2 or 3", major, "BLOSC2_FORMAT_BAD_VERSION");
  reader.require(8, major === 1 ? 2 : 4, "header length");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerOffset = major === 1 ? 10 : 12;
  const headerLength = major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  reader.require(headerOffset, headerLength, "header");
  const encoded = bytes.subarray(headerOffset, headerOffset + headerLength);
  // Versions 1.0 and 2.0 are latin-1, 3.0 is UTF-8.
  const text = major < 3 ? decodeLatin1(encoded) : decodeUtf8(encoded);
  const invalid = (field: string, expected: string, found: unknown): Error =>
    reader.invalid(`header ${field}`, headerOffset, expected, String(found).slice(0, 80));
  if (text === undefined) throw invalid("text", "UTF-8", "other bytes");
  let header: PythonLiteral;
  try {
    header = parsePythonLiteral(text);
  } catch (error) {
    if (isBlosc2Error(error)) throw invalid("text", "a Python dict", text);
    throw error;
  }
  if (!(header instanceof Map)) throw invalid("text", "a Python dict", text);
  const descr = header.get("descr");
  const order = header.get("fortran_order");
  const shape = header.get("shape");
  if (typeof descr !== "string" && !Array.isArray(descr)) throw invalid("descr", "a dtype", descr);
  if (typeof order !== "boolean") throw invalid("fortran_order", "True or False", order);
  if (!Array.isArray(shape) || !shape.every((n) => typeof n === "number" && Number.isSafeInteger(n) && n >= 0)) {
    throw invalid("shape", "a tuple of integers from 0", shape);
  }
  let dtype: DType;
  try {
    dtype = dtypeFromLiteral(descr);
  } catch (error) {
    if (isBlosc2Error(error)) throw invalid("descr", "a dtype without objects", text);
    throw error;
  }
  return { dtype, shape: shape as number[], fortranOrder: order, dataPosition: headerOffset + headerLength };
}

function npyReader(bytes: Uint8Array, path: string | undefined): ByteReader {
  return new ByteReader(bytes, { path, structure: ".npy file", position: 0 });
}

/**
 * Reads a whole `.npy` file. Fortran-ordered data is brought into C order; object arrays are refused.
 *
 * @throws FormatError naming the field that is wrong.
 */
export function decodeNpy(bytes: Uint8Array, path?: string): NDBuffer {
  const { dtype, shape, fortranOrder, dataPosition } = decodeNpyHeader(bytes, path);
  const byteLength = product(shape) * dtype.itemsize;
  npyReader(bytes, path).require(dataPosition, byteLength, "data");
  const data = bytes.slice(dataPosition, dataPosition + byteLength);
  return new NDBuffer(dtype, shape, fortranOrder ? fromFortranOrder(data, shape, dtype.itemsize) : data);
}

function decodeLatin1(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/** The header's `descr`. @throws UnsupportedError for fields that a list of them can't say */
function spellDescr(dtype: DType): string {
  if (dtype.fields === undefined) return `'${dtype.str}'`;
  const list = spellAsList(dtype.fields, dtype.itemsize);
  if (list !== undefined) return list;
  throw new UnsupportedError(
    "BLOSC2_UNSUPPORTED",
    `.npy files hold no fields that overlap or are out of order, as those of ${dtype.str.slice(0, 200)} are`,
    { feature: ".npy of overlapping fields" },
  );
}

function fromFortranOrder(data: Uint8Array, shape: readonly number[], itemsize: number): Uint8Array {
  const out = new Uint8Array(data.byteLength);
  const target = cOrderStrides(shape).map((s) => s * itemsize);
  const source = cOrderStrides([...shape].reverse())
    .reverse()
    .map((s) => s * itemsize);
  copyRegion(data, 0, source, out, 0, target, shape, itemsize);
  return out;
}

/**
 * The header of a `.npy` file: version 1.0, 2.0 for a header past 64 KiB, 3.0 for names that are not latin-1, as NumPy chooses. The
 * items follow it, in C order.
 *
 * @throws UnsupportedError for a structured type whose fields overlap or are out of order, which NumPy does not save either.
 * @example
 * ```ts
 * file.write(encodeNpyHeader(array.dtype, array.shape));
 * ```
 */
export function encodeNpyHeader(dtype: DType, shape: readonly number[]): Uint8Array {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const text = `{'descr': ${spellDescr(dtype)}, 'fortran_order': False, 'shape': ${tuple}, }`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of latin-1 is meant
  const isLatin1 = /^[\x00-\xff]*$/.test(text);
  const body = isLatin1 ? Uint8Array.from(text, (c) => c.charCodeAt(0)) : encodeUtf8(text);
  const isShort = isLatin1 && body.byteLength + 1 + 10 + ALIGNMENT <= 0xffff;
  const prefix = isShort ? 10 : 12;
  const total = Math.ceil((prefix + body.byteLength + 1) / ALIGNMENT) * ALIGNMENT;
  const out = new Uint8Array(total).fill(0x20);
  out.set(MAGIC);
  const view = new DataView(out.buffer);
  out[6] = isShort ? 1 : isLatin1 ? 2 : 3;
  out[7] = 0;
  if (isShort) view.setUint16(8, total - prefix, true);
  else view.setUint32(8, total - prefix, true);
  out.set(body, prefix);
  out[total - 1] = 0x0a;
  return out;
}

/** The bytes of a `.npy` file with the buffer's items. */
export function encodeNpy(buffer: NDBuffer): Uint8Array {
  const header = encodeNpyHeader(buffer.dtype, buffer.shape);
  const out = new Uint8Array(header.byteLength + buffer.bytes.byteLength);
  out.set(header);
  out.set(buffer.bytes, header.byteLength);
  return out;
}
