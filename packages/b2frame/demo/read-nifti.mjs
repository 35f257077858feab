/**
 * Reads the items of a gzipped NIfTI-1 file: the part of the format that the demo's volume needs.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const HEADER_BYTES = 348;
const INT16 = 4;

/**
 * @param {boolean} holds
 * @param {string} what
 */
function expect(holds, what) {
  if (!holds) throw new Error(`the volume's NIfTI-1 header is not as expected: ${what}`);
}

/**
 * @param {string} path
 * @returns {{ shape: number[], data: Int16Array, millimetres: number[], seconds: number }} shape and items in C order: time,
 * then z, y, x
 */
export function readNifti(path) {
  const bytes = gunzipSync(readFileSync(path));
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  expect(header.getInt32(0, true) === HEADER_BYTES, "sizeof_hdr");
  expect(bytes.toString("latin1", 344, 347) === "n+1", "magic");
  expect(header.getInt16(40, true) === 4, "dim[0]");
  expect(header.getInt16(70, true) === INT16, "datatype");
  // The file counts x first, which varies fastest: in C order that is the last dimension.
  const shape = [48, 46, 44, 42].map((offset) => header.getInt16(offset, true));
  const pixdim = [92, 88, 84, 80].map((offset) => header.getFloat32(offset, true));
  const position = header.getFloat32(108, true);
  const itemCount = shape.reduce((count, n) => count * n, 1);
  expect(Number.isInteger(position) && bytes.byteLength === position + 2 * itemCount, "vox_offset");
  const data = new Int16Array(bytes.buffer.slice(bytes.byteOffset + position, bytes.byteOffset + bytes.byteLength));
  return { shape, data, seconds: pixdim[0], millimetres: pixdim.slice(1) };
}
