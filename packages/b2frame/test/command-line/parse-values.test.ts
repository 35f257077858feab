import { describe, expect, it } from "vitest";
import {
  parseBounds,
  parseInteger,
  parseIntegers,
  parseSize,
  parseWords,
} from "../../src/command-line/parse-values.js";

describe("parseSize", () => {
  it.each([
    ["1", 1],
    ["65536", 65536],
    ["64K", 65536],
    ["64KiB", 65536],
    ["4m", 4 * 1024 ** 2],
    ["1GB", 1024 ** 3],
  ])("%s", (text, bytes) => expect(parseSize(text)).toBe(bytes));
  it.each(["", "0", "-1", "1.5M", "4T", "M", "99999999999G"])("refuses %j", (text) =>
    expect(() => parseSize(text)).toThrow(),
  );
});

describe("parseIntegers", () => {
  it("splits at commas", () => expect(parseIntegers(1)("3, 4,5")).toEqual([3, 4, 5]));
  it.each(["", "1,,2", "0", "1.0", "x", "9007199254740993"])("refuses %j", (text) => {
    expect(() => parseIntegers(1)(text)).toThrow();
    expect(() => parseInteger(1)(text)).toThrow();
  });
});

describe("parseBounds", () => {
  it("takes negative numbers and empty places", () => expect(parseBounds("-5,,:, 7")).toEqual([-5, null, null, 7]));
  it("refuses anything else", () => expect(() => parseBounds("1:2")).toThrow());
});

describe("parseWords", () => {
  it("splits at commas", () => expect(parseWords("shuffle, bytedelta")).toEqual(["shuffle", "bytedelta"]));
  it("refuses empty ones", () => expect(() => parseWords("a,,b")).toThrow());
});
