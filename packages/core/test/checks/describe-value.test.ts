import fc from "fast-check";
import { expect, it } from "vitest";
import { describeValue } from "../../src/checks/describe-value.js";

it("names kind and size of what is large", () => {
  expect(describeValue(new Uint8Array(50_000_000))).toBe("Uint8Array of 50000000 bytes");
  expect(describeValue(Buffer.alloc(7))).toBe("Buffer of 7 bytes");
  expect(describeValue(new Array(1000).fill("x"))).toBe("an array of 1000");
  expect(describeValue(new Map())).toBe("an object of class Map");
  expect(describeValue({ a: 1 })).toBe("an object");
  expect(describeValue(Object.create(null))).toBe("an object");
  expect(describeValue("x".repeat(1000))).toBe(`"${"x".repeat(60)}…" (1000 characters)`);
});

it("shows what is short", () => {
  expect([undefined, null, 3, true, "a", 5n].map(describeValue)).toEqual([
    "undefined",
    "null",
    "3",
    "true",
    '"a"',
    "5n",
  ]);
});

it("never shows much, whatever the value", () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.string({ maxLength: 5000 }), fc.bigInt()), (value) => {
      expect(describeValue(value).length).toBeLessThan(500);
    }),
  );
});
