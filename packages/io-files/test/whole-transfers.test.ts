import * as fs from "node:fs";
import { describe, expect, it } from "vitest";
import { type FileSystemCalls, readFully, writeFully } from "../src/index.js";

/** A file of `content` whose calls move at most `most` bytes each. */
function sluggish(content: Uint8Array, most: number): FileSystemCalls {
  const readSync = (_fd: number, target: Uint8Array, offset: number, length: number, position: number): number => {
    const part = content.subarray(position, position + Math.min(length, most));
    target.set(part, offset);
    return part.byteLength;
  };
  const writeSync = (_fd: number, bytes: Uint8Array, offset: number, length: number, position: number): number => {
    const count = Math.min(length, most);
    content.set(bytes.subarray(offset, offset + count), position);
    return count;
  };
  return { ...fs, readSync, writeSync } as unknown as FileSystemCalls;
}

describe("whole transfers", () => {
  it("read on where the system gives less than was asked for, and stop at the end", () => {
    const content = Uint8Array.from({ length: 100 }, (_, i) => i);
    const target = new Uint8Array(40);
    expect(readFully(sluggish(content, 7), 0, 50, target)).toBe(40);
    expect(target).toEqual(content.slice(50, 90));
    expect(readFully(sluggish(content, 7), 0, 95, target)).toBe(5);
  });

  it("write on where the system takes less than it was given", () => {
    const content = new Uint8Array(20);
    writeFully(
      sluggish(content, 3),
      0,
      5,
      Uint8Array.from({ length: 10 }, (_, i) => i + 1),
    );
    expect([...content]).toEqual([0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 0, 0, 0]);
  });

  it("fail where the system takes nothing and does not say why", () => {
    expect(() => writeFully(sluggish(new Uint8Array(20), 0), 0, 0, new Uint8Array(10))).toThrow(
      "took 0 of 10 bytes and then no more",
    );
  });
});
