/** A disk that is full: the error says so, whatever is closed or cleaned up after it, and nothing unfinished is left. */
import * as fs from "node:fs";
import { join } from "node:path";
import { asarray, type IoBackend, isBlosc2Error, repairFrame } from "@b2frame/core";
import { stdio } from "@b2frame/io-stdio";
import { createStore } from "@b2frame/stores";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { createSChunk, openSChunk } from "../src/index.js";

const folder = temporaryFolder();

/** Real files on a disk with room for so many bytes, written at any place. */
function smallDisk(room: number, code = "ENOSPC"): IoBackend {
  let left = room;
  const writeSync = (fd: number, bytes: NodeJS.ArrayBufferView, ...rest: (number | null | undefined)[]): number => {
    left -= rest[1] ?? bytes.byteLength;
    if (left < 0) throw Object.assign(new Error(`${code}: no space left on device`), { code });
    return fs.writeSync(fd, bytes, ...(rest as [number, number, number]));
  };
  return stdio({ writeBufferSize: 0, fs: { ...fs, writeSync: writeSync as typeof fs.writeSync } });
}

/** Bytes that don't get smaller. */
const NOISE = Uint8Array.from({ length: 50_000 }, (_, i) => {
  const mixed = Math.imul(i ^ (i >>> 7), 0x9e3779b1);
  return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 24;
});

const WORK: Readonly<Record<string, (io: IoBackend, path: string) => void>> = {
  "create with data": (backend, urlpath) => {
    createSChunk(urlpath, { io: backend, data: NOISE, chunksize: 5000 });
  },
  "create with data, sparse": (backend, urlpath) => {
    createSChunk(urlpath, { io: backend, data: NOISE, chunksize: 5000, contiguous: false });
  },
  asarray: (backend, urlpath) => {
    asarray(NOISE, { io: backend, urlpath, chunks: [5000], blocks: [1000] });
  },
  copyArray: (backend, urlpath) => {
    using array = asarray(NOISE);
    array.copy({ io: backend, urlpath, chunks: [5000], blocks: [1000] });
  },
  repairFrame: (backend, urlpath) => {
    const damaged = join(folder, "damaged");
    if (!fs.existsSync(damaged)) createSChunk(damaged, { data: NOISE, chunksize: 5000 }).close();
    repairFrame(damaged, stdio(), urlpath, backend);
  },
};

describe.each(Object.entries(WORK))("%s on a full disk", (name, work) => {
  it.each([0, 50, 300, 5500, 40_000])("with room for %i bytes says so, and leaves nothing", (room) => {
    const path = join(folder, `${name.replaceAll(" ", "-")}-${room}`);
    const before = fs.readdirSync(folder).filter((entry) => entry !== "damaged");
    try {
      work(smallDisk(room), path);
      expect.unreachable();
    } catch (error) {
      expect(isBlosc2Error(error) && [error.code, error.details.errno]).toEqual(["BLOSC2_IO_NO_SPACE", "ENOSPC"]);
    }
    expect(fs.readdirSync(folder).filter((entry) => entry !== "damaged")).toEqual(before);
  });
});

describe.each(["b2d", "b2z", "b2e"])("a member of a .%s that does not fit on the disk", (format) => {
  it.each([20_000, 30_000])("with room for %i bytes is named as that, and the store is as it was", (room) => {
    const path = join(folder, `s-${room}.${format}`);
    const store = createStore(path, smallDisk(room));
    try {
      store.set("/a", NOISE);
      store.close();
      expect.unreachable();
    } catch (error) {
      expect(isBlosc2Error(error, "BLOSC2_IO_NO_SPACE")).toBe(true);
    }
    store.discard();
    expect(fs.readdirSync(folder).filter((entry) => entry.startsWith(".b2new-"))).toEqual([]);
  });
});

it("a quota that is used up counts as a full disk", () => {
  const path = join(folder, "quota");
  expect(() => createSChunk(path, { io: smallDisk(100, "EDQUOT"), data: NOISE })).toThrow(
    expect.objectContaining({ code: "BLOSC2_IO_NO_SPACE" }),
  );
});

it("the end of a using block does not hide the error that came first", () => {
  const path = join(folder, "using");
  createSChunk(path, { data: NOISE }).close();
  const append = (): void => {
    using s = openSChunk(path, { mode: "r+", io: smallDisk(100) });
    s.appendData(NOISE);
    s.flush();
  };
  expect(append).toThrow(expect.objectContaining({ code: "BLOSC2_IO_NO_SPACE" }));
  using s = openSChunk(path);
  expect(s.nbytes).toBe(NOISE.byteLength);
});
