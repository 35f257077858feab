/** The reason why a file does not open is the system's, whatever is tried after it. */
import * as fs from "node:fs";
import { join } from "node:path";
import { isBlosc2Error } from "@b2frame/core";
import { stdio } from "@b2frame/io-stdio";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { createSChunk, openSChunk } from "../src/index.js";

const folder = temporaryFolder();

function refusal(open: () => unknown): unknown {
  try {
    open();
  } catch (error) {
    if (isBlosc2Error(error)) return [error.code, error.details.errno];
    throw error;
  }
  return "nothing was thrown";
}

function frame(name: string): string {
  const path = join(folder, name);
  createSChunk(path, { data: new Uint8Array(10) }).close();
  return path;
}

describe("a file that can't be written", () => {
  it.each(["EACCES", "EROFS", "EPERM"])("says %s through stdio, and not that something else is missing", (code) => {
    const openSync = (path: fs.PathLike, flags: fs.OpenMode, mode?: fs.Mode): number => {
      if (flags === "r+") throw Object.assign(new Error(`${code}: on purpose`), { code });
      return fs.openSync(path, flags, mode);
    };
    const io = stdio({ fs: { ...fs, openSync } });
    expect(refusal(() => openSChunk(frame(`${code}.b2frame`), { mode: "r+", io }))).toEqual(["BLOSC2_IO_FAILED", code]);
  });

  it.each(["stdio", "mmap"] as const)("says so to a user whom permissions bind, through %s", (io) => {
    const path = frame(`${io}.b2frame`);
    fs.chmodSync(folder, 0o755);
    fs.chmodSync(path, 0o444);
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65534);
    try {
      expect(refusal(() => openSChunk(path, { mode: "r+", io }))).toEqual(["BLOSC2_IO_FAILED", "EACCES"]);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });
});

it("a path below a file is not found, or said to lead through a file", () => {
  const path = frame("plain.b2frame");
  expect(refusal(() => openSChunk(`${path}/inside`))).toEqual(["BLOSC2_IO_FAILED", "ENOTDIR"]);
});
