import * as fs from "node:fs";
import { join } from "node:path";
import { isBlosc2Error } from "@b2frame/core";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import {
  directoryExists,
  type FileSystemCalls,
  fileExists,
  NODE_FILE_SYSTEM,
  renameFile,
  syncDirectory,
} from "../src/index.js";

const directory = temporaryFolder();

/** Node's calls, one of which fails with that code. */
function failing(name: keyof FileSystemCalls, code: string): FileSystemCalls {
  const fail = (): never => {
    throw Object.assign(new Error(`${code}: on purpose`), { code });
  };
  return { ...fs, [name]: fail };
}

describe("names", () => {
  it("tells files from directories and from nothing", () => {
    const file = join(directory, "file");
    fs.writeFileSync(file, "x");
    expect([fileExists(NODE_FILE_SYSTEM, file), directoryExists(NODE_FILE_SYSTEM, file)]).toEqual([true, false]);
    expect([fileExists(NODE_FILE_SYSTEM, directory), directoryExists(NODE_FILE_SYSTEM, directory)]).toEqual([
      false,
      true,
    ]);
    expect(fileExists(NODE_FILE_SYSTEM, join(directory, "none"))).toBe(false);
  });

  it("finds nothing below what is no directory", () => {
    const file = join(directory, "plain");
    fs.writeFileSync(file, "x");
    expect(fileExists(NODE_FILE_SYSTEM, join(file, "chunks.b2frame"))).toBe(false);
    expect(directoryExists(NODE_FILE_SYSTEM, join(file, "chunks.b2frame"))).toBe(false);
  });

  it("reports what keeps it from looking", () => {
    try {
      fileExists(failing("statSync", "EACCES"), join(directory, "file"));
      expect.unreachable();
    } catch (error) {
      expect(isBlosc2Error(error) && [error.code, error.details.errno]).toEqual(["BLOSC2_IO_FAILED", "EACCES"]);
    }
  });

  it("asks no file system for more than it can make durable", () => {
    syncDirectory(failing("fsyncSync", "EINVAL"), directory);
    expect(() => syncDirectory(failing("fsyncSync", "EIO"), directory)).toThrow("EIO");
  });

  it("makes a new name durable unless that is not wanted", () => {
    const [from, to] = [join(directory, "from"), join(directory, "to")];
    fs.writeFileSync(from, "x");
    renameFile(failing("fsyncSync", "EIO"), from, to, { durable: false });
    expect(fs.readFileSync(to, "utf8")).toBe("x");
    expect(() => renameFile(failing("fsyncSync", "EIO"), to, from, undefined)).toThrow("EIO");
  });
});
