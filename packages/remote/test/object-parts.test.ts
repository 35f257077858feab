import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DraftRun } from "../src/s3/draft.js";
import { MAX_PART_BYTES, MIN_PART_BYTES, partBytes, planParts } from "../src/s3/object-parts.js";

const MIB = 2 ** 20;

/** Runs that follow each other, kept ones between those that are not. */
const runs = fc
  .array(fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 40 * MIB }), fc.constant(600 * MIB)), {
    minLength: 1,
    maxLength: 12,
  })
  .chain((lengths) => fc.boolean().map((first) => ({ lengths, first })))
  .map(({ lengths, first }) => {
    let position = 0;
    return lengths.map((byteLength, i): DraftRun => {
      const run = { position, byteLength, kept: first === (i % 2 === 0) };
      position += byteLength;
      return run;
    });
  });

function check(given: readonly DraftRun[], partSize: number | undefined): void {
  const parts = planParts("s3://bucket/key", given, partSize);
  let at = 0;
  const wrong = parts.filter((part) => {
    const follows = part.position === at;
    at += part.byteLength;
    const least = part.number === parts.length ? 1 : (partSize ?? MIN_PART_BYTES);
    const fits = part.byteLength >= least && part.byteLength <= (partSize ?? MAX_PART_BYTES);
    const kept = given.some((run) => run.kept && run.position <= part.position && run.position + run.byteLength >= at);
    return !follows || !fits || (part.kept && !kept);
  });
  expect(wrong).toEqual([]);
  expect(parts.map(({ number }) => number)).toEqual(parts.map((_, i) => i + 1));
  const end = given.at(-1) as DraftRun;
  expect(at).toBe(end.position + end.byteLength);
}

describe("parts of an object", () => {
  it("follow each other, are long enough but for the last, and copy only what stays", () => {
    fc.assert(fc.property(runs, (given) => check(given, undefined)));
    fc.assert(fc.property(runs, (given) => check(given, 8 * MIB)));
  });

  it("of an append: the first 5 MiB, the rest copied, and what is new", () => {
    const appended: DraftRun[] = [
      { position: 0, byteLength: 87, kept: false },
      { position: 87, byteLength: 100 * MIB - 87, kept: true },
      { position: 100 * MIB, byteLength: 1000, kept: false },
    ];
    expect(planParts("s3://bucket/key", appended, undefined)).toEqual([
      { number: 1, position: 0, byteLength: 5 * MIB, kept: false },
      { number: 2, position: 5 * MIB, byteLength: 95 * MIB, kept: true },
      { number: 3, position: 100 * MIB, byteLength: 1000, kept: false },
    ]);
  });

  it("of unknown length reach the largest object, and more are refused", () => {
    let total = 0;
    for (let number = 1; number <= 10_000; number++) total += partBytes("x", number, undefined);
    expect(total).toBeGreaterThan(5 * 2 ** 40);
    expect(partBytes("x", 10_000, undefined)).toBeLessThanOrEqual(MAX_PART_BYTES);
    expect(() => partBytes("s3://bucket/key", 10_001, 5 * MIB)).toThrow("give a larger partSize");
  });
});
