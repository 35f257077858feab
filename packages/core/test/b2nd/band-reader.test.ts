import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allocate } from "../../src/codec.js";
import { arrayFromCframe, asarray, type DimIndex, nans, zeros } from "../../src/index.js";
import { slicePositions } from "./naive-array.js";

/** Bytes that differ from place to place. */
function content(byteLength: number): Uint8Array {
  return Uint8Array.from({ length: byteLength }, (_, i) => (i * 37 + (i >> 8) * 11 + (i >> 16)) & 0xff);
}

/** The items at the product of positions, by a loop over the items. */
function take(
  bytes: Uint8Array,
  shape: readonly number[],
  itemsize: number,
  positions: readonly number[][],
): Uint8Array {
  const count = positions.reduce((n, list) => n * list.length, 1);
  const out = new Uint8Array(count * itemsize);
  for (let i = 0; i < count; i++) {
    let at = 0;
    let rest = i;
    let stride = 1;
    for (let dim = shape.length - 1; dim >= 0; dim--) {
      const list = positions[dim] as number[];
      at += (list[rest % list.length] as number) * stride;
      rest = Math.floor(rest / list.length);
      stride *= shape[dim] as number;
    }
    out.set(bytes.subarray(at * itemsize, (at + 1) * itemsize), i * itemsize);
  }
  return out;
}

const ENGINES = ["kernels", "portable"] as const;
const allocated = allocate(2 ** 25);

/** Reads by both engines, into new memory, into memory that holds something else, and into such memory of the kernels. */
function expectRead(cframe: Uint8Array, index: readonly DimIndex[], expected: Uint8Array): void {
  for (const engine of ENGINES) {
    const array = arrayFromCframe(cframe, { engine });
    expect(Buffer.compare(array.get(index).bytes, expected)).toBe(0);
    for (const target of [new Uint8Array(expected.byteLength + 3), allocated.subarray(0, expected.byteLength + 3)]) {
      target.fill(0xa5);
      array.get(index, { target: target.subarray(2, -1) });
      expect(Buffer.compare(target.subarray(2, -1), expected)).toBe(0);
      expect([target[0], target[1], target.at(-1)]).toEqual([0xa5, 0xa5, 0xa5]);
    }
  }
}

/** Shapes of `ndim` dimensions with some 2,000 to 10,000 items. */
const geometry = fc.integer({ min: 1, max: 8 }).chain((ndim) => {
  const most = Math.ceil(6000 ** (1 / ndim)) + 1;
  return fc.array(
    fc.record({
      size: fc.integer({ min: Math.max(1, Math.floor(most / 2)), max: most }),
      chunk: fc.integer({ min: 1, max: most }),
      block: fc.integer({ min: 1, max: most }),
      start: fc.option(fc.integer({ min: -3, max: 3 }), { nil: null }),
      stop: fc.option(fc.integer({ min: -2, max: -1 }), { nil: null }),
      step: fc.constantFrom(1, 1, 1, 2, 3, -1, -2),
    }),
    { minLength: ndim, maxLength: ndim },
  );
});

describe("reading rows that are short in each block", () => {
  it("gives what a loop over the items gives, by both engines: 1 to 8 dimensions, steps, any item, edge blocks", () => {
    fc.assert(
      fc.property(geometry, fc.constantFrom(1, 2, 3, 4, 8, 12, 16, 33), (dims, itemsize) => {
        const shape = dims.map(({ size }) => size);
        const chunkShape = dims.map(({ chunk, size }) => Math.min(chunk, size));
        const count = shape.reduce((a, b) => a * b, 1);
        const nchunks = shape.reduce((n, size, i) => n * Math.ceil(size / (chunkShape[i] as number)), 1);
        fc.pre(nchunks <= 300);
        const bytes = content(count * itemsize);
        const array = asarray(bytes, {
          shape,
          dtype: `|V${itemsize}`,
          chunks: chunkShape,
          blocks: dims.map(({ block }, i) => Math.min(block, chunkShape[i] as number)),
          cparams: { codec: "lz4" },
        });
        const positions = dims.map(({ size, start, stop, step }) => slicePositions(size, start, stop, step));
        expectRead(
          array.toCframe(),
          dims.map(({ start, stop, step }) => ({ start, stop, step })),
          take(bytes, shape, itemsize, positions),
        );
      }),
      { numRuns: 60 },
    );
  });

  it.each([1, 3, -1, -2])("wider than a band, at step %i", (step) => {
    // 512 rows of 3,000 bytes in blocks 7 bytes wide are 1.5 MB.
    const shape = [512, 3000];
    const bytes = content(512 * 3000);
    const array = asarray(bytes, {
      shape,
      chunks: [512, 70],
      blocks: [512, 7],
      dtype: "uint8",
      cparams: { codec: "lz4" },
    });
    const positions = [slicePositions(512, null, null, 1), slicePositions(3000, null, null, step)];
    expectRead(array.toCframe(), [null, { step }], take(bytes, shape, 1, positions));
  });

  it("where chunks are zeros, NaN or data by turns", () => {
    const shape = [40, 60];
    const geometryOf = { chunks: [10, 12], blocks: [5, 4], dtype: "float32" } as const;
    for (const [make, background] of [
      [zeros, 0],
      [nans, Number.NaN],
    ] as const) {
      const array = make(shape, geometryOf);
      const model = new Float32Array(40 * 60).fill(background);
      for (const [row, column] of [
        [3, 20],
        [15, 59],
        [25, 0],
        [26, 40],
        [39, 30],
      ] as const) {
        array.set([row, column], 7);
        model[row * 60 + column] = 7;
      }
      expectRead(array.toCframe(), [], new Uint8Array(model.buffer));
    }
  });
});
