import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openChecked } from "@b2frame/core/backend";
import { temporaryFiles } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { type FileSystemCalls, handleBudgetState, stdio } from "../src/index.js";
import { countedCalls, systemError } from "./counted-calls.js";
import { expectBytes } from "./expect-bytes.js";
import { descriptorsOn } from "./programs/descriptors-on.mjs";

const makePath = temporaryFiles().path;
const code = (expected: string): unknown => expect.objectContaining({ code: expected });

function failing(name: keyof FileSystemCalls, errno: string): FileSystemCalls {
  return countedCalls((each) => {
    if (each === name) throw systemError(errno);
  }).calls;
}

/** A device that takes no byte: one of the test's own where that may be made, else the system's. */
function fullDevice(): string {
  const path = makePath();
  try {
    execFileSync("mknod", [path, "c", "1", "7"], { stdio: "ignore" });
    return path;
  } catch {
    return "/dev/full";
  }
}

describe("a lost write", () => {
  it.each([
    ["ENOSPC", "BLOSC2_IO_NO_SPACE"],
    ["EDQUOT", "BLOSC2_IO_NO_SPACE"],
    ["EIO", "BLOSC2_IO_FAILED"],
  ])("%s: is reported by flush, as %s, and again by close", (errno, reported) => {
    const handle = openChecked(stdio({ fs: failing("writeSync", errno) }), makePath(), "w+");
    const before = handleBudgetState().held;
    handle.write(0, Uint8Array.of(1));
    expect(() => handle.flush()).toThrow(expect.objectContaining({ code: reported, cause: systemError(errno) }));
    expect(() => handle.write(1, Uint8Array.of(1))).toThrow(code("BLOSC2_IO_HANDLE_FAILED"));
    expect(() => handle.flush()).toThrow(code("BLOSC2_IO_HANDLE_FAILED"));
    expect(() => handle.close()).toThrow(code("BLOSC2_IO_HANDLE_FAILED"));
    expect(handleBudgetState().held).toBe(before - 1);
  });

  it("is reported by close when nothing else met it", () => {
    const handle = stdio({ fs: failing("writeSync", "ENOSPC") }).open(makePath(), "w+");
    handle.write(7, Uint8Array.of(1, 2));
    expect(() => handle.close()).toThrow(
      expect.objectContaining({
        code: "BLOSC2_IO_NO_SPACE",
        details: expect.objectContaining({ operation: "write", position: 7, length: 2, errno: "ENOSPC" }),
      }),
    );
    handle.close();
  });

  it("is reported by the read that would have seen it, and no later one gives other bytes", () => {
    const path = makePath();
    writeFileSync(path, new Uint8Array(100).fill(5));
    const handle = stdio({ fs: failing("writeSync", "EIO"), readBufferSize: 0 }).open(path, "r+");
    handle.write(10, Uint8Array.of(1));
    expect(() => handle.read(0, 20)).toThrow(code("BLOSC2_IO_FAILED"));
    expect(() => handle.read(10, 1)).toThrow(code("BLOSC2_IO_FAILED"));
    expectBytes(handle.read(0, 10), new Uint8Array(10).fill(5));
    expect(() => handle.flush()).toThrow(code("BLOSC2_IO_HANDLE_FAILED"));
    expect(() => handle.close()).toThrow(code("BLOSC2_IO_HANDLE_FAILED"));
    expectBytes(new Uint8Array(readFileSync(path)), new Uint8Array(100).fill(5));
  });

  it("a write that the system takes in parts is completed", () => {
    const { calls } = countedCalls();
    const fs = new Proxy(calls, {
      get: (target, name: keyof FileSystemCalls) =>
        name === "writeSync"
          ? (fd: number, bytes: Uint8Array, offset: number, length: number, position: number) =>
              target.writeSync(fd, bytes, offset, Math.min(length, 7), position)
          : target[name],
    });
    const path = makePath();
    const handle = stdio({ fs }).open(path, "w+");
    const bytes = Uint8Array.from({ length: 100 }, (_, i) => i);
    handle.write(3, bytes);
    handle.close();
    expectBytes(new Uint8Array(readFileSync(path)).subarray(3), bytes);
  });

  it("a device that is full says so", () => {
    const handle = stdio().open(fullDevice(), "r+");
    expect(() => handle.write(0, new Uint8Array(40_000))).toThrow(/ENOSPC/);
    expect(() => handle.close()).toThrow(code("BLOSC2_IO_HANDLE_FAILED"));
  });
});

describe.each(["fdatasyncSync", "ftruncateSync", "closeSync", "fstatSync", "openSync", "readSync"] as const)(
  "a failing %s",
  (name) => {
    it("is reported with path and cause, and leaks nothing", () => {
      const path = makePath();
      writeFileSync(path, new Uint8Array(10));
      const held = handleBudgetState().held;
      const { calls } = countedCalls((each, count) => {
        if (each !== name) return;
        if (name !== "closeSync") throw systemError("EIO");
        if (count === 1) throw systemError("EIO");
      });
      const backend = stdio({ fs: calls });
      expect(() => {
        const handle = backend.open(path, "r+");
        try {
          handle.read(0, 5);
          handle.truncate(5);
          handle.flush();
        } catch (error) {
          expect(() => handle.close()).not.toThrow(TypeError);
          throw error;
        }
        handle.close();
      }).toThrow(
        expect.objectContaining({
          code: "BLOSC2_IO_FAILED",
          details: expect.objectContaining({ path, errno: "EIO" }),
          cause: expect.objectContaining({ code: "EIO" }),
        }),
      );
      expect(handleBudgetState().held).toBe(held);
      expect(descriptorsOn(path)).toBe(name === "closeSync" ? 1 : 0);
    });
  },
);

describe("durability", () => {
  it("flush of a new file makes its name durable once, flush of an old one does not look at the directory", () => {
    const { calls, counts, reset } = countedCalls();
    const backend = stdio({ fs: calls });
    const path = makePath();
    const created = backend.open(path, "w+");
    created.write(0, Uint8Array.of(1));
    created.flush();
    expect(counts).toMatchObject({ writeSync: 1, fdatasyncSync: 1, fsyncSync: 1 });
    created.flush();
    expect(counts).toMatchObject({ writeSync: 1, fdatasyncSync: 2, fsyncSync: 1 });
    created.close();
    reset();
    const opened = backend.open(path, "r+");
    opened.flush();
    opened.close();
    expect(counts.fsyncSync).toBeUndefined();
    backend.rename(path, makePath());
    expect(counts.fsyncSync).toBe(1);
  });

  it("closing does not wait for the disk", () => {
    const { calls, counts } = countedCalls();
    const handle = stdio({ fs: calls }).open(makePath(), "w+");
    handle.write(0, Uint8Array.of(1));
    handle.close();
    expect(counts.fdatasyncSync).toBeUndefined();
  });
});

describe("B38: a file that may only be read", () => {
  it("is opened, read and closed without a trace", () => {
    const path = makePath();
    writeFileSync(path, new Uint8Array(100_000).fill(3));
    chmodSync(path, 0o444);
    const before = statSync(path, { bigint: true });
    const { calls, counts } = countedCalls();
    const backend = stdio({ fs: calls });
    const handles = Array.from({ length: 5 }, () => backend.open(path, "r"));
    for (const handle of handles) expectBytes(handle.read(50_000, 50_000), new Uint8Array(50_000).fill(3));
    for (const handle of handles) handle.flush();
    for (const handle of handles) handle.close();
    const after = statSync(path, { bigint: true });
    expect(after.mtimeNs).toBe(before.mtimeNs);
    expect(after.ctimeNs).toBe(before.ctimeNs);
    expect(Object.keys(counts).toSorted()).toEqual(["closeSync", "fstatSync", "openSync", "readSync"]);
  });
});

describe("a really full disk", () => {
  it("is an error at the write or the flush, and at close; what was flushed stays", () => {
    const directory = makePath();
    mkdirSync(directory);
    let mounted = true;
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", directory], { stdio: "ignore" });
    } catch {
      mounted = false; // Not root, or no such system: /dev/full stands in for the disk above.
    }
    if (!mounted) return;
    try {
      const path = join(directory, "file");
      const handle = openChecked(stdio(), path, "w+");
      handle.write(0, new Uint8Array(1000).fill(1));
      handle.flush();
      expect(() => {
        for (let i = 0; i < 1000; i++) handle.write(1000 + i * 1000, new Uint8Array(1000).fill(2));
        handle.flush();
      }).toThrow(
        expect.objectContaining({ code: "BLOSC2_IO_NO_SPACE", details: expect.objectContaining({ errno: "ENOSPC" }) }),
      );
      expect(() => handle.close()).toThrow(code("BLOSC2_IO_HANDLE_FAILED"));
      expectBytes(new Uint8Array(readFileSync(path)).subarray(0, 1000), new Uint8Array(1000).fill(1));
    } finally {
      execFileSync("umount", [directory]);
    }
  });
});

describe("B27, B50: large files and large reads", () => {
  it("a read past 2^31 bytes is split, and comes whole", () => {
    const lengths: number[] = [];
    const { calls } = countedCalls();
    const fs = new Proxy(calls, {
      get: (target, name: keyof FileSystemCalls) =>
        name === "readSync"
          ? (_fd: number, _bytes: Uint8Array, _offset: number, length: number, _position: number) => {
              lengths.push(length);
              return length;
            }
          : target[name],
    });
    const path = makePath();
    writeFileSync(path, "");
    truncateSync(path, 3 * 2 ** 30);
    const handle = stdio({ fs }).open(path, "r");
    handle.readInto(10, new Uint8Array(2 ** 31 + 5));
    expect(lengths).toEqual([2 ** 30, 2 ** 30, 5]);
    handle.close();
  });

  it("a file of 5 GiB with holes is changed and read where it is", () => {
    const path = makePath();
    writeFileSync(path, "");
    truncateSync(path, 5 * 2 ** 30);
    const handle = openChecked(stdio(), path, "r+");
    for (const position of [2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 5 * 2 ** 30 - 3]) {
      handle.write(position, Uint8Array.of(1, 2, 3));
      handle.write(5 * 2 ** 30, Uint8Array.of(position & 0xff));
      expectBytes(handle.read(position, 3), Uint8Array.of(1, 2, 3));
    }
    expect(handle.size()).toBe(5 * 2 ** 30 + 1);
    handle.close();
    expect(existsSync(path)).toBe(true);
    expect(statSync(path).blocks * 512).toBeLessThan(2 ** 20);
  });
});
