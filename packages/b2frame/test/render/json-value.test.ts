import { Complex, EmbeddedFrame, MsgpackExtension, NDBuffer, ObjectBuffer, parseDType, Tuple } from "@b2frame/core";
import { expect, it } from "vitest";
import { jsonValue } from "../../src/render/json-value.js";

const BYTES = Uint8Array.of(1, 0);

it("shows dicts as they are, and extensions as such", () => {
  const image = { type: "png", data: BYTES, width: 3 };
  expect(jsonValue([image])).toEqual([{ type: "png", data: { base64: "AQA=" }, width: 3 }]);
  expect(jsonValue(new MsgpackExtension(7, BYTES))).toEqual({ ext: 7, base64: "AQA=" });
});

it("shows all else that metadata may hold", () => {
  const { map } = jsonValue(
    new Map<unknown, unknown>([
      [BYTES, 1],
      [null, 2n ** 60n],
    ]),
  ) as { map: unknown };
  expect(map).toEqual([
    [{ base64: "AQA=" }, 1],
    [null, "1152921504606846976"],
  ]);
  expect(jsonValue(Tuple.of(1, "a"))).toEqual([1, "a"]);
  expect(jsonValue(new Set([1]))).toEqual({ set: [1] });
  expect(jsonValue(new Complex(1, Number.NaN))).toEqual({ re: 1, im: "NaN" });
  expect(jsonValue(new EmbeddedFrame(BYTES))).toEqual({ cframe: "AQA=" });
  expect(jsonValue(new ObjectBuffer([1], [{ a: 1n }]))).toEqual({ shape: [1], values: [{ a: 1 }] });
  const int16 = parseDType("<i2");
  expect(jsonValue(new NDBuffer(int16, [1, 1], BYTES))).toEqual({ dtype: "<i2", shape: [1, 1], values: [[1]] });
  expect(jsonValue(new NDBuffer(int16, [], BYTES))).toEqual({ dtype: "<i2", shape: [], values: 1 });
  expect(jsonValue(new NDBuffer(int16, [1001], new Uint8Array(2002)))).toHaveProperty("base64");
});
