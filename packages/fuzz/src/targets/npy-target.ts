/** `.npy` files. @module */
import { asarray, decodeNpy, encodeNpy } from "@b2frame/core";
import { type NamedInput, onlyFile } from "../input.js";
import type { FuzzTarget } from "./target.js";

const MAX_NESTED_BYTES = 20_000;

/** A file as NumPy writes it: the header is padded so that the data begins at a multiple of 64. */
function npyFile(descr: string, shape: string, order: "True" | "False", data: Uint8Array, version = 1): NamedInput {
  const text = `{'descr': ${descr}, 'fortran_order': ${order}, 'shape': ${shape}, }`;
  const lengthBytes = version === 1 ? 2 : 4;
  const before = 8 + lengthBytes;
  const padded = `${text.padEnd(Math.ceil((before + text.length + 1) / 64) * 64 - before - 1)}\n`;
  const length = Buffer.alloc(lengthBytes);
  length.writeUIntLE(padded.length, 0, lengthBytes);
  const head = Buffer.concat([Buffer.from("\x93NUMPY", "latin1"), Buffer.of(version, 0), length]);
  const bytes = new Uint8Array(Buffer.concat([head, Buffer.from(padded, "latin1"), data]));
  return { name: `${descr} ${shape} v${version}`, files: [{ name: "array.npy", bytes }] };
}

const ramp = Uint8Array.from({ length: 96 }, (_, at) => at);

export const npyTarget: FuzzTarget = {
  seeds: () => [
    npyFile("'<f8'", "(3, 4)", "False", ramp),
    npyFile("'<i4'", "(2, 3, 4)", "True", ramp),
    npyFile("'|u1'", "()", "False", ramp.subarray(0, 1)),
    npyFile("'|b1'", "(0, 7)", "False", ramp.subarray(0, 0)),
    npyFile("'>i8'", "(12,)", "False", ramp, 2),
    npyFile("'<f2'", "(48,)", "False", ramp, 3),
    npyFile("'<c16'", "(6,)", "False", ramp),
    npyFile("'|S7'", "(5,)", "False", ramp.subarray(0, 35)),
    npyFile("'<U3'", "(8,)", "False", ramp),
    npyFile("'<M8[ns]'", "(3,)", "False", ramp.subarray(0, 24)),
    npyFile("[('x', '<i4'), ('y', '<f8', (2,))]", "(2,)", "False", ramp.subarray(0, 40)),
    npyFile("[('p', [('a', '|u1'), ('b', '<i2')]), ('q', '|V5')]", "(3,)", "False", ramp.subarray(0, 24)),
  ],
  read(input, options, content) {
    const { bytes } = onlyFile(input);
    content.attempt("content", () => {
      const buffer = decodeNpy(bytes, "array.npy");
      content.attempt("facts", () => `${buffer.shape} of ${buffer.dtype.str}`);
      if (buffer.bytes.byteLength < MAX_NESTED_BYTES) {
        content.attempt("nested", () => {
          buffer.toNestedArray();
          return "done";
        });
        content.attempt("array", () => {
          using array = asarray(buffer, options);
          return encodeNpy(array.getSlice());
        });
      }
      return buffer.bytes;
    });
  },
};
