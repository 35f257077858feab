import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { decodeNpy, openArray, openSChunk, SChunk, tensorLayoutOf } from "../../src/index.js";
import { runGood } from "../run-cli.js";
import { expected, objectPath } from "./python-objects.js";

const cwd = temporaryFolder();
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

describe.each(Object.entries(expected.tensors))("%s", (name, { shape, dtype, hex }) => {
  it("opens as the array that python-blosc2 reads", () => {
    using array = openArray(objectPath(name));
    const items = array.getSlice();
    expect(items.shape).toEqual(shape);
    expect(hexOf(items.bytes)).toBe(hex);
    if (typeof dtype === "string") expect(array.dtype.str).toBe(dtype);
    using schunk = openSChunk(objectPath(name));
    expect(tensorLayoutOf(schunk)).toMatchObject({ kind: "numpy", shape });
  });

  it("becomes the same .npy by the command", () => {
    runGood(["unpack", objectPath(name), `${name}.npy`], { cwd });
    const items = decodeNpy(readFileSync(join(cwd, `${name}.npy`)));
    expect(items.shape).toEqual(shape);
    expect(hexOf(items.bytes)).toBe(hex);
  });
});

it("is refused where its description does not fit", () => {
  const descriptions: unknown[] = [
    ["numpy", [3], "<i4"],
    ["numpy", [-2], "<i4"],
    ["numpy", [2], "<!4"],
    ["numpy", [2], 5],
    "numpy",
    [],
  ];
  for (const description of descriptions) {
    using schunk = SChunk.create({ data: Int32Array.of(1, 2) });
    schunk.vlmeta.setValue("__pack_tensor__", description);
    const bytes = schunk.toCframe();
    expect(() => openArray(bytes)).toThrow(expect.objectContaining({ name: "FormatError" }));
  }
});
