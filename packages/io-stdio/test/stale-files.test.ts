import { renameSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { type IoHandle, isBlosc2Error } from "@b2frame/core";
import { temporaryFiles } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { createHandleBudget, stdio } from "../src/index.js";
import { expectBytes } from "./expect-bytes.js";

const makePath = temporaryFiles().path;
const SIZE = 200_000;
const code = (expected: string): unknown => expect.objectContaining({ code: expected });

function put(byte: number, byteLength = SIZE): string {
  const path = makePath();
  writeFileSync(path, new Uint8Array(byteLength).fill(byte));
  return path;
}

/** Every byte of the file by the reads of several sizes: which bytes came, and which errors. */
function sweep(handle: IoHandle): { bytes: Set<number>; errors: Set<string> } {
  const bytes = new Set<number>();
  const errors = new Set<string>();
  for (const length of [100, 5000, 50_000]) {
    for (let position = 0; position + length <= SIZE; position += length) {
      try {
        for (const byte of handle.read(position, length)) bytes.add(byte);
      } catch (error) {
        if (!isBlosc2Error(error)) throw error;
        errors.add(error.code);
      }
    }
  }
  return { bytes, errors };
}

describe("B43: a file of the same length renamed over an open one", () => {
  it("a held handle goes on reading the old file, a new one reads the new", () => {
    const path = put(1);
    const handle = stdio().open(path, "r");
    handle.read(0, 100);
    renameSync(put(2), path);
    expect(sweep(handle)).toEqual({ bytes: new Set([1]), errors: new Set() });
    const fresh = stdio().open(path, "r");
    expect(sweep(fresh)).toEqual({ bytes: new Set([2]), errors: new Set() });
    handle.close();
    fresh.close();
  });

  it("a handle past the budget says that it is stale", () => {
    const path = put(1);
    const handle = stdio({ handleBudget: createHandleBudget(0), readBufferSize: 0 }).open(path, "r");
    handle.read(0, 100);
    renameSync(put(2), path);
    expect(sweep(handle)).toEqual({ bytes: new Set(), errors: new Set(["BLOSC2_IO_STALE"]) });
    expect(() => handle.size()).toThrow(code("BLOSC2_IO_STALE"));
    handle.close();
  });

  it("is noticed after many replacements, when inode numbers come again", () => {
    for (let round = 0; round < 20; round++) {
      const path = put(1, 1000);
      const handle = stdio({ handleBudget: createHandleBudget(0), readBufferSize: 0 }).open(path, "r");
      renameSync(put(2, 1000), path);
      renameSync(put(3, 1000), path);
      expect(() => handle.read(0, 100)).toThrow(code("BLOSC2_IO_STALE"));
      handle.close();
    }
  });

  it("a removed file is named as such past the budget", () => {
    const path = put(1);
    const handle = stdio({ handleBudget: createHandleBudget(0), readBufferSize: 0 }).open(path, "r");
    unlinkSync(path);
    expect(() => handle.read(0, 100)).toThrow(/the file was removed while it was open/);
    handle.close();
  });
});

describe("a file cut under an open handle", () => {
  it.each([
    ["held", {}],
    ["past the budget", { handleBudget: createHandleBudget(0) }],
  ])("%s: gives old bytes or a named error, never zeros", (_name, options) => {
    const path = put(1);
    const handle = stdio(options).open(path, "r");
    handle.read(SIZE - 50, 50);
    truncateSync(path, SIZE / 2);
    const { bytes, errors } = sweep(handle);
    expect(bytes).toEqual(new Set([1]));
    expect(errors).toEqual(new Set(["BLOSC2_IO_STALE"]));
    expect(() => handle.readInto(SIZE - 50, new Uint8Array(50))).toThrow(/cut from 200000 to 100000 bytes/);
    expect(handle.size()).toBe(SIZE / 2);
    handle.close();
  });

  it("B51: a file that was short from the start is a short read", () => {
    const path = put(1);
    truncateSync(path, SIZE - 100);
    const handle = stdio().open(path, "r");
    for (const length of [200, 50_000, SIZE]) {
      expect(() => handle.read(SIZE - length, length)).toThrow(code("BLOSC2_IO_SHORT_READ"));
      expect(() => handle.readInto(SIZE - length, new Uint8Array(length))).toThrow(/short read: expected/);
    }
    handle.close();
  });
});

describe("a file that grows under an open handle", () => {
  it("is read as far as it goes by then", () => {
    const path = put(1, 1000);
    const handle = stdio().open(path, "r");
    handle.read(0, 1000);
    writeFileSync(path, new Uint8Array(1000).fill(2), { flag: "a" });
    expectBytes(handle.read(1000, 1000), new Uint8Array(1000).fill(2));
    expect(handle.size()).toBe(2000);
    handle.close();
  });
});
