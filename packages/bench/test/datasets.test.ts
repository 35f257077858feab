import { expect, test } from "vitest";
import { DATA_NAMES, makeDataset } from "../src/datasets.js";

test.each(DATA_NAMES)("%s has the size that was asked for, and is the same each time", (name) => {
  const { bytes, typesize } = makeDataset(name, 2 ** 21);
  expect(bytes.byteLength).toBe(2 ** 21);
  expect(bytes.byteLength % typesize).toBe(0);
  expect(Buffer.compare(bytes, makeDataset(name, 2 ** 21).bytes)).toBe(0);
});

test("doubles are whole hundredths, and steps at most one", () => {
  const items = new Float64Array(makeDataset("float64", 8000).bytes.buffer);
  for (let i = 1; i < items.length; i++) {
    const hundredths = (items[i] as number) * 100;
    expect(Math.abs(hundredths - Math.round(hundredths))).toBeLessThan(1e-6);
    expect(Math.abs((items[i] as number) - (items[i - 1] as number))).toBeLessThanOrEqual(1 + 1e-9);
  }
});

test("zeros are zeros", () => {
  expect(makeDataset("zeros", 800).bytes.every((byte) => byte === 0)).toBe(true);
});
