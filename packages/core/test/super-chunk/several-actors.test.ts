/** Several programs on one frame, without locks: nobody is given a mixture, and nothing is called committed that others do not see. */
import { describe, expect, it } from "vitest";
import { asarray, type IoBackend, isBlosc2Error, memory, openArray, SChunk } from "../../src/index.js";
import { directoryBackend } from "../frame/directory-backend.js";

const PATH = "f";
const CHUNK = 40;

function chunk(value: number): Uint8Array {
  return Uint8Array.from({ length: CHUNK }, (_, i) => value + i);
}

/** A frame of chunks with these values. */
function make(io: IoBackend, contiguous: boolean, values: readonly number[]): void {
  using s = SChunk.create({ urlpath: PATH, io, contiguous, typesize: 1, chunksize: CHUNK });
  for (const value of values) s.appendData(chunk(value));
}

function firstItems(io: IoBackend): number[] {
  using s = SChunk.open(PATH, io);
  return [...s.iterChunks()].map((bytes) => bytes[0] as number);
}

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (isBlosc2Error(error)) return error.code;
    throw error;
  }
  return "no error";
}

const LAYOUTS = [
  ["contiguous", true, memory],
  ["sparse", false, directoryBackend],
] as const;

describe.each(LAYOUTS)("a %s frame", (_, contiguous, makeBackend) => {
  it("that another writer committed to takes no commit of this one: nothing of the other's is lost", () => {
    const io = makeBackend();
    make(io, contiguous, [1, 2, 3]);
    const late = SChunk.open(PATH, io, { mode: "r+" });
    using early = SChunk.open(PATH, io, { mode: "r+" });
    early.updateData(1, chunk(20));
    early.vlmeta.set("name", Uint8Array.of(0xc0));
    early.commit();
    const commit = () => {
      late.appendData(chunk(4));
      late.commit();
    };
    expect(codeOf(commit)).toBe("BLOSC2_IO_STALE");
    expect(codeOf(() => late.close())).toMatch(/BLOSC2_IO_STALE|no error/);
    expect(firstItems(io)).toEqual([1, 20, 3]);
    using reader = SChunk.open(PATH, io);
    expect(reader.vlmeta.has("name")).toBe(true);
  });

  it("gives a reader the commit that it opened, or says that it has changed: never a chunk of another one", () => {
    const io = makeBackend();
    make(io, contiguous, [1, 2, 3, 4]);
    using reader = SChunk.open(PATH, io);
    using writer = SChunk.open(PATH, io, { mode: "r+" });
    for (let round = 0; round < 6; round++) {
      writer.updateData(1, chunk(100 + round));
      writer.commit();
      writer.appendData(chunk(200 + round));
      writer.commit();
      writer.deleteChunk(0);
      writer.insertData(0, chunk(1));
      writer.commit();
    }
    const found = Array.from({ length: 4 }, (_item, i) => {
      let value: number | undefined;
      const code = codeOf(() => {
        value = reader.decompressChunk(i)[0];
      });
      return code === "no error" ? value : code;
    });
    for (const [i, value] of found.entries()) expect([i + 1, "BLOSC2_IO_CHANGED", "BLOSC2_IO_STALE"]).toContain(value);
    reader.refresh();
    expect(reader.decompressChunk(1)[0]).toBe(105);
  });

  it("that is made over another one leaves the old one until the first commit of the new", () => {
    const io = makeBackend();
    make(io, contiguous, [1, 2, 3]);
    expect(codeOf(() => SChunk.create({ urlpath: PATH, io, contiguous, typesize: 1, chunksize: 0 }))).toBe(
      "BLOSC2_ARGUMENT_INVALID",
    );
    expect(firstItems(io)).toEqual([1, 2, 3]);
  });

  it("is reopened at its last commit after what was refused", () => {
    const io = makeBackend();
    make(io, contiguous, [1, 2]);
    using late = SChunk.open(PATH, io, { mode: "r+" });
    {
      using early = SChunk.open(PATH, io, { mode: "r+" });
      early.appendData(chunk(3));
    }
    const commit = () => {
      late.appendData(chunk(4));
      late.commit();
    };
    expect(codeOf(commit)).toBe("BLOSC2_IO_STALE");
    late.reopen();
    late.appendData(chunk(5));
    late.commit();
    expect(firstItems(io)).toEqual([1, 2, 3, 5]);
  });
});

it("a reader of a sparse array never sees rows that were not there", () => {
  const io = directoryBackend();
  const values = Int32Array.from({ length: 400 }, (_, i) => i);
  using array = asarray(values, {
    shape: [40, 10],
    chunks: [10, 10],
    blocks: [5, 10],
    urlpath: PATH,
    io,
    contiguous: false,
  });
  using reader = openArray(PATH, { io });
  array.setSlice([10, 0], [20, 10], new Int32Array(100).fill(-1));
  array.commit();
  array.append(new Int32Array(100).fill(-5));
  array.commit();
  let row: number[] | undefined;
  const code = codeOf(() => {
    row = [...(reader.getSlice([10], [11]).data as Int32Array)];
  });
  if (code === "no error") expect(row).toEqual([...values.subarray(100, 110)]);
  else expect(["BLOSC2_IO_CHANGED", "BLOSC2_IO_STALE"]).toContain(code);
});

describe("a contiguous frame whose file", () => {
  it.each([
    ["is replaced", (io: IoBackend) => make(io, true, [7])],
    ["is removed", (io: IoBackend) => io.remove(PATH)],
  ])("%s takes no commit that nobody would see", (_, interfere) => {
    const io = memory();
    make(io, true, [1, 2, 3]);
    const s = SChunk.open(PATH, io, { mode: "r+" });
    interfere(io);
    const commit = () => {
      s.appendData(chunk(4));
      s.commit();
    };
    expect(codeOf(commit)).toBe("BLOSC2_IO_MOVED");
    codeOf(() => s.close());
  });

  it("is compacted by another handle takes no commit into the file that lost its name", () => {
    const io = memory();
    make(io, true, [1, 2, 3]);
    const log = SChunk.open(PATH, io, { mode: "r+" });
    {
      using other = SChunk.open(PATH, io, { mode: "r+" });
      other.updateData(0, chunk(9));
      other.compact();
    }
    const commit = () => {
      log.appendData(chunk(4));
      log.commit();
    };
    expect(codeOf(commit)).toBe("BLOSC2_IO_MOVED");
    codeOf(() => log.close());
    expect(firstItems(io)).toEqual([9, 2, 3]);
  });

  it.each([0, 50, 150, -1])("is cut to %i bytes takes no commit", (size) => {
    const io = memory();
    make(io, true, [1, 2, 3]);
    const s = SChunk.open(PATH, io, { mode: "r+" });
    const handle = io.open(PATH, "r+");
    handle.truncate(size < 0 ? handle.size() + size : size);
    handle.close();
    const commit = () => {
      s.appendData(chunk(4));
      s.commit();
    };
    expect(codeOf(commit)).toBe("BLOSC2_IO_STALE");
    codeOf(() => s.close());
  });
});

it("R12: a refresh that a commit falls into finds that commit, or says that the frame has changed", () => {
  const inner = memory();
  let act: (() => void) | undefined;
  // A commit falls between any two calls: after the size is asked for, and before the header is read.
  const io: IoBackend = {
    name: inner.name,
    capabilities: { ...inner.capabilities, mapsInto: false },
    open: (path, mode) => {
      const handle = inner.open(path, mode);
      const size = (): number => {
        const found = handle.size();
        act?.();
        return found;
      };
      return {
        size,
        read: (position, length) => handle.read(position, length),
        readInto: (position, target) => handle.readInto(position, target),
        write: (position, bytes) => handle.write(position, bytes),
        truncate: (length) => handle.truncate(length),
        flush: () => handle.flush(),
        close: () => handle.close(),
      };
    },
    exists: (path) => inner.exists(path),
    remove: (path) => inner.remove(path),
    rename: (from, to) => inner.rename(from, to),
  };
  using writer = SChunk.create({ urlpath: "f", io: inner, typesize: 1, chunksize: 100, cparams: { clevel: 0 } });
  writer.appendData(new Uint8Array(100).fill(1));
  writer.flush();
  using reader = SChunk.open("f", io);
  for (const commits of [1, 2, 3, 50]) {
    let left = commits;
    act = () => {
      if (left-- <= 0) return;
      writer.appendData(new Uint8Array(100).fill(writer.nchunks + 1));
      writer.flush();
    };
    try {
      reader.refresh();
      expect(reader.decompressChunk(reader.nchunks - 1)).toEqual(new Uint8Array(100).fill(reader.nchunks));
    } catch (error) {
      expect(error).toMatchObject({ code: "BLOSC2_IO_CHANGED" });
    }
  }
  act = undefined;
  reader.refresh();
  expect(reader.nchunks).toBe(writer.nchunks);
});
