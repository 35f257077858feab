import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { type Blosc2Error, type Blosc2ErrorCode, isBlosc2Error } from "@b2frame/core";
import { temporaryFiles } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { loadFlockDriver } from "../src/flock-driver.js";
import { FrameLock, lockingStatus } from "../src/index.js";

const makePath = temporaryFiles().path;
const PACKAGE = dirname(dirname(fileURLToPath(import.meta.url)));

function fails(body: () => unknown, code: Blosc2ErrorCode): Blosc2Error {
  try {
    body();
  } catch (error) {
    if (isBlosc2Error(error, code)) return error;
    throw error;
  }
  throw new Error(`expected ${code}, nothing was thrown`);
}

/** A process that takes the lock, says so, and gives it back when a line comes in. */
async function holder(path: string, kind: string): Promise<ChildProcess> {
  const source = `
    import { FrameLock } from "@b2frame/file-lock";
    const lock = new FrameLock(process.argv[1]);
    lock.acquire(process.argv[2]);
    console.log("held");
    process.stdin.once("data", () => { lock.release(); process.stdin.destroy(); });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source, "--", path, kind], { cwd: PACKAGE });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return child;
}

/** Someone whom file permissions bind, as they do not bind root. */
function ordinaryUser(): Disposable {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65534);
  return {
    [Symbol.dispose]: () => {
      if (isRoot) process.seteuid?.(0);
    },
  };
}

describe("the frame lock", () => {
  it("lies beside a contiguous frame and inside a sparse one", () => {
    const path = makePath();
    using contiguous = new FrameLock(path);
    expect(contiguous.path).toBe(`${path}.b2lock`);
    mkdirSync(path);
    using sparse = new FrameLock(path, { sparse: true });
    expect(sparse.path).toBe(`${path}/.b2lock`);
    expect([existsSync(contiguous.path), existsSync(sparse.path)]).toEqual([true, true]);
  });

  it("counts writers in the lock file, at byte 8, as C-Blosc2 does", () => {
    const path = makePath();
    using lock = new FrameLock(path);
    const counter = (): bigint => new DataView(new Uint8Array(readFileSync(lock.path)).buffer).getBigUint64(8, true);
    for (let writers = 1n; writers <= 3n; writers++) {
      lock.acquire("exclusive", 0);
      lock.release();
      expect(counter()).toBe(writers);
      lock.acquire("shared", 0);
      lock.release();
      expect(counter()).toBe(writers);
    }
    expect(readFileSync(lock.path).byteLength).toBe(16);
  });

  it("names the frame, the lock file and what to do", async () => {
    const path = makePath();
    using lock = new FrameLock(path);
    const child = await holder(path, "exclusive");
    const { message, details } = fails(() => lock.acquire("shared", 5), "BLOSC2_IO_LOCKED");
    expect(message).toContain(`${path}: another program has locked the frame`);
    expect(message).toContain("5 ms");
    expect(message).toContain(lock.path);
    expect(message).toContain("wait longer");
    expect(details).toMatchObject({ path, lockFile: lock.path, kind: "shared", timeout: 5 });
    child.stdin?.end("\n");
    expect(lock.acquire("shared")).toEqual({ changed: true });
    using second = new FrameLock(path);
    expect(fails(() => second.acquire("exclusive"), "BLOSC2_IO_LOCKED").message).toContain("handle of this thread");
  });

  it.each([["forever", Number.POSITIVE_INFINITY] as const, ["a minute", 60_000] as const])(
    "waits %s for another process",
    async (_, timeout) => {
      const path = makePath();
      using lock = new FrameLock(path);
      const child = await holder(path, "exclusive");
      expect(fails(() => lock.acquire("exclusive", 0), "BLOSC2_IO_LOCKED").message).toContain(lock.path);
      child.stdin?.end("\n");
      expect(lock.acquire("exclusive", timeout)).toEqual({ changed: true });
    },
  );

  it("waits for another thread of the process, which is no rival to itself", async () => {
    const path = makePath();
    const url = new URL("../dist/index.js", import.meta.url).href;
    const source = `
      const { parentPort, workerData } = require("node:worker_threads");
      import(${JSON.stringify(url)}).then(({ FrameLock }) => {
        const lock = new FrameLock(workerData);
        lock.acquire("exclusive");
        parentPort.postMessage("held");
        parentPort.once("message", () => { lock.close(); });
      });`;
    const worker = new Worker(source, { eval: true, workerData: path });
    await new Promise((resolve) => worker.once("message", resolve));
    using lock = new FrameLock(path);
    fails(() => lock.acquire("shared", 0), "BLOSC2_IO_LOCKED");
    worker.postMessage("release");
    expect(lock.acquire("exclusive", 60_000)).toEqual({ changed: true });
  });

  it("goes back when its holder is killed", async () => {
    const path = makePath();
    using lock = new FrameLock(path);
    const child = await holder(path, "exclusive");
    fails(() => lock.acquire("shared", 0), "BLOSC2_IO_LOCKED");
    const exit = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await exit;
    expect(lock.acquire("exclusive", 0)).toEqual({ changed: true });
  });

  it("is had by a reader who may not write the lock file", () => {
    const path = makePath();
    chmodSync(dirname(path), 0o755);
    writeFileSync(`${path}.b2lock`, "", { mode: 0o444 });
    using _ = ordinaryUser();
    using lock = new FrameLock(path, { write: false });
    expect(lock.acquire("shared", 0)).toEqual({ changed: false });
    fails(() => new FrameLock(path), "BLOSC2_IO_FAILED");
  });

  it("refuses what makes no sense", () => {
    const path = makePath();
    using lock = new FrameLock(path);
    fails(() => lock.acquire("both" as "shared", 0), "BLOSC2_ARGUMENT_INVALID");
    fails(() => lock.acquire("shared", -1), "BLOSC2_ARGUMENT_INVALID");
    fails(() => lock.acquire("shared", Number.NaN), "BLOSC2_ARGUMENT_INVALID");
    expect(fails(() => new FrameLock(`${path}/no/folder`), "BLOSC2_IO_NOT_FOUND").message).toContain(".b2lock");
  });

  it("says what is missing where flock can't be called", () => {
    const without = loadFlockDriver(() => {
      throw new Error("Cannot find module 'koffi'\nRequire stack:\n- here");
    });
    const { message, details } = fails(() => new FrameLock(makePath(), {}, without), "BLOSC2_UNSUPPORTED_BACKEND");
    expect(message).toContain("(koffi: Cannot find module 'koffi')");
    expect(message).toContain("install the package koffi");
    expect(details.feature).toBe("locking");
    const elsewhere = loadFlockDriver(undefined, "win32");
    expect(fails(() => new FrameLock(makePath(), {}, elsewhere), "BLOSC2_UNSUPPORTED_BACKEND").message).toContain(
      "there is no flock on win32",
    );
    expect(lockingStatus()).toEqual({ available: true });
  });
});

describe("a lock file", () => {
  it("is not followed where it is a link: nothing is written into what that leads to", () => {
    const path = makePath();
    const victim = makePath();
    writeFileSync(victim, "0123456789abcdefghij");
    symlinkSync(victim, `${path}.b2lock`);
    expect(fails(() => new FrameLock(path), "BLOSC2_IO_FAILED").details.errno).toBe("ELOOP");
    expect(readFileSync(victim, "utf8")).toBe("0123456789abcdefghij");
  });

  it.each([true, false])(
    "that is not there and can't be made is not taken for a missing frame (write: %s)",
    (write) => {
      const folder = makePath();
      mkdirSync(folder);
      chmodSync(folder, 0o555);
      using _user = ordinaryUser();
      const error = fails(() => new FrameLock(`${folder}/f`, { write }), "BLOSC2_IO_FAILED");
      expect(error.message).toContain("there is no lock file beside it, and none can be made (EACCES)");
      expect(error.details.errno).toBe("EACCES");
    },
  );
});
