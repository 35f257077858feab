/** What is printed of arrays is what NumPy prints of them: `str(array)`. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { asarray, zeros } from "../../../src/index.js";
import { formatArray } from "../../../src/text.js";
import { NDBuffer } from "../../../src/values/nd-buffer.js";
import { parseDType } from "../../../src/values/parse-dtype.js";

interface PrintedArray {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly base64: string;
  readonly text: string;
}

const printed = JSON.parse(
  readFileSync(new URL("../../../../../fixtures/printed/arrays.json", import.meta.url), "utf8"),
) as PrintedArray[];

function bufferOf({ dtype, shape, base64 }: PrintedArray): NDBuffer {
  return new NDBuffer(parseDType(dtype), shape, new Uint8Array(Buffer.from(base64, "base64")));
}

/** What stands below the line that says what it is. */
function values(shown: object): string {
  const text = String(shown);
  return text.slice(text.indexOf("\n") + 1);
}

it.each(printed.map((array, i) => [i, `${array.dtype} ${array.shape}`, array] as const))(
  "%i: %s, out of memory and out of chunks",
  (_, __, array) => {
    const buffer = bufferOf(array);
    expect(values(buffer)).toBe(array.text);
    using stored = asarray(buffer);
    expect(values(stored)).toBe(array.text);
  },
);

interface Style {
  readonly precision?: number;
  readonly threshold?: number;
  readonly edgeitems?: number;
  readonly linewidth?: number;
  readonly text: string;
}

const styled = JSON.parse(
  readFileSync(new URL("../../../../../fixtures/printed/styles.json", import.meta.url), "utf8"),
) as (PrintedArray & { readonly styles: readonly Style[] })[];

describe("with NumPy's print options", () => {
  it.each(styled.map((array, i) => [i, `${array.dtype} ${array.shape}`, array] as const))("%i: %s", (_, __, array) => {
    const buffer = bufferOf(array);
    using stored = asarray(buffer);
    for (const { text, edgeitems: edgeItems, linewidth: lineWidth, ...style } of array.styles) {
      for (const source of [buffer, stored]) expect(formatArray(source, { ...style, edgeItems, lineWidth })).toBe(text);
    }
  });

  it("refuses what is none", () => {
    using array = asarray(Float64Array.of(1));
    for (const options of [
      { precision: -1 },
      { precision: 1.5 },
      { edgeItems: 0 },
      { lineWidth: 0 },
      { treshold: 5 },
    ]) {
      expect(() => formatArray(array, options as object)).toThrow(new RegExp(Object.keys(options)[0] as string));
    }
  });

  it("shows all that is asked for, and says when nothing can be shown", () => {
    using many = asarray(new Uint8Array(30_000));
    expect(formatArray(many, { threshold: 30_000 }).match(/0/g)).toHaveLength(30_000);
    using wide = zeros([2], { dtype: "|S2000000" });
    expect(() => formatArray(wide)).toThrow(/take a slice/);
  });
});
