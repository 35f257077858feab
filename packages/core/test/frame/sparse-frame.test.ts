import { describe, expect, it } from "vitest";
import { IoError } from "../../src/errors.js";
import type { IoBackend } from "../../src/io/backend.js";
import { memory } from "../../src/io/memory-backend.js";
import { newFileName } from "../../src/io/new-file.js";
import { SChunk } from "../../src/super-chunk/super-chunk.js";
import { directoryBackend } from "./directory-backend.js";

const PATH = "s.b2frame";
const INDEX = `${PATH}/chunks.b2frame`;

function bytes(value: number, length = 40): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (value * 31 + i * 7 + 1) & 255);
}

function chunkFiles(...numbers: number[]): string[] {
  return numbers.map((number) => `${PATH}/0000000${number}.chunk`);
}

function sparse(chunks = 0): { s: SChunk; backend: ReturnType<typeof directoryBackend> } {
  const backend = directoryBackend();
  const s = SChunk.create({ urlpath: PATH, io: backend, contiguous: false, typesize: 1, cparams: { clevel: 0 } });
  for (let i = 0; i < chunks; i++) s.appendData(bytes(i));
  return { s, backend };
}

describe("sparse frames", () => {
  it("name chunk files as C-Blosc2 does", () => {
    const { s, backend } = sparse(3);
    s.close();
    expect(backend.files()).toEqual([...chunkFiles(0, 1, 2), INDEX]);
    using reader = SChunk.open(PATH, backend);
    expect([...reader.iterChunks()]).toEqual([bytes(0), bytes(1), bytes(2)]);
    expect(reader.contiguous).toBe(false);
  });

  it("keep the files of the last commit until the next one, and use low numbers again", () => {
    const { s, backend } = sparse(3);
    s.flush();
    s.updateData(1, bytes(7));
    s.deleteChunk(2);
    expect(backend.files()).toEqual([...chunkFiles(0, 1, 2, 3), INDEX]);
    {
      using reader = SChunk.open(PATH, backend);
      expect([...reader.iterChunks()]).toEqual([bytes(0), bytes(1), bytes(2)]);
    }
    s.flush();
    expect(backend.files()).toEqual([...chunkFiles(0, 3), INDEX]);
    s.appendData(bytes(8));
    s.close();
    expect(backend.files()).toEqual([...chunkFiles(0, 1, 3), INDEX]);
    using reader = SChunk.open(PATH, backend);
    expect([...reader.iterChunks()]).toEqual([bytes(0), bytes(7), bytes(8)]);
  });

  it("have no file for an update that was superseded before the commit", () => {
    const { s, backend } = sparse(1);
    for (let i = 0; i < 5; i++) s.updateData(0, bytes(i));
    s.close();
    expect(backend.files()).toEqual([...chunkFiles(0), INDEX]);
  });

  it("keep file numbers below what C-Blosc2 takes for the end of the frame", () => {
    const { s, backend } = sparse();
    for (let i = 0; i < 60; i++) s.appendData(bytes(i, 4));
    s.flush();
    while (s.nchunks > 1) s.deleteChunk(0);
    s.updateData(0, bytes(9, 4));
    s.close();
    // One chunk of 36 bytes: offsets, which numbers are checked as, may be at most 4.
    expect(backend.files()).toEqual([...chunkFiles(0), INDEX]);
    using reader = SChunk.open(PATH, backend);
    expect([...reader.iterChunks()]).toEqual([bytes(9, 4)]);
  });

  it("ignore files that the index does not name, and remove them in compact", () => {
    const { s, backend } = sparse(1);
    s.close();
    const stray = backend.open(`${PATH}/00000007.chunk`, "w+");
    stray.write(0, bytes(1, 10));
    stray.close();
    using reader = SChunk.open(PATH, backend, { mode: "r+" });
    expect(reader.nchunks).toBe(1);
    expect(reader.deadBytes).toBe(10);
    reader.compact();
    expect(backend.files()).toEqual([...chunkFiles(0), INDEX]);
    expect(reader.deadBytes).toBe(0);
  });

  it("count what their chunks take in cbytes, which falls with deletion", () => {
    const { s } = sparse(2);
    expect(s.cbytes).toBe(2 * 72);
    s.deleteChunk(0);
    expect(s.cbytes).toBe(72);
    s.close();
  });

  it("are replaced as a whole by create, but not if anything else is in the directory", () => {
    const { s, backend } = sparse(2);
    s.close();
    SChunk.create({ urlpath: PATH, io: backend, typesize: 1 }).close();
    expect(backend.files()).toEqual([PATH]);
    backend.remove(PATH);
    const { s: again, backend: other } = sparse(1);
    again.close();
    other.open(`${PATH}/notes.txt`, "w+").close();
    expect(() => SChunk.create({ urlpath: PATH, io: other })).toThrow("notes.txt");
    expect(other.files()).toContain(INDEX);
  });

  it("are replaced also when a writer was killed while it replaced the index file", () => {
    const backend = directoryBackend();
    SChunk.create({ urlpath: "d", io: backend, contiguous: false, data: new Uint8Array(10) }).close();
    const leftOver = backend.open(`d/${newFileName()}`, "w+");
    leftOver.write(0, new Uint8Array(5));
    leftOver.close();
    SChunk.create({ urlpath: "d", io: backend, contiguous: false, data: new Uint8Array(20) }).close();
    expect(backend.files()).toEqual(["d/00000000.chunk", "d/chunks.b2frame"]);
  });

  it("are refused by a backend without them, which is named, with one that has them", () => {
    const backend = memory();
    const refusal = expect.objectContaining({ name: "UnsupportedError", code: "BLOSC2_UNSUPPORTED_BACKEND" });
    expect(() => SChunk.create({ urlpath: PATH, io: backend, contiguous: false })).toThrow(refusal);
    backend.open(INDEX, "w+").close();
    expect(() => SChunk.open(PATH, backend)).toThrow(refusal);
    expect(() => SChunk.open(PATH, backend)).toThrow(/s\.b2frame.*memory backend.*stdio/);
  });

  it("are not opened by their index file, nor a contiguous frame as a directory", () => {
    const { s, backend } = sparse(1);
    s.close();
    expect(() => SChunk.open(INDEX, backend)).toThrow("a sparse frame is opened by its directory");
    const plain = SChunk.create({ typesize: 1, data: bytes(1) }).toCframe();
    const handle = backend.open(INDEX, "w+");
    handle.write(0, plain);
    handle.close();
    expect(() => SChunk.open(PATH, backend)).toThrow("1 (sparse) in a directory");
  });

  it("report a missing and a cut chunk file when it is read", () => {
    const { s, backend } = sparse(2);
    s.close();
    backend.remove(`${PATH}/00000000.chunk`);
    const handle = backend.open(`${PATH}/00000001.chunk`, "r+");
    handle.truncate(50);
    handle.close();
    using reader = SChunk.open(PATH, backend);
    expect(() => reader.decompressChunk(0)).toThrow(expect.objectContaining({ code: "BLOSC2_IO_NOT_FOUND" }));
    expect(() => reader.decompressChunk(1)).toThrow(expect.objectContaining({ code: "BLOSC2_FORMAT_TRUNCATED" }));
  });

  it("close all their files, though one can't be closed well", () => {
    const { s, backend } = sparse(3);
    s.close();
    let open = 0;
    const failing: IoBackend = {
      ...backend,
      open(path, mode) {
        const handle = backend.open(path, mode);
        open++;
        return {
          size: () => handle.size(),
          read: (position, length) => handle.read(position, length),
          readInto: (position, target) => handle.readInto(position, target),
          write: (position, data) => handle.write(position, data),
          truncate: (size) => handle.truncate(size),
          flush: () => handle.flush(),
          close() {
            open--;
            handle.close();
            if (path === chunkFiles(0)[0]) throw new IoError("BLOSC2_IO_FAILED", "injected", { operation: "close" });
          },
        };
      },
    };
    const reader = SChunk.open(PATH, failing);
    expect([...reader.iterChunks()]).toHaveLength(3);
    expect(() => reader.close()).toThrow("injected");
    expect(open).toBe(0);
  });

  it("follow another writer with refresh", () => {
    const { s, backend } = sparse(1);
    s.flush();
    using reader = SChunk.open(PATH, backend);
    s.updateData(0, bytes(5));
    s.appendData(bytes(6));
    s.close();
    reader.refresh();
    expect([...reader.iterChunks()]).toEqual([bytes(5), bytes(6)]);
  });
});

it("B21: deleting a special chunk of a sparse frame removes no file", () => {
  const { s, backend } = sparse();
  s.close();
  using t = SChunk.create({ urlpath: PATH, io: backend, contiguous: false, typesize: 1 });
  t.appendData(new Uint8Array(40));
  t.appendData(bytes(1));
  t.deleteChunk(0);
  t.flush();
  expect(backend.files()).toEqual([...chunkFiles(0), INDEX]);
  expect([...t.iterChunks()]).toEqual([bytes(1)]);
});
