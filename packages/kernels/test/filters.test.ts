import { noise } from "@b2frame/test-kit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KERNEL_ERRORS } from "../src/index.js";
import { typesizeAndBytes, typesizes } from "./arbitraries.js";
import { expectSame } from "./expect-bytes.js";
import { GuardedMemory } from "./guarded-memory.js";
import { bitshuffleModel, bytedeltaModel, deltaModel, shuffleModel, truncateModel } from "./models/filter-model.js";

const memory = new GuardedMemory();
const k = memory.kernels.exports;
type Call = (typesize: number, length: number, source: number, target: number) => void;

function apply(call: Call, typesize: number, source: Uint8Array): Uint8Array {
  memory.reset();
  const from = memory.input(source);
  const to = memory.output(source.length);
  memory.run(() => call(typesize, source.length, from, to));
  return memory.bytes(to, source.length);
}

function applyDelta(
  call: typeof k.deltaForward,
  typesize: number,
  source: Uint8Array,
  reference?: Uint8Array,
): Uint8Array {
  memory.reset();
  const from = memory.input(source);
  const ref = reference === undefined ? 0 : memory.input(reference);
  const to = memory.output(source.length);
  memory.run(() => call(typesize, source.length, from, ref, to));
  return memory.bytes(to, source.length);
}

describe("shuffle", () => {
  test("equals the model for every typesize and remainder, and comes back", () => {
    fc.assert(
      fc.property(typesizeAndBytes, ([typesize, source]) => {
        const shuffled = apply(k.shuffle, typesize, source);
        expectSame(shuffled, shuffleModel(typesize, source));
        expectSame(apply(k.unshuffle, typesize, shuffled), source);
      }),
      { numRuns: 400 },
    );
  });

  test.each(typesizes)("every length of a few items of %i bytes", (typesize) => {
    const source = noise(typesize * 35, typesize);
    for (let length = 0; length < source.length; length += Math.max(1, typesize >> 3)) {
      const part = source.subarray(0, length);
      const shuffled = apply(k.shuffle, typesize, part);
      expectSame(shuffled, shuffleModel(typesize, part));
      expectSame(apply(k.unshuffle, typesize, shuffled), part);
    }
  });

  test("any range of items can be unshuffled from planes that lie anywhere", () => {
    fc.assert(
      fc.property(typesizeAndBytes, fc.nat(), fc.nat(), ([typesize, source], a, b) => {
        const count = Math.floor(source.length / typesize);
        const first = Math.min(a, b) % (count + 1);
        const last = first + (Math.max(a, b) % (count - first + 1));
        const shuffled = shuffleModel(typesize, source);
        memory.reset();
        const table = new DataView(memory.kernels.bytes.buffer);
        for (let j = 0; j < typesize; j++) {
          const plane = memory.input(shuffled.subarray(j * count, (j + 1) * count));
          table.setUint32(k.streamTable() + 4 * j, plane, true);
        }
        const wanted = (last - first) * typesize;
        const to = memory.output(wanted);
        memory.run(() => k.unshuffleStreams(k.streamTable(), typesize, first, last - first, to));
        expectSame(memory.bytes(to, wanted), source.slice(first * typesize, last * typesize));
      }),
    );
  });
});

describe("bitshuffle", () => {
  test("equals the model for every typesize and remainder, and comes back", () => {
    fc.assert(
      fc.property(typesizeAndBytes, ([typesize, source]) => {
        const shuffled = apply(k.bitshuffle, typesize, source);
        expectSame(shuffled, bitshuffleModel(typesize, source));
        expectSame(apply(k.unbitshuffle, typesize, shuffled), source);
      }),
      { numRuns: 300 },
    );
  });

  test("typesize 8, lengths around a multiple of 64", () => {
    const source = noise(4096 + 72, 8);
    for (let length = 4095; length <= source.length; length++) {
      const part = source.subarray(0, length);
      const shuffled = apply(k.bitshuffle, 8, part);
      expectSame(shuffled, bitshuffleModel(8, part));
      expectSame(apply(k.unbitshuffle, 8, shuffled), part.slice());
    }
  });
});

describe("delta", () => {
  test("block 0 and other blocks equal the model, and come back", () => {
    fc.assert(
      fc.property(typesizeAndBytes, fc.boolean(), fc.integer(), ([typesize, source], isFirst, seed) => {
        const reference = isFirst ? undefined : noise(source.length, seed);
        const filtered = applyDelta(k.deltaForward, typesize, source, reference);
        expectSame(filtered, deltaModel(typesize, source, reference));
        expectSame(applyDelta(k.deltaBackward, typesize, filtered, reference), source);
      }),
      { numRuns: 300 },
    );
  });
});

describe("bytedelta", () => {
  test("equals the model for every typesize and remainder, and comes back", () => {
    fc.assert(
      fc.property(typesizeAndBytes, ([typesize, source]) => {
        const filtered = apply(k.bytedeltaForward, typesize, source);
        expectSame(filtered, bytedeltaModel(typesize, source));
        expectSame(apply(k.bytedeltaBackward, typesize, filtered), source);
      }),
      { numRuns: 300 },
    );
  });

  test("200 bytes as elements of 7 keep their last 4 bytes", () => {
    const source = noise(200, 7);
    expectSame(apply(k.bytedeltaForward, 7, source).slice(196), source.slice(196));
  });

  test("more elements than bytes pass through", () => {
    const source = noise(200, 9);
    expectSame(apply(k.bytedeltaForward, 300, source), source);
  });
});

describe("precision truncation", () => {
  function truncate(call: typeof k.truncPrec, typesize: number, meta: number, source: Uint8Array): Uint8Array | number {
    memory.reset();
    const from = memory.input(source);
    const to = memory.output(source.length);
    const status = memory.run(() => call(typesize, meta & 0xff, source.length, from, to));
    return status === 0 ? memory.bytes(to, source.length) : status;
  }

  test.each([
    [4, 23],
    [8, 52],
  ])("trunc_prec of %i-byte floats clears mantissa bits for every meta", (typesize, mantissa) => {
    const source = noise(typesize * 9 + 3, typesize);
    for (let precision = -128; precision < 128; precision++) {
      const zeroed = precision >= 0 ? mantissa - precision : -precision;
      const expected =
        zeroed >= 0 && zeroed < mantissa ? truncateModel(typesize, zeroed, source) : KERNEL_ERRORS.FILTER_META_INVALID;
      expectSame(truncate(k.truncPrec, typesize, precision, source), expected);
    }
  });

  test.each([1, 2, 4, 8])("int_trunc of %i-byte integers clears low bits for every meta", (typesize) => {
    const source = noise(typesize * 17 + 1, typesize);
    for (let precision = -128; precision < 128; precision++) {
      const zeroed = precision >= 0 ? typesize * 8 - precision : -precision;
      const expected =
        zeroed >= 0 && zeroed < typesize * 8
          ? truncateModel(typesize, zeroed, source)
          : KERNEL_ERRORS.FILTER_META_INVALID;
      expectSame(truncate(k.intTrunc, typesize, precision, source), expected);
    }
  });

  test.each([1, 2, 3, 16])("trunc_prec refuses typesize %i", (typesize) => {
    expect(truncate(k.truncPrec, typesize, 10, new Uint8Array(64))).toBe(KERNEL_ERRORS.FILTER_META_INVALID);
  });
});

test("byte runs are found at every length, and a single other byte at every place breaks them", () => {
  for (let length = 1; length < 70; length++) {
    const bytes = new Uint8Array(length).fill(7);
    memory.reset();
    const at = memory.input(bytes);
    expect(k.isByteRun(at, length)).toBe(1);
    for (let i = 0; i < length && length > 1; i++) {
      memory.kernels.bytes[at + i] = 8;
      expect(k.isByteRun(at, length)).toBe(0);
      memory.kernels.bytes[at + i] = 7;
    }
  }
});
