/** Frames that are decompressed from where the file lies in the kernels' memory. */
import { readdirSync, readFileSync, truncateSync } from "node:fs";
import { type IoBackend, isBlosc2Error, SChunk } from "@b2frame/core";
import { temporaryFiles } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { mmap } from "../src/index.js";
import { AVAILABLE } from "./drivers.js";

const files = temporaryFiles();
const CHUNK = 2 ** 20;
/** More chunks than are copied before a file is mapped, of which each has half as many bytes compressed. */
const CHUNKS = 6;

/** Noise that is there twice in each block: LZ4 halves it. */
function content(chunk: number, byteLength = CHUNK): Uint8Array {
  const bytes = new Uint8Array(byteLength);
  let state = chunk + 1;
  for (let at = 0; at < byteLength; at += 32_768) {
    for (let i = 0; i < 16_384; i++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      bytes[at + i] = state >>> 24;
    }
    bytes.copyWithin(at + 16_384, at, at + 16_384);
  }
  return bytes;
}

function putFrame(first = 0, blocksize = 32_768): string {
  const path = files.path();
  using frame = SChunk.create({
    ...{ urlpath: path, io: mmap(), typesize: 1, chunksize: CHUNK },
    cparams: { codec: "lz4", filters: [], blocksize },
  });
  for (let chunk = 0; chunk < CHUNKS; chunk++) frame.appendData(content(first + chunk));
  return path;
}

function expectContent(frame: SChunk, first = 0, count: number = CHUNKS): void {
  expect(frame.nchunks).toBe(count);
  for (let chunk = 0; chunk < count; chunk++) {
    expect(Buffer.compare(frame.decompressChunk(chunk), content(first + chunk))).toBe(0);
  }
}

/** Maps of the file in this process that can't be written: those in the kernels' memory. */
function windowsOf(path: string): number {
  return readFileSync("/proc/self/maps", "latin1")
    .split("\n")
    .filter((line) => line.endsWith(path) && line.includes(" r--p ")).length;
}

describe.runIf(AVAILABLE.includes("koffi") && process.platform === "linux")("frames in the kernels' memory", () => {
  it("are mapped there, read right, and gone from there after close", () => {
    const path = putFrame();
    const io = mmap({ driver: "koffi" });
    const frame = SChunk.open(path, io);
    expectContent(frame);
    expect(windowsOf(path)).toBeGreaterThan(0);
    expectContent(frame);
    frame.close();
    expect(windowsOf(path)).toBe(0);
    expect(io.diagnostics).toEqual([]);
  });

  it("share the windows, and can be closed in any order", () => {
    const paths = Array.from({ length: 12 }, (_, i) => putFrame(100 * i));
    const frames = paths.map((path) => SChunk.open(path, mmap()));
    for (const [i, frame] of frames.entries()) expectContent(frame, 100 * i);
    expect(paths.reduce((sum, path) => sum + windowsOf(path), 0)).toBeLessThanOrEqual(8);
    for (const i of [3, 11, 0, 7]) (frames[i] as SChunk).close();
    for (const i of [1, 2, 4, 5, 6, 8, 9, 10]) expectContent(frames[i] as SChunk, 100 * i);
    for (const i of [10, 1, 9, 2, 8, 4, 6, 5]) (frames[i] as SChunk).close();
    for (const path of paths) expect(windowsOf(path)).toBe(0);
  });

  it("stay right while the memory grows for larger blocks", () => {
    const path = putFrame();
    using frame = SChunk.open(path, mmap());
    expectContent(frame);
    expect(windowsOf(path)).toBeGreaterThan(0);
    const large = content(50, 24 * CHUNK);
    using other = SChunk.create({ typesize: 1, chunksize: large.byteLength, cparams: { blocksize: large.byteLength } });
    other.appendData(large);
    expect(Buffer.compare(other.decompressChunk(0), large)).toBe(0);
    expectContent(frame);
    expect(windowsOf(path)).toBeGreaterThan(0);
  });

  it("stay right while they grow, change and are compacted", () => {
    const path = putFrame();
    using frame = SChunk.open(path, mmap(), { mode: "r+" });
    expectContent(frame);
    for (let chunk = CHUNKS; chunk < CHUNKS + 4; chunk++) {
      frame.appendData(content(chunk));
      expectContent(frame, 0, chunk + 1);
    }
    frame.updateData(2, content(77));
    expect(Buffer.compare(frame.decompressChunk(2), content(77))).toBe(0);
    frame.commit();
    frame.compact();
    expect(Buffer.compare(frame.decompressChunk(2), content(77))).toBe(0);
    frame.updateData(2, content(2));
    expectContent(frame, 0, CHUNKS + 4);
  });

  it("show what another writer has committed after a refresh", () => {
    const path = putFrame();
    using reader = SChunk.open(path, mmap());
    expectContent(reader);
    {
      using writer = SChunk.open(path, mmap(), { mode: "r+" });
      writer.appendData(content(CHUNKS));
    }
    reader.refresh();
    expectContent(reader, 0, CHUNKS + 1);
  });

  it("give an error when another process has cut them, and the process lives", () => {
    const path = putFrame();
    using frame = SChunk.open(path, mmap());
    expectContent(frame);
    truncateSync(path, 1_000_000);
    expect(() => frame.decompressChunk(CHUNKS - 1)).toThrow(
      expect.toSatisfy((error: unknown) => isBlosc2Error(error)) as Error,
    );
    expect(Buffer.compare(frame.decompressChunk(0), content(0))).toBe(0);
  });

  it("leave no map and no descriptor behind, however often they are opened", () => {
    const path = putFrame();
    const into = { target: new Uint8Array(CHUNK) };
    const readAll = (io: IoBackend): void => {
      using frame = SChunk.open(path, io);
      for (let chunk = 0; chunk < CHUNKS; chunk++) frame.decompressChunk(chunk, into);
    };
    const counts = (): number[] => [
      readFileSync("/proc/self/maps", "latin1").split("\n").length,
      readdirSync("/proc/self/fd").length,
    ];
    readAll(mmap());
    const [maps, descriptors] = counts() as [number, number];
    for (let i = 0; i < 300; i++) readAll(mmap());
    const [mapsAfter, descriptorsAfter] = counts() as [number, number];
    expect(windowsOf(path)).toBe(0);
    // The runtime's own heap has a few maps more or less.
    expect(mapsAfter - maps).toBeLessThan(100);
    expect(descriptorsAfter).toBe(descriptors);
  });
});

describe.runIf(AVAILABLE.includes("mmap-io"))("where the driver can't map into memory", () => {
  it("bytes are copied, and the diagnostics say so without a warning", () => {
    const path = putFrame();
    const io = mmap({ driver: "mmap-io" });
    using frame = SChunk.open(path, io);
    expectContent(frame);
    expect(io.capabilities.mapsInto).toBe(false);
    expect(io.diagnostics.map(({ kind }) => kind)).toEqual(["copied"]);
  });
});
