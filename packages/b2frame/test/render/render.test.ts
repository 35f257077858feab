import { describe, expect, it } from "vitest";
import { jsonValue } from "../../src/render/json-value.js";
import { printable } from "../../src/render/printable.js";
import { formatBytes, formatCount, formatRatio, formatSeconds, formatShape } from "../../src/render/quantities.js";

describe("printable", () => {
  it("lets no control reach the terminal", () => {
    expect(printable("a\u001b[31mb\u009b2J\u0007\r\n\u202ec")).toBe("a\\x1b[31mb\\x9b2J\\x07\\x0d\\x0a\\u202ec");
  });
  it("leaves text alone", () => expect(printable("temperature °C, 温度")).toBe("temperature °C, 温度"));
});

describe("quantities", () => {
  it.each([
    [0, "0 B"],
    [1023, "1023 B"],
    [1024, "1.00 KiB"],
    [10 * 1024 + 512, "10.5 KiB"],
    [1024 ** 2 - 1, "1.00 MiB"],
    [150 * 1024 ** 3, "150 GiB"],
  ])("%d bytes", (bytes, text) => expect(formatBytes(bytes)).toBe(text));
  it("writes ratios, times, shapes and counts", () => {
    expect([formatRatio(4.2149), formatRatio(131072)]).toEqual(["4.21x", "131072x"]);
    expect([formatSeconds(0.0042), formatSeconds(0.042), formatSeconds(4.2)]).toEqual(["4.2 ms", "42 ms", "4.20 s"]);
    expect([formatShape([]), formatShape([3]), formatShape([3, 4])]).toEqual(["()", "(3,)", "(3, 4)"]);
    expect([formatCount(1, "chunk"), formatCount(2, "chunk")]).toEqual(["1 chunk", "2 chunks"]);
  });
});

describe("jsonValue", () => {
  it("says in JSON what JSON has no word for", () => {
    const value = { b: Uint8Array.of(104, 105), n: 5n, big: 2n ** 60n, nan: Number.NaN, list: [null, { x: true }] };
    expect(jsonValue(value)).toEqual({
      b: { base64: "aGk=" },
      n: 5,
      big: "1152921504606846976",
      nan: "NaN",
      list: [null, { x: true }],
    });
  });
});
