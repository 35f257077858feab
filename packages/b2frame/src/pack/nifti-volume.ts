/** Reading NIfTI volumes, compressed or not. @module */
import { readFileSync } from "node:fs";
import { constants, gunzipSync } from "node:zlib";
import { type DType, FormatError, parseDType, UnsupportedError } from "@b2frame/core";
import { ioFailure } from "@b2frame/core/backend";
import { type NIFTI1, type NIFTI2, readHeader } from "nifti-reader-js";

/** The items of a volume, as they are stored, and what its header says of them. */
export interface NiftiVolume {
  /** In C order: the reverse of NIfTI's, whose first dimension varies fastest. */
  readonly shape: readonly number[];
  readonly dtype: DType;
  readonly bytes: Uint8Array;
  readonly header: NIFTI1 | NIFTI2;
}

/** NumPy's kinds of NIfTI's data types, and how many of them make a voxel. */
const KINDS: ReadonlyMap<number, readonly [kind: string, perVoxel?: number]> = new Map([
  [2, ["u1"]],
  [4, ["i2"]],
  [8, ["i4"]],
  [16, ["f4"]],
  [32, ["c8"]],
  [64, ["f8"]],
  [128, ["u1", 3]],
  [256, ["i1"]],
  [512, ["u2"]],
  [768, ["u4"]],
  [1024, ["i8"]],
  [1280, ["u8"]],
  [1792, ["c16"]],
  [2304, ["u1", 4]],
]);

/** Enough of a compressed file for the header, whatever level it was compressed at. */
const HEAD_BYTES = 1 << 16;
/** Of NIfTI-1, with the four bytes that tell of extensions. */
const HEADER_BYTES = 352;
const MAX_RANK = 7;

function invalid(path: string, field: string, expected: string | number, found: string | number): FormatError {
  return new FormatError("BLOSC2_FORMAT_INVALID", { path, structure: "NIfTI", position: 0, field, expected, found });
}

function readWhole(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw ioFailure(error, { operation: "read", path });
  }
}

const isCompressed = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

function inflate(path: string, bytes: Uint8Array, options: Parameters<typeof gunzipSync>[1]): Uint8Array {
  try {
    return gunzipSync(bytes, options);
  } catch (error) {
    const facts = { path, structure: "NIfTI", position: 0, field: "gzip stream", expected: "whole" };
    throw new FormatError("BLOSC2_FORMAT_INVALID", { ...facts, found: (error as Error).message }, error);
  }
}

function headerOf(path: string, head: Uint8Array): NIFTI1 | NIFTI2 {
  if (head.byteLength < HEADER_BYTES) throw invalid(path, "length", `${HEADER_BYTES} bytes or more`, head.byteLength);
  try {
    return readHeader(Uint8Array.from(head).buffer);
  } catch (error) {
    const facts = { path, structure: "NIfTI", position: 0, field: "header", expected: "NIfTI-1 or NIfTI-2" };
    throw new FormatError("BLOSC2_FORMAT_INVALID", { ...facts, found: (error as Error).message }, error);
  }
}

/** The dimensions as NIfTI has them. The reader of headers checks nothing. */
function dimensionsOf(path: string, { dims }: NIFTI1 | NIFTI2): number[] {
  const [rank = 0] = dims;
  if (!Number.isInteger(rank) || rank < 1 || rank > MAX_RANK) throw invalid(path, "dim[0]", `1 to ${MAX_RANK}`, rank);
  const lengths = dims.slice(1, rank + 1).map(Number);
  lengths.forEach((length, i) => {
    if (!Number.isSafeInteger(length) || length < 1) throw invalid(path, `dim[${i + 1}]`, "1 or more", length);
  });
  return lengths;
}

/**
 * Reads a `.nii` or `.nii.gz` file. Values are not scaled: slope and intercept are in the header.
 *
 * @throws IoError; FormatError for a file that is cut, or whose header makes no sense; UnsupportedError for bits and 128-bit floats
 */
export function readNifti(path: string): NiftiVolume {
  const stored = readWhole(path);
  const compressed = isCompressed(stored);
  const finishFlush = constants.Z_SYNC_FLUSH;
  const head = compressed ? inflate(path, stored.subarray(0, HEAD_BYTES), { finishFlush }) : stored;
  const header = headerOf(path, head.subarray(0, HEAD_BYTES));
  const lengths = dimensionsOf(path, header);
  const [kind, perVoxel] = KINDS.get(header.datatypeCode) ?? [];
  if (kind === undefined) {
    const feature = `NIfTI data type ${header.datatypeCode}`;
    throw new UnsupportedError("BLOSC2_UNSUPPORTED", `${path}: ${feature} is not taken`, { feature, path });
  }
  const dtype = parseDType(`${header.littleEndian ? "<" : ">"}${kind}`);
  const shape = [...lengths.reverse(), ...(perVoxel === undefined ? [] : [perVoxel])];
  const begin = header.vox_offset;
  if (!Number.isSafeInteger(begin) || begin < 0) throw invalid(path, "vox_offset", "a position", begin);
  const end = begin + shape.reduce((n, m) => n * m, dtype.itemsize);
  // A stream of zeros can be as long as it likes: no more is taken than the header tells of.
  const whole = compressed ? inflateTo(path, stored, end) : stored;
  if (whole.byteLength < end) throw invalid(path, "length", `${end} bytes or more`, whole.byteLength);
  return { shape, dtype, bytes: whole.subarray(begin, end), header };
}

function inflateTo(path: string, stored: Uint8Array, end: number): Uint8Array {
  const spare = 1 << 20;
  return inflate(path, stored, { maxOutputLength: Math.max(1, end + spare) });
}
