import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ArrayInput,
  asarray,
  type DimIndex,
  type IntegerArray,
  isBlosc2Error,
  NDBuffer,
  parseDType,
} from "../../src/index.js";

const SIZE = 8;
const items = Array.from({ length: SIZE }, (_, i) => i * 11);

function make() {
  return asarray(Int32Array.from(items), { chunks: [3], blocks: [2] });
}

function values(buffer: NDBuffer): number[] {
  return Array.from(buffer.data as ArrayLike<number | bigint>, Number);
}

const TYPED: readonly ((positions: number[]) => IntegerArray)[] = [
  (p) => Int8Array.from(p),
  (p) => Int16Array.from(p),
  (p) => Int32Array.from(p),
  (p) => BigInt64Array.from(p, BigInt),
  (p) => Uint8Array.from(p, (at) => (at + SIZE) % SIZE),
  (p) => Uint16Array.from(p, (at) => (at + SIZE) % SIZE),
  (p) => Uint32Array.from(p, (at) => (at + SIZE) % SIZE),
  (p) => BigUint64Array.from(p, (at) => BigInt((at + SIZE) % SIZE)),
];

const positionLists = fc.array(fc.integer({ min: -SIZE, max: SIZE - 1 }), { maxLength: 12 });

describe("positions", () => {
  it("may come as any array of integers, and select what a list of numbers selects", () => {
    fc.assert(
      fc.property(positionLists, fc.constantFrom(...TYPED), (positions, convert) => {
        const expected = positions.map((at) => items.at(at));
        const array = make();
        expect(values(array.get([convert(positions)]))).toEqual(expected);
        expect(values(array.get([positions.map(BigInt)]))).toEqual(expected);
        const int64 = new NDBuffer(
          parseDType("<i8"),
          [positions.length],
          new Uint8Array(BigInt64Array.from(positions, BigInt).buffer),
        );
        expect(values(array.get([int64]))).toEqual(expected);
      }),
    );
  });

  it("write to themselves only", () => {
    fc.assert(
      fc.property(positionLists, fc.constantFrom(...TYPED), (positions, convert) => {
        const array = make();
        array.set([convert(positions)], -1);
        const changed = new Set(positions.map((at) => (at + SIZE) % SIZE));
        expect(values(array.get())).toEqual(items.map((item, i) => (changed.has(i) ? -1 : item)));
      }),
    );
  });

  it("out of range are refused, bigints of any size included", () => {
    for (const part of [[SIZE], [-SIZE - 1], Int8Array.of(SIZE), [2n ** 64n], SIZE, -9n, 2n ** 70n] as DimIndex[]) {
      expect(codeOf(() => make().get([part]))).toBe("BLOSC2_ARGUMENT_OUT_OF_RANGE");
    }
  });
});

describe("masks", () => {
  it("select where they are true", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: SIZE, maxLength: SIZE }), (mask) => {
        const expected = items.filter((_, i) => mask[i]);
        const array = make();
        const buffer = new NDBuffer(parseDType("bool"), [SIZE], Uint8Array.from(mask, Number));
        expect(values(array.get([mask]))).toEqual(expected);
        expect(values(array.get([buffer]))).toEqual(expected);
        array.set([mask], -1);
        expect(values(array.get())).toEqual(items.map((item, i) => (mask[i] ? -1 : item)));
      }),
    );
  });

  it("of another length, or mixed with numbers, are refused", () => {
    for (const part of [[true], Array(SIZE + 1).fill(false), [true, 0, 1, 1, 1, 1, 1, 1], [0, true]]) {
      expect(messageOf(() => make().get([part as never]))).toMatch(/dimension 0/);
    }
  });
});

it("bigints are integers in slices, too", () => {
  const array = make();
  expect(values(array.get([{ start: 2n, stop: -1n, step: 2n }]))).toEqual([22, 44, 66]);
  expect(values(array.getSlice([2n], [4n]))).toEqual([22, 33]);
  expect(array.get([3n]).shape).toEqual([]);
});

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (isBlosc2Error(error)) return error.code;
    throw error;
  }
  return "no error";
}

function messageOf(action: () => unknown): string {
  expect(codeOf(action)).toBe("BLOSC2_ARGUMENT_INVALID");
  try {
    action();
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}

/** Everything that is no index, whatever TypeScript thinks of it. */
const foreign: readonly unknown[] = [
  undefined,
  true,
  false,
  "1",
  "",
  "1:3",
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  () => 1,
  Symbol("x"),
  new Date(0),
  new Map([[0, 1]]),
  new Set([1]),
  { from: 1, to: 2 },
  { start: 1, end: 2 },
  { start: "1" },
  { stop: 1.5 },
  { step: 0 },
  { 0: 1, length: 1 },
  Float32Array.of(1),
  Float64Array.of(1),
  new ArrayBuffer(8),
  new DataView(new ArrayBuffer(8)),
  ["1"],
  [null],
  [undefined],
  [[1]],
  [1.5],
  // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
  [, 1],
  new NDBuffer(parseDType("<f8"), [1], new Uint8Array(8)),
  new NDBuffer(parseDType("<i4"), [1, 1], new Uint8Array(4)),
];

describe("what is no index", () => {
  it.each(foreign.map((part, i) => [i, part]))("reads and writes nothing: example %i", (_, part) => {
    const array = asarray(Int32Array.from([...items, ...items]), { shape: [2, SIZE] });
    const attempts: (() => unknown)[] = [
      () => array.get([0, part as never]),
      () => array.set([0, part as never], -1),
      () => array.set([null, part as never], new Int32Array(2 * SIZE)),
    ];
    for (const attempt of attempts) expect(messageOf(attempt)).toMatch(/dimension 1/);
    expect(values(array.get())).toEqual([...items, ...items]);
  });

  it.each([3, 3n, "3", true, { start: 1 }, Int32Array.of(1), new Map(), () => [1], null].map((index) => [index]))(
    "as a whole is refused, with an example of one: %s",
    (index) => {
      const array = make();
      expect(messageOf(() => array.get(index as never))).toMatch(/index: expected a list .*\[3, null\]/);
      expect(messageOf(() => array.set(index as never, 7))).toMatch(/index: expected a list/);
      expect(messageOf(() => array.getSlice(index as never, [1]))).toMatch(/start: .*getSlice\(\[2\], \[5\]\)/);
      expect(messageOf(() => array.getSlice([0], index as never))).toMatch(/stop: /);
      expect(messageOf(() => array.setSlice([0], index as never, 7 as ArrayInput))).toMatch(/stop: /);
      expect(messageOf(() => array.setSlice([0], [1], 7, index as never))).toMatch(/step: /);
      expect(values(array.get())).toEqual(items);
    },
  );

  it.each([[undefined], ["1"], [true], [1.5], [[1]]])("as a bound of a slice is refused: %s", (bound) => {
    expect(messageOf(() => make().getSlice([bound as never], [2]))).toMatch(/dimension 0/);
    expect(messageOf(() => make().setSlice([0], [bound as never], -1))).toMatch(/dimension 0/);
  });
});
