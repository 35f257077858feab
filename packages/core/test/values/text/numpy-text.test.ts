/** What is printed of arrays is what NumPy prints of them: `str(array)`. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { asarray } from "../../../src/index.js";
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
