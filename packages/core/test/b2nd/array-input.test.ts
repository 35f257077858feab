import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ArrayInput,
  asarray,
  full,
  isBlosc2Error,
  NDBuffer,
  type NestedArray,
  parseDType,
  zeros,
} from "../../src/index.js";

const NAMED: unknown = expect.objectContaining({ code: "BLOSC2_ARGUMENT_INVALID" });

function stored(dtype: string, shape: readonly number[], data: unknown): NestedArray {
  const array = zeros(shape, { dtype });
  array.set([], data as ArrayInput);
  return array.get([]).toNestedArray();
}

function buffer(dtype: string, values: unknown): NDBuffer {
  return asarray(values as ArrayInput, { dtype }).get([]);
}

const COUNTED = "[('a', '<i2'), ('b', '<f8')]";

// Right values: numpy.zeros(n, dtype)[...] = values, in NumPy 2.4.
describe("data of another dtype", () => {
  it.each([
    [
      "<f8",
      "<c16",
      [1, 2],
      [
        [1, 0],
        [2, 0],
      ],
    ],
    ["<i4", "<f2", [1, -2048], [1, -2048]],
    [">i4", "<i8", [1, -2], [1n, -2n]],
    ["|b1", "<f4", [true, false], [1, 0]],
    ["<f8", "|b1", [Number.NaN, -0], [true, false]],
    [
      "<c16",
      "<c8",
      [
        [1, 2],
        [3, 4],
      ],
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ["<M8[ns]", "<M8[us]", [1000n, -1n], [1n, -1n]],
    ["<m8[s]", ">m8[ms]", [1n, -2n], [1000n, -2000n]],
    ["|S3", "<U5", ["abc", "d"], ["abc", "d"]],
    ["<U5", "|S3", ["abc", "d"], ["abc", "d"]],
    ["<U2", ">U4", ["日本", "é"], ["日本", "é"]],
    [
      COUNTED,
      "[('a', '<f4'), ('b', '>f8')]",
      [
        { a: 1, b: 2 },
        { a: 3, b: 0.5 },
      ],
      [
        { a: 1, b: 2 },
        { a: 3, b: 0.5 },
      ],
    ],
    [
      COUNTED,
      "{'names': ['a', 'b'], 'formats': ['<i2', '<f8'], 'offsets': [0, 8], 'itemsize': 16}",
      [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ],
      [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ],
    ],
  ])("%s goes into %s by its values, in set, append, insert and asarray", (from, to, values, expected) => {
    const data = buffer(from, values);
    using source = asarray(data);
    for (const input of [data, source]) {
      expect(stored(to, [2], input)).toEqual(expected);
      expect(asarray(input, { dtype: to }).get([]).toNestedArray()).toEqual(expected);
      for (const grow of [
        (a: typeof source, d: ArrayInput) => a.append(d),
        (a: typeof source, d: ArrayInput) => a.insert(0, d),
      ]) {
        using array = zeros([0], { dtype: to, chunks: [4], blocks: [2] });
        grow(array, input);
        expect(array.get([]).toNestedArray()).toEqual(expected);
      }
    }
  });

  it.each([
    ["<c16", "<f8", [[1, 2]]],
    ["|V8", "<f8", [new Uint8Array(8)]],
    ["<f8", "|V8", [1]],
    ["|V8", "|V4", [new Uint8Array(8)]],
    ["<i8", "|S8", [1n]],
    ["|S8", "<i8", ["1"]],
    ["<M8[s]", "<i8", [1n]],
    ["<m8[s]", "<M8[s]", [1n]],
    ["<m8[M]", "<m8[D]", [1n]],
    ["<f8", "<M8[s]", [1]],
    ["<M8[Y]", "<M8[ns]", [2n ** 40n]],
    ["<u8", "<i8", [2n ** 63n]],
    ["<f8", "<i4", [1.5]],
    ["<U2", "|S2", ["é"]],
    ["<U4", "<U2", ["abc"]],
    [COUNTED, "[('b', '<f8'), ('a', '<i2')]", [{ a: 1, b: 2 }]],
    [COUNTED, "[('x', '<i2'), ('y', '<f8')]", [{ a: 1, b: 2 }]],
    [COUNTED, "|V10", [{ a: 1, b: 2 }]],
  ])("%s is refused by %s, and nothing is changed", (from, to, values) => {
    const data = buffer(from, values);
    using array = zeros([1], { dtype: to });
    const before = array.get([]).bytes;
    expect(() => array.set([], data)).toThrow(NAMED);
    expect(() => array.append(data)).toThrow(NAMED);
    expect(() => asarray(data, { dtype: to })).toThrow(NAMED);
    expect(array.shape).toEqual([1]);
    expect(array.get([]).bytes).toEqual(before);
  });

  // numpy.array([value], "M8[from]").astype("M8[to]").astype("i8")
  it.each([
    ["3D", "2M", 93959n, 4630n],
    ["25s", "Y", -53180988869n, -42131n],
    ["ms", "W", -99432029832n, -165n],
    ["Y", "D", 392n, 143175n],
    ["W", "2M", -199n, -23n],
    ["h", "M", -13007n, -18n],
    ["2M", "m", -333n, -29193120n],
    ["Y", "25s", -367n, -463256064n],
    ["M", "D", -396n, -12053n],
    ["ms", "M", 1709164800000n, 649n],
    ["ms", "D", -(2n ** 63n), -(2n ** 63n)],
  ])("a time in %s is one in %s", (from, to, value, expected) => {
    expect(stored(`<M8[${to}]`, [1], buffer(`<M8[${from}]`, [value]))).toEqual([expected]);
  });

  it("keeps every integer that both hold, and refuses every other by its place", () => {
    const kinds = ["|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8"] as const;
    const limits = (dtype: string): [bigint, bigint] => {
      const bits = 8n * BigInt(dtype.charAt(2));
      return dtype.charAt(1) === "u" ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
    };
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.constantFrom(...kinds),
        fc.bigInt(-(2n ** 63n), 2n ** 64n - 1n),
        (a, b, n) => {
          const [least, most] = limits(a);
          fc.pre(n >= least && n <= most);
          const [min, max] = limits(b);
          const run = (): NestedArray => stored(b, [2], buffer(a, [0n, n]));
          if (n >= min && n <= max) expect(run().map(BigInt as never)).toEqual([0n, n]);
          else expect(run).toThrow(/^data\[1\]: expected an integer/);
        },
      ),
    );
  });
});

describe("values", () => {
  it.each([
    ["<U2", ["ab", "日"], ["ab", "日"]],
    ["|S2", ["ab", Uint8Array.of(255)], ["ab", "ÿ"]],
    ["<M8[s]", [new Date(1999), new Date(Number.NaN)], [1n, -(2n ** 63n)]],
    ["<M8[D]", [new Date(-1), 5], [-1n, 5n]],
    [
      "<c16",
      [{ re: 1, im: 2 }, 3],
      [
        [1, 2],
        [3, 0],
      ],
    ],
    [
      "<c8",
      [
        [1, 2],
        [3, 4],
      ],
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ["|b1", [Number.NaN, 0], [true, false]],
    [
      COUNTED,
      [
        { a: 1, b: 2 },
        { b: 4, a: 3 },
      ],
      [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ],
    ],
    [
      "[('p', [('x', '|S1')]), ('q', '<i2', (2, 1))]",
      [
        { p: { x: "a" }, q: [[1], [2]] },
        { p: { x: "" }, q: [[3], [4]] },
      ],
      [
        { p: { x: "a" }, q: [[1], [2]] },
        { p: { x: "" }, q: [[3], [4]] },
      ],
    ],
    ["|V2", [Uint8Array.of(1, 2), Uint8Array.of(3, 4)], [Uint8Array.of(1, 2), Uint8Array.of(3, 4)]],
  ])("of dtype %s are what they were", (dtype, values, expected) => {
    expect(stored(dtype, [2], values)).toEqual(expected);
    expect(
      asarray(values as ArrayInput, { dtype })
        .get([])
        .toNestedArray(),
    ).toEqual(expected);
    const first = values[0] as Parameters<typeof full>[1];
    expect(full([3], first, { dtype }).get([2]).toNestedArray()).toEqual([expected[0]]);
  });

  it("have the dtype that NumPy finds for them", () => {
    const dtypeOf = (values: unknown): string => asarray(values as ArrayInput).dtype.str;
    expect(dtypeOf(["a", "日本語"])).toBe("<U3");
    expect(dtypeOf("hello")).toBe("<U5");
    expect(dtypeOf([new Date()])).toBe("<M8[ms]");
    expect(dtypeOf([{ re: 1, im: 2 }, 1])).toBe("<c16");
    expect(dtypeOf([true, 2])).toBe("<f8");
    expect(dtypeOf([true, 2n])).toBe("<i8");
    expect(dtypeOf([1, 2n ** 63n])).toBe("<u8");
    expect(dtypeOf([Float32Array.of(1, 2)])).toBe("<f8");
    expect(asarray(["ab", "c"], { dtype: "bytes" }).dtype.str).toBe("|S2");
  });

  const WRONG: readonly unknown[] = [
    undefined,
    null,
    () => 1,
    Symbol("s"),
    {},
    new Map(),
    new Set([1]),
    Promise.resolve(1),
    /x/,
    new Error("x"),
    new WeakMap(),
    Object.create(null),
  ];
  const DTYPES = ["|b1", "<i4", "<i8", "<f4", "<c16", "|S3", "<U3", "<M8[s]", "<m8", "|V3", COUNTED];

  it.each(DTYPES)("that are none for %s are refused by name, alone and in lists", (dtype) => {
    for (const wrong of WRONG) {
      using array = zeros([2], { dtype });
      for (const data of [wrong, [wrong, wrong], [[wrong]]]) {
        expect(() => array.set([], data as ArrayInput)).toThrow(NAMED);
        expect(() => array.append(data as ArrayInput)).toThrow(NAMED);
        expect(() => asarray(data as ArrayInput, { dtype })).toThrow(NAMED);
        expect(() => full([2], data as never, { dtype })).toThrow(NAMED);
      }
    }
  });

  it("of any kind for any dtype are stored or refused by name", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...DTYPES),
        fc.oneof(
          fc.anything({ withBigInt: true, withTypedArray: true, withDate: true, withSparseArray: true }),
          fc.array(fc.anything()),
        ),
        (dtype, data) => {
          try {
            stored(dtype, [2], data);
          } catch (error) {
            if (!isBlosc2Error(error)) throw error;
          }
          try {
            asarray(data as ArrayInput);
          } catch (error) {
            if (!isBlosc2Error(error)) throw error;
          }
        },
      ),
    );
  });

  it("that are refused are named by their place", () => {
    const place = (dtype: string, data: unknown): unknown => {
      try {
        return stored(dtype, [2, 2], data);
      } catch (error) {
        return (error as { details: { position: unknown } }).details.position;
      }
    };
    expect(place("<f8", [[1, 2], new Array(2)])).toBe("data[1][0]");
    expect(
      place("<f8", [
        [1, 2],
        [3, "4"],
      ]),
    ).toBe("data[1][1]");
    expect(
      place(COUNTED, [
        [
          { a: 1, b: 2 },
          { a: 1, b: "x" },
        ],
        [1, 2],
      ]),
    ).toBe("data[0][1].b");
  });

  it("that may be one complex value or two real ones are refused, and real ones are taken where they can only be that", () => {
    expect(() => stored("<c16", [2], [1, 2])).toThrow(/may be pairs or real numbers/);
    expect(() =>
      stored(
        "<c16",
        [2, 2],
        [
          [1, 2],
          [3, 4],
        ],
      ),
    ).toThrow(/may be pairs or real numbers/);
    expect(() => asarray([1, 2], { dtype: "<c16" })).toThrow(NAMED);
    expect(stored("<c16", [3], [1, 2, 3])).toEqual([
      [1, 0],
      [2, 0],
      [3, 0],
    ]);
    expect(stored("<c16", [3], [1, 2])).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
    expect(() => stored("<c16", [2], Int32Array.of(1, 2))).toThrow(NAMED);
    expect(() => stored("<c16", [2], Float64Array.of(1, 2))).toThrow(NAMED);
  });

  it("of another number than the selection has are refused", () => {
    const item = new Uint8Array(8);
    for (const data of [
      item.buffer,
      new DataView(item.buffer),
      new SharedArrayBuffer(8),
      new Float64Array(1),
      new NDBuffer(parseDType("<f8"), [3], new Uint8Array(24)),
      [1, 2, 3],
    ]) {
      expect(() => stored("<f8", [2], data)).toThrow(NAMED);
    }
    using table = zeros([1, 2, 3]);
    expect(() => table.append(new NDBuffer(parseDType("<f8"), [3, 2], new Uint8Array(48)))).toThrow(NAMED);
  });

  it("in shared memory are taken as those in other memory", () => {
    const shared = new SharedArrayBuffer(16);
    new Float64Array(shared).set([1, 2]);
    expect(stored("<f8", [2], shared)).toEqual([1, 2]);
  });

  it("go with a shape and a dtype that are none into an error that names these", () => {
    for (const shape of [5, undefined, null, "ab", {}, [-1], [1.5], [Number.NaN]])
      expect(() => zeros(shape as never)).toThrow(expect.toSatisfy((e: unknown) => isBlosc2Error(e)));
    for (const dtype of [Float32Array, 5, {}, "U0", "str"])
      expect(() => zeros([2], { dtype: dtype as never })).toThrow(expect.toSatisfy((e: unknown) => isBlosc2Error(e)));
  });
});
