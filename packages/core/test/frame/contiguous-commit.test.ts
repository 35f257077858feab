import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBlosc2Error } from "../../src/errors.js";
import { memory, memoryHandle } from "../../src/io/memory-backend.js";
import { SChunk } from "../../src/super-chunk/super-chunk.js";
import { applyEdit, bytes, contentOf, edit } from "./random-edits.js";
import { RecordingBackend } from "./recording-backend.js";

const PATH = "f.b2frame";
/** A frame of one chunk of 40 stored bytes: header, chunk, index chunk of one entry, trailer. */
const HEADER = 97;
const CHUNK = 32 + 40;
const TRAILER = 35;

function stored(backend = memory()): { s: SChunk; size: () => number; backend: typeof backend } {
  const s = SChunk.create({ urlpath: PATH, io: backend, typesize: 1, cparams: { clevel: 0 } });
  const size = () => {
    const handle = backend.open(PATH, "r");
    const result = handle.size();
    handle.close();
    return result;
  };
  return { s, size, backend };
}

describe("the layout of a contiguous frame", () => {
  it("keeps its header when the first commit had special chunks only", () => {
    const backend = memory();
    const fill = { itemCount: 100, kind: "zeros" } as const;
    using s = SChunk.create({ urlpath: PATH, io: backend, typesize: 1, chunksize: 50, fill });
    s.vlmeta.set("name", bytes(1, 3));
    s.flush();
    s.vlmeta.set("name", bytes(2, 5));
    s.flush();
    using opened = SChunk.open(PATH, backend);
    expect(contentOf(opened)).toBe(contentOf(s));
    expect(opened.nbytes).toBe(100);
  });

  it("has no hole when it is written in one go, though an empty frame was committed first", () => {
    const { s, size } = stored();
    expect(size()).toBe(HEADER + TRAILER);
    for (let i = 0; i < 3; i++) s.appendData(bytes(i));
    s.close();
    expect(size()).toBe(HEADER + 3 * CHUNK + (32 + 3 * 8) + TRAILER);
  });

  it("can be opened at every moment before the first commit", () => {
    const { s, backend } = stored();
    for (let i = 0; i < 3; i++) {
      s.appendData(bytes(i));
      using reader = SChunk.open(PATH, backend);
      expect(reader.nchunks).toBe(0);
      expect(s.decompressChunk(0)).toEqual(bytes(0));
    }
    s.close();
  });

  it("keeps what a commit superseded as a hole that deadBytes counts, until compact", () => {
    const { s, size } = stored();
    s.appendData(bytes(0));
    s.flush();
    expect(s.deadBytes).toBe(0);
    s.appendData(bytes(1));
    s.flush();
    // Index chunk of one entry and trailer.
    expect(s.deadBytes).toBe(40 + TRAILER);
    expect(s.cbytes).toBe(2 * CHUNK + 40 + TRAILER);
    s.updateData(0, bytes(2));
    s.flush();
    expect(s.deadBytes).toBe(40 + TRAILER + 48 + TRAILER + CHUNK);
    s.compact();
    expect(s.deadBytes).toBe(0);
    expect(size()).toBe(HEADER + 2 * CHUNK + 48 + TRAILER);
    expect([s.decompressChunk(0), s.decompressChunk(1)]).toEqual([bytes(2), bytes(1)]);
    s.close();
  });

  it("does not grow when the same vlmetalayer is committed again and again", () => {
    const { s, size } = stored();
    s.appendData(bytes(0));
    const sizes = new Set<number>();
    for (let i = 0; i < 50; i++) {
      s.vlmeta.set("v", bytes(i));
      s.flush();
      sizes.add(size());
    }
    expect(sizes.size).toBeLessThanOrEqual(3);
    expect(s.vlmeta.get("v")).toEqual(bytes(49));
    s.close();
  });

  it("takes the room of a chunk that is updated again and again before a commit only once", () => {
    const { s } = stored();
    s.appendData(bytes(0));
    s.flush();
    const before = s.cbytes;
    for (let i = 0; i < 100; i++) s.updateData(0, bytes(i));
    expect(s.cbytes - before).toBe(40 + TRAILER + CHUNK);
    s.close();
  });

  it("shrinks to header and trailer when the last chunk goes", () => {
    const { s, size, backend } = stored();
    for (let i = 0; i < 5; i++) s.appendData(bytes(i));
    s.flush();
    for (let i = 0; i < 5; i++) s.deleteChunk(0);
    s.flush();
    expect(size()).toBe(HEADER + TRAILER);
    using reader = SChunk.open(PATH, backend);
    expect(reader.nchunks).toBe(0);
    s.appendData(bytes(7));
    s.close();
    expect(size()).toBe(HEADER + CHUNK + 40 + TRAILER);
    using again = SChunk.open(PATH, backend);
    expect(again.decompressChunk(0)).toEqual(bytes(7));
  });

  it("moves the chunks of an empty frame behind a header that grew", () => {
    const { s, backend } = stored();
    s.meta.set("first", bytes(1, 30));
    s.flush();
    s.meta.set("second", bytes(2, 300));
    s.appendData(bytes(3));
    s.close();
    using reader = SChunk.open(PATH, backend);
    expect([reader.meta.get("first"), reader.meta.get("second")]).toEqual([bytes(1, 30), bytes(2, 300)]);
    expect(reader.decompressChunk(0)).toEqual(bytes(3));
  });
});

describe("a frame inside a bigger file", () => {
  function bigger(after: Uint8Array): { backend: ReturnType<typeof memory>; position: number } {
    const backend = memory();
    const handle = backend.open(PATH, "w+");
    handle.write(0, bytes(9, 1000));
    handle.close();
    using source = SChunk.create({ typesize: 1, data: bytes(1), cparams: { clevel: 0 } });
    const position = source.appendFile(PATH, backend);
    expect(position).toBe(1000);
    const again = backend.open(PATH, "r+");
    again.write(again.size(), after);
    again.close();
    return { backend, position };
  }

  it("is read wherever it is", () => {
    const { backend, position } = bigger(bytes(5, 777));
    using s = SChunk.open(PATH, backend, { offset: position });
    expect(s.decompressChunk(0)).toEqual(bytes(1));
  });

  it("can be changed if it is the last thing in the file", () => {
    const { backend, position } = bigger(new Uint8Array(0));
    using s = SChunk.open(PATH, backend, { offset: position, mode: "r+" });
    s.appendData(bytes(2));
    s.flush();
    using reader = SChunk.open(PATH, backend, { offset: position });
    expect([...reader.iterChunks()]).toEqual([bytes(1), bytes(2)]);
    const handle = backend.open(PATH, "r");
    expect(handle.read(0, 1000)).toEqual(bytes(9, 1000));
  });

  it("is not changed, and neither is what follows it, otherwise", () => {
    const { backend, position } = bigger(bytes(5, 777));
    const s = SChunk.open(PATH, backend, { offset: position, mode: "r+" });
    expect(() => s.appendData(bytes(2))).toThrow(expect.objectContaining({ code: "BLOSC2_UNSUPPORTED" }));
    s.close();
    const handle = backend.open(PATH, "r");
    expect(handle.read(handle.size() - 777, 777)).toEqual(bytes(5, 777));
  });

  it("never overwrites another frame, not even from the start of the file", () => {
    const { s, backend } = stored();
    s.close();
    using other = SChunk.create({ typesize: 1, data: bytes(1) });
    const position = other.appendFile(PATH, backend);
    const first = SChunk.open(PATH, backend, { mode: "r+" });
    expect(() => first.appendData(bytes(2))).toThrow("bytes follow the frame");
    first.close();
    using second = SChunk.open(PATH, backend, { offset: position });
    expect(second.decompressChunk(0)).toEqual(bytes(1));
  });

  it("is not compacted in place", () => {
    const { backend, position } = bigger(new Uint8Array(0));
    using s = SChunk.open(PATH, backend, { offset: position, mode: "r+" });
    expect(() => s.compact()).toThrow(expect.objectContaining({ code: "BLOSC2_UNSUPPORTED" }));
  });
});

it("B27: positions past 3 GiB are exact, in a file of which only the end is real", () => {
  const base = 3 * 2 ** 30 + 12345;
  using source = SChunk.create({ typesize: 1, data: bytes(1), cparams: { clevel: 0 } });
  const frame = memoryHandle(source.toCframe(), { mode: "c" });
  const shifted = {
    size: () => base + frame.size(),
    read: (position: number, length: number) => frame.read(position - base, length),
    readInto: (position: number, target: Uint8Array) => frame.readInto(position - base, target),
    write: (position: number, content: Uint8Array) => frame.write(position - base, content),
    truncate: (size: number) => frame.truncate(size - base),
    flush: () => {},
    close: () => {},
  };
  const s = SChunk.openHandle(shifted, { offset: base, mode: "r+" });
  s.appendData(bytes(2));
  s.vlmeta.set("v", bytes(3));
  s.flush();
  expect([...s.iterChunksInfo()].map(({ position }) => position)).toEqual([
    base + 97,
    base + 97 + CHUNK + 40 + TRAILER,
  ]);
  s.close();
  using again = SChunk.openHandle(shifted, { offset: base });
  expect([...again.iterChunks()]).toEqual([bytes(1), bytes(2)]);
  expect(again.vlmeta.get("v")).toEqual(bytes(3));
});

it("takes chunks again after its last one went and its header outgrew the file", () => {
  const backend = new RecordingBackend();
  const s = SChunk.create({ urlpath: PATH, io: backend, typesize: 1, cparams: { clevel: 0 } });
  s.appendData(bytes(1));
  s.flush();
  s.deleteChunk(0);
  s.meta.set("m", bytes(2, 206));
  s.appendData(bytes(3));
  s.close();
  using again = SChunk.open(PATH, backend);
  expect([...again.iterChunks()]).toEqual([bytes(3)]);
  expect(again.meta.get("m")).toEqual(bytes(2, 206));
});

describe("a writer that stops", () => {
  it("leaves its last commit, whole, after each of its writes", () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 25 }), fc.infiniteStream(fc.nat(3)), (actions, losses) => {
        const backend = new RecordingBackend();
        const s = SChunk.create({ urlpath: PATH, io: backend, typesize: 1, cparams: { clevel: 0 } });
        /** What was committed when so many changes had been made, from then on. */
        const commits = [{ changes: backend.log.length, content: contentOf(s) }];
        for (const each of actions) {
          const before = backend.log.length;
          applyEdit(s, each);
          if (each.what === "flush" || each.what === "compact") {
            commits.push(
              { changes: before, content: contentOf(s) },
              { changes: backend.log.length, content: contentOf(s) },
            );
          }
        }
        s.close();
        using final = SChunk.open(PATH, backend);
        commits.push({ changes: Number.POSITIVE_INFINITY, content: contentOf(final) });
        const start = commits[0]?.changes ?? 0;
        let barrier = backend.log.slice(0, start).findLastIndex(({ kind }) => kind === "flush") + 1;
        for (let count = start; count <= backend.log.length; count++) {
          if (count > 0 && backend.log[count - 1]?.kind === "flush") barrier = count;
          const from = commits.findLastIndex(({ changes }) => changes <= count);
          // While a commit is under way either state is right, and so is the newer one when all of it is there.
          const allowed = commits.slice(Math.max(0, from - 1), from + 3).map(({ content }) => content);
          const random = [...losses.take(3)];
          const cuts = [
            () => false,
            ...random.map((loss) => (i: number) => i >= barrier && (i * 7 + count) % 4 === loss),
          ];
          for (const lost of cuts) {
            const file = backend.after(count, lost).get(PATH);
            if (file === undefined) throw new Error("the file is gone");
            using survivor = SChunk.openHandle(memoryHandle(file));
            expect(allowed).toContain(contentOf(survivor));
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it("is followed by one that appends where the last commit ends", () => {
    const { s, backend } = stored();
    s.appendData(bytes(1));
    s.flush();
    s.appendData(bytes(2));
    // The first writer is gone without a commit; its second chunk lies behind the frame.
    using next = SChunk.open(PATH, backend, { mode: "r+" });
    next.appendData(bytes(3));
    next.flush();
    using reader = SChunk.open(PATH, backend);
    expect([...reader.iterChunks()]).toEqual([bytes(1), bytes(3)]);
  });

  it("is noticed by another that had the frame open, which does not write over its commit", () => {
    const { s, backend } = stored();
    s.appendData(bytes(1));
    s.flush();
    const late = SChunk.open(PATH, backend, { mode: "r+" });
    s.appendData(bytes(2));
    s.close();
    expect(() => late.appendData(bytes(3))).toThrow(expect.objectContaining({ code: "BLOSC2_IO_STALE" }));
    late.refresh();
    late.appendData(bytes(3));
    late.close();
    using reader = SChunk.open(PATH, backend);
    expect([...reader.iterChunks()]).toEqual([bytes(1), bytes(2), bytes(3)]);
  });

  it("commits by itself when commitEvery bytes wait", () => {
    const backend = memory();
    const s = SChunk.create({
      urlpath: PATH,
      io: backend,
      typesize: 1,
      commitEvery: 2 * CHUNK,
      cparams: { clevel: 0 },
    });
    const seen = [1, 2, 3, 4].map((i) => {
      s.appendData(bytes(i));
      using reader = SChunk.open(PATH, backend);
      return reader.nchunks;
    });
    expect(seen).toEqual([0, 2, 2, 4]);
    s.close();
  });
});

describe("a write that fails", () => {
  it("is reported, keeps the last commit readable, and is reported again by close", () => {
    let failing = false;
    const inner = memory();
    const backend = {
      ...inner,
      name: "failing",
      capabilities: inner.capabilities,
      exists: (path: string) => inner.exists(path),
      remove: (path: string) => inner.remove(path),
      rename: (from: string, to: string) => inner.rename(from, to),
      open: (path: string, mode: "r" | "r+" | "w+" | "c") => {
        const handle = inner.open(path, mode);
        return {
          size: () => handle.size(),
          read: (position: number, length: number) => handle.read(position, length),
          readInto: (position: number, target: Uint8Array) => handle.readInto(position, target),
          write: (position: number, content: Uint8Array) => {
            if (failing) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
            handle.write(position, content);
          },
          truncate: (size: number) => handle.truncate(size),
          flush: () => handle.flush(),
          close: () => handle.close(),
        };
      },
    };
    const s = SChunk.create({ urlpath: PATH, io: backend, typesize: 1, cparams: { clevel: 0 } });
    s.appendData(bytes(1));
    s.flush();
    failing = true;
    expect(() => s.appendData(bytes(2))).toThrow(expect.objectContaining({ code: "BLOSC2_IO_NO_SPACE" }));
    failing = false;
    expect(() => s.appendData(bytes(3))).toThrow(expect.objectContaining({ code: "BLOSC2_IO_HANDLE_FAILED" }));
    expect(s.decompressChunk(0)).toEqual(bytes(1));
    let reported: unknown;
    try {
      s.close();
    } catch (error) {
      reported = error;
    }
    expect(isBlosc2Error(reported, "BLOSC2_IO_HANDLE_FAILED")).toBe(true);
    using reader = SChunk.open(PATH, inner);
    expect([...reader.iterChunks()]).toEqual([bytes(1)]);
  });
});
