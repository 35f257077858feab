/** What others do between a change and its commit, and in the middle of a commit: checks that only count at such a moment. */
import { expect, it } from "vitest";
import { type IoBackend, isBlosc2Error, memory, SChunk } from "../../src/index.js";
import { directoryBackend } from "../frame/directory-backend.js";

const PATH = "f";

function chunk(value: number): Uint8Array {
  return new Uint8Array(40).fill(value);
}

function make(io: IoBackend, path: string): void {
  using s = SChunk.create({ urlpath: path, io, typesize: 1, chunksize: 40 });
  s.appendData(chunk(1));
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

/** A backend that calls back after each flush of an open file. */
function flushing(inner: IoBackend, afterFlush: () => void): IoBackend {
  return {
    name: inner.name,
    capabilities: { ...inner.capabilities, mapsInto: false },
    open: (path, mode) => {
      const handle = inner.open(path, mode);
      return {
        size: () => handle.size(),
        read: (position, length) => handle.read(position, length),
        readInto: (position, target) => handle.readInto(position, target),
        write: (position, bytes) => handle.write(position, bytes),
        truncate: (length) => handle.truncate(length),
        flush: () => {
          handle.flush();
          afterFlush();
        },
        identify: () => handle.identify?.(),
        close: () => handle.close(),
      };
    },
    exists: (path) => inner.exists(path),
    remove: (path) => inner.remove(path),
    rename: (from, to) => inner.rename(from, to),
    identify: (path) => inner.identify?.(path),
  };
}

it("a commit of another writer after the first change, and before the commit, is noticed", () => {
  const io = memory();
  make(io, PATH);
  const late = SChunk.open(PATH, io, { mode: "r+" });
  late.appendData(chunk(2));
  {
    using early = SChunk.open(PATH, io, { mode: "r+" });
    early.appendData(chunk(3));
  }
  expect(codeOf(() => late.commit())).toBe("BLOSC2_IO_STALE");
  codeOf(() => late.close());
  using reader = SChunk.open(PATH, io);
  expect(Array.from(reader.iterChunks(), ([first]) => first)).toEqual([1, 3]);
});

it("a file that is replaced between the flushes of a commit is no place to report that commit of", () => {
  const inner = memory();
  make(inner, PATH);
  make(inner, "other");
  let flushes = 0;
  const io = flushing(inner, () => {
    flushes++;
    // Chunks, index and trailer are flushed first, and the header, which commits them, second.
    if (flushes === 2) inner.rename("other", PATH);
  });
  const s = SChunk.open(PATH, io, { mode: "r+" });
  s.appendData(chunk(2));
  expect(codeOf(() => s.commit())).toBe("BLOSC2_IO_MOVED");
  expect(flushes).toBe(2);
  codeOf(() => s.close());
});

it("a header that grew past a sector takes its place by a rename: a write of two sectors may be torn", () => {
  const inner = memory();
  {
    using s = SChunk.create({ urlpath: PATH, io: inner, typesize: 1, chunksize: 40, meta: { a: new Uint8Array(300) } });
    expect(s.nchunks).toBe(0);
  }
  const renamed: string[] = [];
  const io: IoBackend = {
    ...flushing(inner, () => {}),
    rename: (from, to) => {
      renamed.push(to);
      inner.rename(from, to);
    },
  };
  using s = SChunk.open(PATH, io, { mode: "r+" });
  s.meta.set("b", new Uint8Array(300));
  s.appendData(chunk(2));
  s.commit();
  expect(renamed).toEqual([PATH]);
  s.appendData(chunk(3));
  s.commit();
  expect(renamed).toEqual([PATH]);
});

it("an index that another writer, who looked before, puts over that of a commit at once is no commit of this one", () => {
  const inner = directoryBackend();
  const index = `${PATH}/chunks.b2frame`;
  {
    using s = SChunk.create({ urlpath: PATH, io: inner, contiguous: false, typesize: 1, chunksize: 40 });
    s.appendData(chunk(1));
  }
  const before = inner.open(index, "r");
  const theirs = inner.open(`${PATH}/theirs`, "w+");
  theirs.write(0, before.read(0, before.size()));
  let renamed = 0;
  const io: IoBackend = {
    ...inner,
    rename: (from, to) => {
      inner.rename(from, to);
      if (to !== index) return;
      renamed++;
      inner.rename(`${PATH}/theirs`, index);
    },
  };
  const s = SChunk.open(PATH, io, { mode: "r+" });
  s.appendData(chunk(2));
  expect(codeOf(() => s.commit())).toBe("BLOSC2_IO_STALE");
  expect(renamed).toBe(1);
  codeOf(() => s.close());
  using reader = SChunk.open(PATH, inner);
  expect(Array.from(reader.iterChunks(), ([first]) => first)).toEqual([1]);
});
