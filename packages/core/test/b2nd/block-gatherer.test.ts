import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asarray, zeros } from "../../src/index.js";

/** Extents of a dimension: blocks of `block` items, `perChunk` of them and some more items in a chunk, and an array of some chunks. */
const dimension = fc
  .record({
    block: fc.integer({ min: 1, max: 5 }),
    perChunk: fc.integer({ min: 1, max: 3 }),
    more: fc.integer({ min: 0, max: 2 }),
    size: fc.integer({ min: 1, max: 20 }),
    start: fc.integer({ min: 0, max: 3 }),
    step: fc.constantFrom(1, 1, 1, 2, -1),
  })
  .map((d) => ({ ...d, chunk: d.block * d.perChunk + Math.min(d.more, d.block - 1) }));

describe("writing blocks whose rows are short", () => {
  it("stores the same content and padding by both engines, whole and in part, and gives it back", () => {
    fc.assert(
      fc.property(
        fc.array(dimension, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(1, 2, 3, 4, 8, 16),
        (dims, itemsize) => {
          const shape = dims.map(({ size }) => size);
          const count = shape.reduce((a, b) => a * b, 1);
          fc.pre(count <= 4000 && dims.reduce((n, { size, chunk }) => n * Math.ceil(size / chunk), 1) <= 200);
          const bytes = Uint8Array.from({ length: count * itemsize }, (_, i) => (i * 29 + (i >> 8) * 7) & 0xff);
          const options = {
            dtype: `|V${itemsize}`,
            chunks: dims.map(({ chunk }) => chunk),
            blocks: dims.map(({ block }) => block),
            cparams: { codec: "lz4" },
          };
          const chunks = (["kernels", "portable"] as const).map((engine) => {
            const whole = asarray(bytes, { ...options, shape, engine });
            expect(Buffer.compare(whole.get().bytes, bytes)).toBe(0);
            const index = dims.map(({ start, step }) => ({ start: step > 0 ? start : null, step }));
            const part = zeros(shape, { ...options, engine });
            const length = whole.select(index).byteLength;
            part.set(index, bytes.subarray(0, length));
            expect(Buffer.compare(part.get(index).bytes, bytes.subarray(0, length))).toBe(0);
            return Buffer.concat([...whole.schunk.iterChunks(), ...part.schunk.iterChunks()]);
          });
          expect(Buffer.compare(chunks[0] as Buffer, chunks[1] as Buffer)).toBe(0);
        },
      ),
      { numRuns: 150 },
    );
  });
});
