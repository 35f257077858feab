import { expect, test } from "vitest";
import { median, quantile } from "../src/statistics.js";

test("the median is the middle sample, or half way between the two middle ones", () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([7])).toBe(7);
});

test("quartiles lie between neighbours", () => {
  expect(quantile([1, 2, 3, 4, 5], 0.25)).toBe(2);
  expect(quantile([1, 2], 0.75)).toBe(1.75);
});

test("there is none of no samples", () => {
  expect(median([])).toBeNaN();
});
