import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stdio } from "@b2frame/io-stdio";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CallCounter, sumOfCalls } from "../src/call-counter.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "b2frame-bench-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Ten writes of 100 bytes, one after another, then a flush. */
function writeTenTimes(writeBufferSize: number): CallCounter {
  const counter = new CallCounter();
  const handle = stdio({ fs: counter.fs, writeBufferSize }).open(join(folder, "file"), "w+");
  for (let i = 0; i < 10; i++) handle.write(i * 100, new Uint8Array(100));
  handle.flush();
  handle.close();
  return counter;
}

test("each call of the stdio backend is counted by its kind", () => {
  expect(writeTenTimes(0).counts()).toMatchObject({ write: 10, fdatasync: 1, fsync: 1 });
});

test("collected writes are one call", () => {
  expect(writeTenTimes(4096).counts()).toMatchObject({ write: 1, fdatasync: 1 });
});

test("the sum is of all kinds", () => {
  expect(sumOfCalls({ open: 1, read: 20, close: 1 })).toBe(22);
  expect(sumOfCalls(new CallCounter().counts())).toBe(0);
});
