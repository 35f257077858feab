import { existsSync } from "node:fs";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { createSChunk, type IoName, type OpenOptions, openArray, openSChunk, zeros } from "../../src/index.js";
import { FrameParty } from "./frame-party.js";

const folder = temporaryFolder();
const ITEMS = 64;
let count = 0;

const PLACES: readonly (readonly [name: string, io: IoName, contiguous: boolean])[] = [
  ["contiguous frames through stdio", "stdio", true],
  ["contiguous frames through mmap", "mmap", true],
  ["sparse frames through stdio", "stdio", false],
];

function firstItems(path: string): number[] {
  using schunk = openSChunk(path);
  return Array.from(schunk.iterChunks(), (bytes) => new Int32Array(bytes.buffer)[0] as number);
}

describe.each(PLACES)("processes that lock %s", (_, io, contiguous) => {
  // Not to wait for disks, which serve other programs, too.
  const options: OpenOptions = { io, mode: "r+", locking: { wait: "forever" }, durability: "process" };
  const refused: OpenOptions = { ...options, locking: { wait: 0 } };

  function newPath(): string {
    return `${folder}/frame-${count++}`;
  }

  /** A frame with one chunk of zeros. */
  function newFrame(): string {
    const path = newPath();
    using schunk = createSChunk(path, { io, contiguous, typesize: 4, locking: true });
    schunk.appendData(new Int32Array(ITEMS));
    expect(existsSync(contiguous ? `${path}.b2lock` : `${path}/.b2lock`)).toBe(true);
    return path;
  }

  function newArray(): string {
    const path = newPath();
    zeros([1, 8], { io, contiguous, dtype: "<i4", chunks: [3, 8], urlpath: path, locking: true }).close();
    return path;
  }

  it("append in turns, and lose nothing", async () => {
    const path = newFrame();
    await using first = await FrameParty.open(path, options);
    await using second = await FrameParty.open(path, options);
    for (let i = 1; i <= 10; i++) {
      const writer = i % 2 === 0 ? first : second;
      expect(await writer.do("append", { value: i })).toBe(i + 1);
      await writer.do("flush");
    }
    const all = Array.from({ length: 11 }, (__, i) => i);
    expect(await first.do("values")).toEqual(all);
    expect(await second.do("values")).toEqual(all);
    await first.do("close");
    await second.do("close");
    expect(firstItems(path)).toEqual(all);
  });

  it("append at the same time, and lose nothing", async () => {
    const path = newFrame();
    const writers = await Promise.all([1, 2, 3].map(() => FrameParty.open(path, options)));
    const series = writers.map((__, w) => Array.from({ length: 15 }, (___, i) => 100 * (w + 1) + i));
    await Promise.all(writers.map((writer, w) => writer.do("append-all", { values: series[w] })));
    for (const writer of writers) await writer[Symbol.asyncDispose]();
    const found = firstItems(path).slice(1);
    for (const values of series) expect(found.filter((value) => values.includes(value))).toEqual(values);
    expect(found.length).toBe(45);
  });

  it("read and change in one turn while they hold the lock", async () => {
    const path = newFrame();
    const writers = await Promise.all([1, 2].map(() => FrameParty.open(path, options)));
    await Promise.all(writers.map((writer) => writer.do("count-up", { times: 20 })));
    for (const writer of writers) await writer[Symbol.asyncDispose]();
    expect(firstItems(path)).toEqual([40]);
  });

  it("refuse a second writer, and readers, until the first commits", async () => {
    const path = newFrame();
    await using first = await FrameParty.open(path, refused);
    await using second = await FrameParty.open(path, refused);
    await first.do("append", { value: 1 });
    const { code, message } = await second.fails("append", { value: 2 });
    expect(code).toBe("BLOSC2_IO_LOCKED");
    for (const part of [path, ".b2lock", "another program", "wait longer"]) expect(message).toContain(part);
    expect((await second.fails("values")).code).toBe("BLOSC2_IO_LOCKED");
    expect(() => openSChunk(path, { io, locking: { wait: 0 } })).toThrow(
      expect.objectContaining({ code: "BLOSC2_IO_LOCKED" }),
    );
    expect(firstItems(path)).toEqual([0]);
    await first.do("flush");
    expect(await second.do("append", { value: 2 })).toBe(3);
    await second.do("close");
    expect(await first.do("values")).toEqual([0, 1, 2]);
  });

  it("give the lock back when they close, and when they are killed", async () => {
    const path = newFrame();
    await using first = await FrameParty.open(path, refused);
    await using killed = await FrameParty.open(path, refused);
    await first.do("append", { value: 1 });
    await first.do("close");
    await killed.do("append", { value: 2 });
    await killed.kill();
    await using third = await FrameParty.open(path, refused);
    expect(await third.do("append", { value: 3 })).toBe(3);
    await third.do("close");
    expect(firstItems(path)).toEqual([0, 1, 3]);
  });

  it("wait for one who holds the lock", async () => {
    const path = newFrame();
    await using first = await FrameParty.open(path, options);
    await using second = await FrameParty.open(path, { ...options, locking: { wait: 600_000 } });
    await first.do("lock");
    const waiting = second.do("append", { value: 2 });
    await first.do("append", { value: 1 });
    await first.do("release");
    expect(await waiting).toBe(3);
    await second.do("close");
    expect(await first.do("values")).toEqual([0, 1, 2]);
  });

  it("follow an array's shape", async () => {
    const path = newArray();
    await using first = await FrameParty.open(path, options, true);
    await using second = await FrameParty.open(path, options, true);
    for (let i = 1; i <= 6; i++) {
      const writer = i % 2 === 0 ? first : second;
      expect(await writer.do("append-row", { value: i })).toEqual([i + 1, 8]);
      await writer.do("flush");
    }
    expect(await second.do("shape")).toEqual([6, 8]);
    expect(await second.do("rows")).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(await second.do("shape")).toEqual([7, 8]);
    using reader = openArray(path, { io, locking: { wait: 0 } });
    expect(reader.shape).toEqual([7, 8]);
  });

  it("append rows to an array at the same time, and lose nothing", async () => {
    const path = newArray();
    const writers = await Promise.all([1, 2].map(() => FrameParty.open(path, options, true)));
    const series = writers.map((__, w) => Array.from({ length: 10 }, (___, i) => 100 * (w + 1) + i));
    await Promise.all(writers.map((writer, w) => writer.do("append-all", { values: series[w] })));
    for (const writer of writers) await writer[Symbol.asyncDispose]();
    using array = openArray(path);
    expect(array.shape).toEqual([21, 8]);
    const found = array.get([null, 7]).toNestedArray() as number[];
    for (const values of series) expect(found.filter((value) => values.includes(value))).toEqual(values);
  });
});

describe.each(PLACES)("a reader of %s", (_, io, contiguous) => {
  it("follows a writer's commits by refresh, without a lock", async () => {
    const path = `${folder}/frame-${count++}`;
    using writer = createSChunk(path, { io, contiguous, typesize: 4 });
    writer.appendData(new Int32Array(ITEMS));
    writer.flush();
    await using reader = await FrameParty.open(path, { io });
    expect(await reader.do("values")).toEqual([0]);
    for (let i = 1; i <= 5; i++) {
      writer.appendData(new Int32Array(ITEMS).fill(i));
      await reader.do("refresh");
      expect(await reader.do("nchunks")).toBe(i);
      writer.flush();
      expect(await reader.do("nchunks")).toBe(i);
      await reader.do("refresh");
      expect(await reader.do("values")).toEqual(Array.from({ length: i + 1 }, (__, chunk) => chunk));
    }
    writer.updateData(0, new Int32Array(ITEMS).fill(9));
    writer.deleteChunk(1);
    writer.compact();
    await reader.do("refresh");
    expect(await reader.do("values")).toEqual([9, 2, 3, 4, 5]);
  });

  it("follows an array's shape by refresh, without a lock", async () => {
    const path = `${folder}/frame-${count++}`;
    zeros([1, 8], { io, contiguous, dtype: "<i4", chunks: [3, 8], urlpath: path }).close();
    await using writer = await FrameParty.open(path, { io, mode: "r+" }, true);
    await using reader = await FrameParty.open(path, { io }, true);
    for (let i = 1; i <= 5; i++) {
      await writer.do("append-row", { value: i });
      await writer.do("flush");
      expect(await reader.do("shape")).toEqual([i, 8]);
      await reader.do("refresh");
      expect(await reader.do("shape")).toEqual([i + 1, 8]);
      expect(await reader.do("rows")).toEqual(Array.from({ length: i + 1 }, (__, row) => row));
    }
  });
});
