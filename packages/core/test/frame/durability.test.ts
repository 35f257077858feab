import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asarray } from "../../src/b2nd/create-array.js";
import { openArray } from "../../src/b2nd/open-array.js";
import type { Durability } from "../../src/frame/durability.js";
import { memory, memoryHandle } from "../../src/io/memory-backend.js";
import { isNewFileName } from "../../src/io/new-file.js";
import { createUdio, openUdio } from "../../src/super-chunk/open-udio.js";
import { SChunk } from "../../src/super-chunk/super-chunk.js";
import { directoryBackend } from "./directory-backend.js";
import { applyEdit, bytes, contentOf, type Edit, edit } from "./random-edits.js";
import { RecordingBackend } from "./recording-backend.js";

const PATH = "f.b2frame";
const STORED = { urlpath: PATH, typesize: 1, cparams: { clevel: 0 } } as const;

/** Everything that these edits and a close did to files; new files have random names until they get theirs. */
function logOf(edits: readonly Edit[], durability: Durability | undefined): RecordingBackend["log"] {
  const backend = new RecordingBackend();
  const s = SChunk.create({ ...STORED, io: backend, durability });
  for (const each of edits) applyEdit(s, each);
  s.close();
  const named = (path: string) => (isNewFileName(path) ? "the new file" : path);
  return backend.log.map((change) => ({ ...change, path: named(change.path) }));
}

function isBarrier({ kind }: RecordingBackend["log"][number]): boolean {
  return kind === "flush" || kind === "drain";
}

describe('durability "process"', () => {
  it('writes the same in the same order as "disk", with a barrier at the same places, and never flushes', () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 25 }), (edits) => {
        const disk = logOf(edits, "disk");
        const process = logOf(edits, "process");
        expect(process.filter(({ kind }) => kind === "flush")).toEqual([]);
        expect(disk.filter(({ kind }) => kind === "drain")).toEqual([]);
        const alike = (log: RecordingBackend["log"]) =>
          log.map((change) => (isBarrier(change) ? { kind: "barrier", path: change.path } : change));
        expect(alike(process)).toEqual(alike(disk));
      }),
      { numRuns: 60 },
    );
  });

  it("leaves the last commit to whoever comes after a kill, even if what was not drained is lost", () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 25 }), (edits) => {
        const backend = new RecordingBackend();
        const s = SChunk.create({ ...STORED, io: backend, durability: "process" });
        const commits = [{ changes: backend.log.length, content: contentOf(s) }];
        for (const each of edits) {
          const before = backend.log.length;
          applyEdit(s, each);
          if (each.what !== "flush" && each.what !== "compact") continue;
          const content = contentOf(s);
          commits.push({ changes: before, content }, { changes: backend.log.length, content });
        }
        for (let count = commits[0]?.changes ?? 0; count <= backend.log.length; count++) {
          const from = commits.findLastIndex(({ changes }) => changes <= count);
          const allowed = commits.slice(Math.max(0, from - 1), from + 2).map(({ content }) => content);
          const drained = backend.log
            .slice(0, count)
            .findLastIndex((change) => isBarrier(change) || change.kind === "rename");
          for (const kept of [count, drained + 1]) {
            const file = backend.after(kept).get(PATH);
            if (file === undefined) throw new Error("the file is gone");
            using survivor = SChunk.openHandle(memoryHandle(file));
            expect(allowed).toContain(contentOf(survivor));
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it("flushes neither chunk files nor the directory of a sparse frame, and lets renames be", () => {
    const { directories, ...inner } = directoryBackend();
    const seen: string[] = [];
    if (directories === undefined) throw new Error("no directories");
    const backend = {
      ...inner,
      openNew: undefined,
      open: (path: string, mode: "r" | "r+" | "w+" | "c") => {
        const handle = inner.open(path, mode);
        return {
          size: () => handle.size(),
          read: (position: number, length: number) => handle.read(position, length),
          readInto: (position: number, target: Uint8Array) => handle.readInto(position, target),
          write: (position: number, content: Uint8Array) => handle.write(position, content),
          truncate: (size: number) => handle.truncate(size),
          flush: () => void seen.push("flush"),
          close: () => handle.close(),
        };
      },
      rename(from: string, to: string, change?: { durable?: boolean }) {
        seen.push(`rename, durable ${change?.durable}`);
        inner.rename(from, to);
      },
      directories: {
        ...directories,
        make(path: string, change?: { durable?: boolean }) {
          seen.push(`make, durable ${change?.durable}`);
          directories.make(path);
        },
        flush: () => void seen.push("flush directory"),
      },
    };
    const run = (durability?: Durability) => {
      seen.length = 0;
      const s = SChunk.create({ ...STORED, io: backend, contiguous: false, durability });
      s.appendData(bytes(1));
      s.flush();
      s.compact();
      s.close();
      return [...new Set(seen)].sort();
    };
    expect(run("process")).toEqual(["make, durable false", "rename, durable false"]);
    expect(run()).toEqual(["flush", "flush directory", "make, durable true", "rename, durable true"]);
  });
});

describe("durability", () => {
  it('is "disk" unless said otherwise', () => {
    const edits: Edit[] = [
      { what: "append", value: 1, at: 0 },
      { what: "flush", value: 0, at: 0 },
    ];
    expect(logOf(edits, undefined)).toEqual(logOf(edits, "disk"));
    expect(logOf(edits, undefined).some(({ kind }) => kind === "flush")).toBe(true);
  });

  it("is taken by everything that creates or opens, and kept by refresh, compact and array changes", () => {
    const backend = new RecordingBackend();
    const durability = "process";
    const flushes = () => backend.log.filter(({ kind }) => kind === "flush").length;
    createUdio(PATH, backend, { ...STORED, data: bytes(1), durability }).close();
    const s = openUdio(PATH, backend, { mode: "r+", durability });
    s.appendData(bytes(2));
    s.compact();
    s.refresh();
    s.appendData(bytes(3));
    s.copy({ urlpath: "copy", io: backend, durability }).close();
    s.close();
    asarray([1, 2, 3], { urlpath: "array", io: backend, durability }).close();
    const array = openArray("array", { io: backend, mode: "r+", durability });
    array.set([0], 7);
    array.close();
    expect(flushes()).toBe(0);
    openUdio(PATH, backend, { mode: "r+" }).close();
    const again = openUdio(PATH, backend, { mode: "r+" });
    again.appendData(bytes(4));
    again.close();
    expect(flushes()).toBeGreaterThan(0);
  });

  it("is refused when it is neither", () => {
    const refused = expect.objectContaining({ name: "ArgumentError", code: "BLOSC2_ARGUMENT_INVALID" });
    const bad = { durability: "never" as Durability };
    const backend = memory();
    expect(() => SChunk.create(bad)).toThrow(refused);
    SChunk.create({ ...STORED, io: backend, data: bytes(1) }).close();
    expect(() => SChunk.open(PATH, backend, bad)).toThrow(refused);
    expect(() => SChunk.openHandle(backend.open(PATH, "r"), bad)).toThrow(refused);
    using s = SChunk.open(PATH, backend);
    expect(() => s.copy(bad)).toThrow(refused);
  });
});
