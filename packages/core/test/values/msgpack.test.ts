import { decode, encode } from "@msgpack/msgpack";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  asarray,
  Complex,
  decodeMsgpack,
  EmbeddedFrame,
  encodeMsgpack,
  isBlosc2Error,
  MsgpackExtension,
  NDBuffer,
  ObjectBuffer,
  parseDType,
  SChunk,
  Tuple,
} from "../../src/index.js";

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "hex"));
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

const RECORD = new NDBuffer(parseDType("[('a', '<i4'), ('b', '<f8')]"), [1], fromHex("010000000000000000000440"));

// msgpack_packb of python-blosc2 4.15 for these values.
const OF_PYTHON: readonly (readonly [string, unknown, string])[] = [
  [
    "(1, 2.5, (3,))",
    Tuple.of<unknown>(1, 2.5, Tuple.of(3)),
    "94a95f5f7475706c655f5f01cb400400000000000092a95f5f7475706c655f5f03",
  ],
  ["[1, [2]]", [1, [2]], "92019102"],
  ["2 ** 40", 2 ** 40, "cf0000010000000000"],
  ["2 ** 63 + 1", 2n ** 63n + 1n, "cf8000000000000001"],
  ["-2 ** 40", -(2 ** 40), "d3ffffff0000000000"],
  ["1 + 2j", new Complex(1, 2), "d82c3ff00000000000004000000000000000"],
  ["{1, 2}", new Set([1, 2]), "c7032d920102"],
  [
    "an array of int16",
    new NDBuffer(parseDType("<i2"), [2, 3], fromHex("000001000200030004000500")),
    "c72c2e83a5647479706581a3737472a33c6932a57368617065920203a464617461c40c000001000200030004000500",
  ],
  ["an array of objects", new ObjectBuffer([2], [1, "a"]), "c7142e82a676616c7565739201a161a573686170659102"],
  [
    "keys of all kinds",
    new Map<unknown, unknown>([
      [fromHex("6b"), 1],
      [2 ** 40, "a"],
      [null, 1],
      [true, 2],
      [Tuple.of(1, 2), 3],
    ]),
    "85c4016b01cf0000010000000000a161c001c30293a95f5f7475706c655f5f010203",
  ],
  [
    "a dict of type and data",
    { type: "png", data: fromHex("89504e47"), width: 3 },
    "83a474797065a3706e67a464617461c40489504e47a5776964746803",
  ],
  ["text", "日本", "a6e697a5e69cac"],
];

describe("msgpack", () => {
  it.each(OF_PYTHON)("of %s is what python-blosc2 writes, in both directions", (_, value, hex) => {
    expect(toHex(encodeMsgpack(value))).toBe(hex);
    expect(decodeMsgpack(fromHex(hex))).toStrictEqual(value);
  });

  it("of an array of records is read with Python's tuples, and written for it", () => {
    const hex =
      "c74c2e83a5647479706581a564657363729293a95f5f7475706c655f5fa161a33c693493a95f5f7475706c655f5fa162a33c6638a573686170659101a464617461c40c010000000000000000000440";
    expect(decodeMsgpack(fromHex(hex))).toStrictEqual(RECORD);
    expect(decodeMsgpack(encodeMsgpack(RECORD))).toStrictEqual(RECORD);
  });

  it("keeps integers integers, as numbers up to 2^53 and as bigints beyond", () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 63n), 2n ** 64n - 1n), (n) => {
        const isSafe = BigInt.asIntN(54, n) === n && n !== -(2n ** 53n);
        const expected = isSafe ? Number(n) : n;
        expect(decodeMsgpack(encodeMsgpack(n))).toBe(expected);
        expect(decodeMsgpack(encodeMsgpack(expected))).toBe(expected);
        expect(decode(encodeMsgpack(n), { useBigInt64: true })).toBe(
          n > 0xffffffffn || n < -0x80000000n ? n : Number(n),
        );
      }),
    );
    expect(toHex(encodeMsgpack(5e9))).toBe("cf000000012a05f200");
    for (const float of [-0, 0.5, 2 ** 53, 1e300, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(encodeMsgpack(float)[0]).toBe(0xcb);
      expect(decodeMsgpack(encodeMsgpack(float))).toBe(float);
    }
  });

  it("agrees with another library on JSON values, bytes and times, of any length", () => {
    const long = fc.constantFrom(0, 15, 16, 31, 32, 255, 256, 65535, 65536);
    fc.assert(
      fc.property(
        // Text has no negative zero, of which libraries make different things; the other one refuses the key `__proto__`.
        fc
          .jsonValue()
          .map((value) => JSON.stringify(value))
          .filter((text) => !text.includes("__proto__"))
          .map((text) => JSON.parse(text)),
        fc.date({ noInvalidDate: true }),
        fc.uint8Array(),
        long,
        (json, date, bytes, length) => {
          const value = {
            json,
            date,
            bytes,
            list: new Array(length).fill(0),
            text: "x".repeat(length),
            more: new Uint8Array(length),
          };
          expect(decode(encodeMsgpack(value))).toEqual(decode(encode(value)));
          expect(decodeMsgpack(encode(value))).toEqual(decode(encode(value)));
        },
      ),
      { numRuns: 50 },
    );
  });

  it("takes __proto__ for a key like any other", () => {
    const value: unknown = JSON.parse('{"__proto__": {"polluted": 1}}');
    const back = decodeMsgpack(encodeMsgpack(value)) as object;
    expect(Object.entries(back)).toEqual([["__proto__", { polluted: 1 }]]);
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
  });

  it("gives back what it was given, whatever is in what", () => {
    const { value } = fc.letrec((tie) => ({
      leaf: fc.oneof(
        fc.double(),
        fc.bigInt(-(2n ** 63n), -(2n ** 53n)),
        fc.string({ unit: "binary" }),
        fc.uint8Array(),
        fc.constant(null),
        fc.boolean(),
        fc.tuple(fc.double(), fc.double()).map(([re, im]) => new Complex(re, im)),
        fc.uint8Array().map((data) => new MsgpackExtension(7, data)),
        fc.uint8Array().map((data) => new EmbeddedFrame(data)),
      ),
      value: fc.oneof(
        { maxDepth: 4 },
        tie("leaf"),
        fc.array(tie("value")),
        fc.array(tie("value")).map((list) => Tuple.from(list)),
        fc.array(tie("value")).map((list) => new Set(list)),
        fc.dictionary(fc.string(), tie("value"), { noNullPrototype: true }),
        fc.array(fc.tuple(tie("value"), tie("value")), { minLength: 1 }).map((list) => new Map([...list, [1, 2]])),
      ),
    }));
    fc.assert(
      fc.property(value, (v) => {
        const bytes = encodeMsgpack(v);
        expect(toHex(encodeMsgpack(decodeMsgpack(bytes)))).toBe(toHex(bytes));
      }),
    );
  });

  it("holds arrays and super-chunks as the frames that they are, and typed arrays as arrays", () => {
    using array = asarray(Int16Array.of(1, 2));
    const { a, s, t } = decodeMsgpack(encodeMsgpack({ a: array, s: array.schunk, t: Int16Array.of(1, 2) })) as Record<
      string,
      unknown
    >;
    expect(a).toStrictEqual(new EmbeddedFrame(array.toCframe()));
    expect(s).toStrictEqual(a);
    expect(t).toStrictEqual(array.get([]));
  });

  it("refuses what it does not hold, by the path to it", () => {
    const loop: Record<string, unknown> = { a: [1] };
    (loop.a as unknown[]).push(loop);
    const deep = (depth: number): unknown => (depth === 0 ? 1 : [deep(depth - 1)]);
    const cases: readonly (readonly [unknown, string])[] = [
      [{ a: [1, () => 1] }, "value.a[1]"],
      [new Map([["k", Symbol("s")]]), 'value.get("k")'],
      [loop, "value.a[1]"],
      [2n ** 64n, "value"],
      [[-(2n ** 63n) - 1n], "value[0]"],
      [[undefined], "value[0]"],
      [new Array(1), "value[0]"],
      [{ x: Promise.resolve(1) }, "value.x"],
      [{ x: new Set([new WeakMap()]) }, "value.x[0]"],
      [[new Date(Number.NaN)], "value[0]"],
      [["\ud800"], "value[0]"],
      [{ x: /x/ }, "value.x"],
    ];
    for (const [value, position] of cases) {
      expect(() => encodeMsgpack(value)).toThrow(
        expect.objectContaining({ code: "BLOSC2_ARGUMENT_INVALID", details: { parameter: "value", position } }),
      );
    }
    expect(() => encodeMsgpack(deep(600))).toThrow(expect.toSatisfy((e: unknown) => isBlosc2Error(e)));
    const shared = [1];
    expect(decodeMsgpack(encodeMsgpack([shared, shared]))).toEqual([[1], [1]]);
  });

  it("that is damaged or claims more than there is gives a named error", () => {
    const nested = new Uint8Array(100_000).fill(0x91);
    for (const bytes of [
      nested,
      fromHex("dd7fffffff"),
      fromHex("df7fffffff01"),
      fromHex("c67fffffff"),
      fromHex("c1"),
      fromHex("a2c328"),
      fromHex("0101"),
      new Uint8Array(0),
    ])
      expect(() => decodeMsgpack(bytes)).toThrow(expect.toSatisfy((e: unknown) => isBlosc2Error(e)));
    fc.assert(
      fc.property(fc.constantFrom(...OF_PYTHON), fc.nat(), fc.nat(255), ([, , hex], at, byte) => {
        const bytes = fromHex(hex);
        bytes[at % bytes.byteLength] = byte;
        try {
          decodeMsgpack(bytes);
        } catch (error) {
          if (!isBlosc2Error(error)) throw error;
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("is what metalayers and vlmetalayers hold as values", () => {
    using s = SChunk.create({});
    const value = { count: 5e9, of: new Map([[1, Tuple.of("a")]]) };
    s.meta.setValue("m", value);
    s.vlmeta.setValue("v", value);
    expect([s.meta.getValue("m"), s.vlmeta.getValue("v")]).toStrictEqual([value, value]);
    expect(() => s.vlmeta.setValue("f", { a: () => 1 })).toThrow(
      /^value\.a can't be stored as msgpack: it is a function$/,
    );
  });
});
