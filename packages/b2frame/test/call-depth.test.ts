/** How many calls lie between what a program asks of an array and what the system is asked for. */
import * as fs from "node:fs";
import { join } from "node:path";
import { stdio } from "@b2frame/io-stdio";
import { temporaryFolder } from "@b2frame/test-kit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { asarray, openArray } from "../src/index.js";

/** Calls from `getSlice` to the system's read, both counted. */
const MOST_CALLS = 24;
const folder = temporaryFolder();
const limit = Error.stackTraceLimit;

beforeAll(() => {
  Error.stackTraceLimit = 200;
});
afterAll(() => {
  Error.stackTraceLimit = limit;
});

/** The calls of which a stack trace tells, up to the one of `getSlice`. */
function callsFrom(trace: string): number {
  const lines = trace.split("\n").slice(1);
  return lines.findIndex((line) => line.includes(".getSlice ")) + 1;
}

it.each([
  ["cubic blocks", [64, 64, 64], [32, 32, 32], [16, 16, 16]],
  ["rows", [1000, 100], [100, 100], [10, 100]],
])("a slice of %s passes few calls on its way to the file", (name, shape, chunks, blocks) => {
  const urlpath = join(folder, `${name}.b2nd`);
  const count = shape.reduce((product, n) => product * n, 1);
  asarray(
    Float64Array.from({ length: count }, (_, i) => Math.sin(i)),
    { shape, chunks, blocks, urlpath },
  ).close();
  const traces: string[] = [];
  const readSync = (...args: Parameters<typeof fs.readSync>): number => {
    traces.push(String(new Error("where").stack));
    return fs.readSync(...args);
  };
  using array = openArray(urlpath, { io: stdio({ fs: { ...fs, readSync: readSync as typeof fs.readSync } }) });
  traces.length = 0;
  array.getSlice([3, 3], [40, 40]);
  const depths = traces.map(callsFrom);
  expect(depths.length).toBeGreaterThan(0);
  expect(Math.min(...depths)).toBeGreaterThan(1);
  expect(Math.max(...depths)).toBeLessThanOrEqual(MOST_CALLS);
});
