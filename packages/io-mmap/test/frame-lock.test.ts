import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type Blosc2ErrorCode, isBlosc2Error } from "@b2frame/core";
import { describe, expect, it } from "vitest";
import { FrameLock } from "../src/index.js";
import { temporaryFiles } from "./temporary-files.js";

const files = temporaryFiles();

function fails(body: () => unknown, code: Blosc2ErrorCode): string {
  try {
    body();
  } catch (error) {
    if (isBlosc2Error(error, code)) return error.message;
    throw error;
  }
  throw new Error(`expected ${code}, nothing was thrown`);
}

describe("the frame lock", () => {
  it("lies beside a contiguous frame and inside a sparse one", () => {
    const path = files.path();
    using contiguous = new FrameLock(path);
    expect(contiguous.path).toBe(`${path}.b2lock`);
    mkdirSync(path);
    using sparse = new FrameLock(path, { sparse: true });
    expect(sparse.path).toBe(`${path}/.b2lock`);
    expect([existsSync(contiguous.path), existsSync(sparse.path)]).toEqual([true, true]);
  });

  it("is shared by readers and exclusive to a writer", () => {
    const path = files.path();
    using first = new FrameLock(path);
    using second = new FrameLock(path);
    first.acquire("shared");
    second.acquire("shared");
    expect(first.held).toBe("shared");
    first.release();
    expect(first.tryAcquire("exclusive")).toBeUndefined();
    second.release();
    expect(first.tryAcquire("exclusive")).toBeDefined();
    expect(second.tryAcquire("shared")).toBeUndefined();
    expect(fails(() => second.acquire("shared", { timeout: 0 }), "BLOSC2_IO_LOCKED")).toContain(".b2lock");
    fails(() => second.acquire("exclusive", { timeout: 20 }), "BLOSC2_IO_LOCKED");
    first.release();
    second.acquire("exclusive", { timeout: 0 });
    expect(second.held).toBe("exclusive");
  });

  it("counts writers in the lock file, at byte 8, and tells who has missed one", () => {
    const path = files.path();
    using first = new FrameLock(path);
    using second = new FrameLock(path);
    const counter = (): bigint => new DataView(new Uint8Array(readFileSync(first.path)).buffer).getBigUint64(8, true);
    const take = (lock: FrameLock, kind: "shared" | "exclusive"): boolean => {
      const { changed } = lock.acquire(kind);
      lock.release();
      return changed;
    };
    expect(take(first, "shared")).toBe(false);
    expect(take(first, "exclusive")).toBe(false);
    expect(counter()).toBe(1n);
    expect(take(first, "exclusive")).toBe(false);
    expect(counter()).toBe(2n);
    expect(take(second, "shared")).toBe(true);
    expect(take(second, "shared")).toBe(false);
    expect(take(first, "shared")).toBe(false);
    expect(take(second, "exclusive")).toBe(false);
    expect(take(first, "exclusive")).toBe(true);
    expect(readFileSync(first.path).byteLength).toBe(16);
  });

  it("nests, but does not grow from shared to exclusive", () => {
    const path = files.path();
    using first = new FrameLock(path);
    using second = new FrameLock(path);
    first.acquire("exclusive");
    first.acquire("shared");
    first.acquire("exclusive");
    first.release();
    first.release();
    expect(second.tryAcquire("shared")).toBeUndefined();
    first.release();
    expect(second.tryAcquire("shared")).toBeDefined();
    fails(() => second.acquire("exclusive"), "BLOSC2_ARGUMENT_INVALID");
    expect(second.held).toBe("shared");
  });

  it("refuses what makes no sense", () => {
    const path = files.path();
    const lock = new FrameLock(path);
    fails(() => lock.release(), "BLOSC2_ARGUMENT_INVALID");
    fails(() => lock.acquire("both" as "shared"), "BLOSC2_ARGUMENT_INVALID");
    fails(() => lock.acquire("shared", { timeout: -1 }), "BLOSC2_ARGUMENT_INVALID");
    lock.close();
    lock.close();
    fails(() => lock.acquire("shared"), "BLOSC2_IO_CLOSED");
    fails(() => new FrameLock(`${path}/no/such/folder`), "BLOSC2_IO_NOT_FOUND");
  });

  it("goes back when its holder closes or dies, and not before", async () => {
    const path = files.path();
    using lock = new FrameLock(path);
    const source = `
      import { FrameLock } from "@b2frame/io-mmap";
      const lock = new FrameLock(process.argv[1]);
      lock.acquire("exclusive");
      console.log("held");
      setInterval(() => {}, 1000);`;
    const cwd = dirname(dirname(fileURLToPath(import.meta.url)));
    const child = spawn(process.execPath, ["--input-type=module", "-e", source, "--", path], { cwd });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    expect(lock.tryAcquire("shared")).toBeUndefined();
    fails(() => lock.acquire("shared", { timeout: 30 }), "BLOSC2_IO_LOCKED");
    child.kill("SIGKILL");
    expect(lock.acquire("shared", { timeout: 10_000 })).toEqual({ changed: true });
  });
});
