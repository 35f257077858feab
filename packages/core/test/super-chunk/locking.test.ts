import { describe, expect, it } from "vitest";
import { type Blosc2Error, type Blosc2ErrorCode, isBlosc2Error } from "../../src/errors.js";
import { asarray, NDArray, openArray, zeros } from "../../src/index.js";
import type { IoBackend, IoLock } from "../../src/io/backend.js";
import { memory } from "../../src/io/memory-backend.js";
import { SChunk } from "../../src/super-chunk/super-chunk.js";
import { directoryBackend } from "../frame/directory-backend.js";

const PATH = "a.b2frame";
const ITEMS = 100;

/** A chunk whose items are all `value`. */
function chunkOf(value: number): Int32Array {
  return new Int32Array(ITEMS).fill(value);
}

/** The value of each chunk. */
function valuesOf(schunk: SChunk): number[] {
  return [...schunk.iterChunks()].map((bytes) => new Int32Array(bytes.buffer)[0] as number);
}

/** Directories, and locks as the memory backend has them. */
function sparseBackend(): IoBackend {
  const locks = memory() as Required<IoBackend>;
  return Object.assign(directoryBackend(), { openLock: locks.openLock.bind(locks) });
}

function fails(body: () => unknown, code: Blosc2ErrorCode): Blosc2Error {
  try {
    body();
  } catch (error) {
    if (isBlosc2Error(error, code)) return error;
    throw error;
  }
  throw new Error(`expected ${code}, nothing was thrown`);
}

const KINDS = [["contiguous", true, memory] as const, ["sparse", false, sparseBackend] as const];

describe.each(KINDS)("two handles on a locked %s frame", (_, contiguous, makeBackend) => {
  function made(): { backend: IoBackend; first: SChunk; second: SChunk } {
    const backend = makeBackend();
    const first = SChunk.create({ urlpath: PATH, io: backend, contiguous, typesize: 4, locking: true });
    const second = SChunk.open(PATH, backend, { mode: "r+", locking: true });
    return { backend, first, second };
  }

  it("append in turns and lose nothing", () => {
    const { first, second } = made();
    for (let i = 0; i < 20; i++) {
      const writer = i % 2 === 0 ? first : second;
      expect(writer.appendData(chunkOf(i))).toBe(i + 1);
      writer.flush();
    }
    const all = Array.from({ length: 20 }, (__, i) => i);
    expect(valuesOf(first)).toEqual(all);
    expect(valuesOf(second)).toEqual(all);
    first.close();
    second.close();
  });

  it("insert, update, delete and set metadata in turns", () => {
    const { first, second } = made();
    first.appendData(chunkOf(1));
    first.flush();
    second.insertData(0, chunkOf(0));
    second.flush();
    first.updateData(1, chunkOf(7));
    first.vlmeta.setValue("by", "first");
    first.flush();
    expect(second.vlmeta.getValue("by")).toBe("first");
    second.deleteChunk(0);
    second.vlmeta.delete("by");
    second.flush();
    expect(first.vlmeta.keys()).toEqual([]);
    expect(valuesOf(first)).toEqual([7]);
    first.compact();
    second.setSlice(ITEMS, chunkOf(8));
    second.flush();
    expect(valuesOf(first)).toEqual([7, 8]);
    first.close();
    second.close();
  });

  it("refuse each other between a change and its commit", () => {
    const { first, second } = made();
    first.appendData(chunkOf(1));
    expect(fails(() => second.appendData(chunkOf(2)), "BLOSC2_IO_LOCKED").message).toContain(PATH);
    fails(() => second.getSlice(), "BLOSC2_IO_LOCKED");
    fails(() => second.vlmeta.keys(), "BLOSC2_IO_LOCKED");
    fails(() => second.refresh(), "BLOSC2_IO_LOCKED");
    expect(second.nchunks).toBe(0);
    first.flush();
    expect(second.appendData(chunkOf(2))).toBe(2);
    fails(() => first.decompressChunk(0), "BLOSC2_IO_LOCKED");
    second.close();
    expect(valuesOf(first)).toEqual([1, 2]);
    first.close();
  });

  it("keep no lock when a change is refused", () => {
    const { first, second } = made();
    fails(() => first.appendChunk(new Uint8Array(3)), "BLOSC2_FORMAT_TRUNCATED");
    fails(() => first.deleteChunk(0), "BLOSC2_ARGUMENT_OUT_OF_RANGE");
    fails(() => first.meta.get("none"), "BLOSC2_ARGUMENT_OUT_OF_RANGE");
    expect(second.appendData(chunkOf(1))).toBe(1);
    second.close();
    first.close();
  });

  it("commit by commitEvery, and then others may come", () => {
    const { backend, first } = made();
    const second = SChunk.open(PATH, backend, { mode: "r+", locking: true, commitEvery: 1 });
    second.appendData(chunkOf(1));
    expect(first.appendData(chunkOf(2))).toBe(2);
    first.close();
    expect(second.appendData(chunkOf(3))).toBe(3);
    expect(valuesOf(second)).toEqual([1, 2, 3]);
    second.close();
  });

  it("hold the lock for several operations", () => {
    const { first, second } = made();
    {
      using held = first.lock();
      expect(held.kind).toBe("exclusive");
      first.appendData(chunkOf(1));
      first.flush();
      fails(() => second.getSlice(), "BLOSC2_IO_LOCKED");
      {
        using _ = first.lock("shared");
        using __ = first.lock();
        first.appendData(chunkOf(2));
      }
      fails(() => second.getSlice(), "BLOSC2_IO_LOCKED");
    }
    expect(valuesOf(second)).toEqual([1, 2]);
    {
      using held = second.lock("shared");
      expect(valuesOf(first)).toEqual([1, 2]);
      fails(() => first.appendData(chunkOf(3)), "BLOSC2_IO_LOCKED");
      fails(() => second.appendData(chunkOf(3)), "BLOSC2_ARGUMENT_INVALID");
      expect(held.release()).toBeUndefined();
      expect(first.appendData(chunkOf(3))).toBe(3);
      held.release();
    }
    {
      // Nothing is committed by who only reads.
      using _ = first.lock("shared");
      expect(first.deleteChunk(2)).toBe(2);
    }
    fails(() => second.getSlice(), "BLOSC2_IO_LOCKED");
    first.close();
    const held = second.lock();
    second.close();
    held.release();
  });

  it("let others in when they are closed, with or without changes", () => {
    const { backend, first, second } = made();
    first.appendData(chunkOf(1));
    first.close();
    second.lock();
    second.close();
    const third = SChunk.open(PATH, backend, { mode: "r+", locking: { wait: 0 } });
    expect(third.appendData(chunkOf(2))).toBe(2);
    third.close();
  });

  it("are closed while another writes, and leave the file to it", () => {
    const { backend, first, second } = made();
    first.appendData(chunkOf(1));
    first.flush();
    second.appendData(chunkOf(2));
    first.close();
    second.flush();
    expect(valuesOf(second)).toEqual([1, 2]);
    second.close();
    using reader = SChunk.open(PATH, backend);
    expect(valuesOf(reader)).toEqual([1, 2]);
  });

  it("wait for a frame that is being made, and follow one that is made anew", () => {
    const { backend, first, second } = made();
    first.appendData(chunkOf(1));
    first.close();
    const anew = SChunk.create({ urlpath: PATH, io: backend, contiguous, typesize: 8, locking: true, commit: false });
    fails(() => second.getSlice(), "BLOSC2_IO_LOCKED");
    fails(() => SChunk.open(PATH, backend, { locking: true }), "BLOSC2_IO_LOCKED");
    anew.appendData(new Float64Array(ITEMS).fill(0.5));
    anew.flush();
    expect(new Float64Array(second.getSlice().buffer)).toEqual(new Float64Array(ITEMS).fill(0.5));
    expect(second.typesize).toBe(8);
    expect(second.appendData(new Float64Array(ITEMS))).toBe(2);
    second.close();
    expect(anew.itemCount).toBe(ITEMS);
    anew.refresh();
    expect(anew.itemCount).toBe(2 * ITEMS);
    anew.close();
    fails(
      () => SChunk.create({ urlpath: PATH, io: backend, contiguous, mode: "x", locking: true }),
      "BLOSC2_IO_EXISTS",
    );
  });

  it("copy and give their bytes as they are by then", () => {
    const { backend, first, second } = made();
    first.appendData(chunkOf(1));
    first.flush();
    using copy = second.copy({ urlpath: "copy.b2frame", io: backend, contiguous, locking: true });
    expect(valuesOf(copy)).toEqual([1]);
    copy.appendData(chunkOf(2));
    fails(() => SChunk.open("copy.b2frame", backend, { locking: true }), "BLOSC2_IO_LOCKED");
    using recompressed = second.copy({
      urlpath: "other.b2frame",
      io: backend,
      contiguous,
      locking: true,
      cparams: { clevel: 0 },
    });
    expect(valuesOf(recompressed)).toEqual([1]);
    using bytes = SChunk.fromCframe(second.toCframe());
    expect(valuesOf(bytes)).toEqual([1]);
    first.close();
    second.close();
  });

  it("follow an array's shape", () => {
    const backend = makeBackend();
    const options = { dtype: "<i4", chunks: [2, 5], blocks: [2, 5], io: backend, urlpath: PATH, contiguous };
    const first = zeros([2, 5], { ...options, locking: true });
    const second = openArray(PATH, { io: backend, mode: "r+", locking: true });
    first.append(new Int32Array(10).fill(1));
    fails(() => second.get(), "BLOSC2_IO_LOCKED");
    first.flush();
    second.append(new Int32Array(5).fill(2));
    expect(second.shape).toEqual([5, 5]);
    second.flush();
    expect(first.shape).toEqual([4, 5]);
    expect(first.get([null, 0]).toNestedArray()).toEqual([0, 0, 1, 1, 2]);
    expect(first.shape).toEqual([5, 5]);
    first.resize([3, 5]);
    first.set([0, 0], new Int32Array([9]));
    first.flush();
    {
      using _ = second.lock("shared");
      expect(second.shape).toEqual([3, 5]);
      expect(second.get([null, 0]).toNestedArray()).toEqual([9, 0, 1]);
    }
    expect(second.copy().shape).toEqual([3, 5]);
    asarray(new Float32Array(15), { ...options, dtype: "<f4", shape: [3, 5], locking: true }).close();
    expect(fails(() => second.get(), "BLOSC2_IO_STALE").message).toContain("open it again");
    first.close();
    second.close();
    using reopened = openArray(PATH, { io: backend, locking: true });
    expect(reopened).toBeInstanceOf(NDArray);
  });
});

describe("locking", () => {
  it("is refused where it would keep nobody out", () => {
    const backend = memory();
    SChunk.create({ urlpath: PATH, io: backend }).close();
    fails(() => SChunk.create({ locking: true }), "BLOSC2_ARGUMENT_INVALID");
    fails(() => SChunk.open(PATH, backend, { mode: "c", locking: true }), "BLOSC2_ARGUMENT_INVALID");
    fails(() => SChunk.open(PATH, backend, { locking: { wait: -1 } }), "BLOSC2_ARGUMENT_INVALID");
    const handle = { locking: true } as object;
    fails(() => SChunk.openHandle(backend.open(PATH, "r"), handle), "BLOSC2_ARGUMENT_INVALID");
    fails(() => SChunk.fromCframe(new Uint8Array(0), handle), "BLOSC2_ARGUMENT_INVALID");
    const unlocked = memory();
    Object.defineProperty(unlocked, "openLock", { value: undefined });
    expect(
      fails(() => SChunk.create({ urlpath: PATH, io: unlocked, locking: true }), "BLOSC2_UNSUPPORTED_BACKEND").message,
    ).toContain("memory backend can't lock");
    using plain = SChunk.open(PATH, backend, { mode: "r+", locking: false });
    expect(fails(() => plain.lock(), "BLOSC2_ARGUMENT_INVALID").message).toContain("would keep nobody out");
    using reader = SChunk.open(PATH, backend, { locking: true });
    fails(() => reader.lock(), "BLOSC2_IO_READ_ONLY");
  });

  it("leaves no lock where there is no frame", () => {
    const opened: string[] = [];
    const backend = memory();
    const openLock = (path: string): IoLock => {
      opened.push(path);
      throw new Error("not to be asked for");
    };
    Object.defineProperty(backend, "openLock", { value: openLock });
    fails(() => SChunk.open("none", backend, { locking: true }), "BLOSC2_IO_NOT_FOUND");
    expect(opened).toEqual([]);
  });

  it("does not replace a frame of the other kind", () => {
    const backend = sparseBackend();
    SChunk.create({ urlpath: PATH, io: backend, contiguous: false, locking: true }).close();
    SChunk.create({ urlpath: "b", io: backend, locking: true }).close();
    fails(() => SChunk.create({ urlpath: PATH, io: backend, locking: true }), "BLOSC2_IO_EXISTS");
    fails(() => SChunk.create({ urlpath: "b", io: backend, contiguous: false, locking: true }), "BLOSC2_IO_EXISTS");
  });

  it("passes the wait on", () => {
    const timeouts: number[] = [];
    const backend = memory() as Required<IoBackend>;
    const openLock = backend.openLock.bind(backend);
    Object.defineProperty(backend, "openLock", {
      value: (...given: Parameters<typeof openLock>) => {
        const lock = openLock(...given);
        const acquire = lock.acquire.bind(lock);
        return Object.assign(lock, {
          acquire: (kind: "shared" | "exclusive", timeout: number) => {
            timeouts.push(timeout);
            return acquire(kind, timeout);
          },
        });
      },
    });
    SChunk.create({ urlpath: PATH, io: backend, locking: true }).close();
    SChunk.open(PATH, backend, { locking: { wait: 5 } }).close();
    SChunk.open(PATH, backend, { locking: { wait: "forever" } }).close();
    SChunk.open(PATH, backend, { locking: {} }).close();
    // Closing what can be changed does not wait.
    expect(timeouts).toEqual([10_000, 0, 5, Number.POSITIVE_INFINITY, 10_000]);
  });

  it("reads anew again if that failed", () => {
    const backend = memory();
    const writer = SChunk.create({ urlpath: PATH, io: backend, typesize: 4, locking: true });
    const reader = SChunk.open(PATH, backend, { locking: true });
    writer.appendData(chunkOf(1));
    writer.flush();
    const handle = backend.open(PATH, "r+");
    const magic = handle.read(0, 8).slice();
    handle.write(0, new Uint8Array(8));
    fails(() => reader.getSlice(), "BLOSC2_FORMAT_BAD_MAGIC");
    fails(() => reader.getSlice(), "BLOSC2_FORMAT_BAD_MAGIC");
    handle.write(0, magic);
    expect(reader.nchunks).toBe(0);
    expect(valuesOf(reader)).toEqual([1]);
    reader.close();
    writer.close();
    handle.close();
  });
});
