import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SChunk } from "@b2frame/core";
import { mappingDrivers } from "@b2frame/io-mmap";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type IoName, makeBackend } from "../src/backends.js";
import { changeFrame, contentOf, requireContents, writeFrameFarIn, writeLargeFrame } from "../src/large-frame.js";

const GIB = 2 ** 30;
const mapped = mappingDrivers().some(({ available }) => available);
const NAMES: IoName[] = mapped ? ["stdio", "mmap"] : ["stdio"];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "b2frame-large-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.each(NAMES)("a file of 5 GiB through %s", (io) => {
  it("has chunks past 2 GiB and 4 GiB, read and changed", () => {
    const backend = makeBackend(io);
    const path = join(folder, "far-apart.b2frame");
    const seeds = writeLargeFrame(path);
    const { size, blocks } = statSync(path);
    expect(size).toBeGreaterThan(5 * GIB);
    expect(blocks * 512).toBeLessThan(64 * 2 ** 20);
    requireContents(path, backend, 0, seeds);
    const positions = SChunk.open(path, backend);
    expect([...positions.iterChunksInfo()].filter(({ position = 0 }) => position > 2 * GIB)).toHaveLength(3);
    expect([...positions.iterChunksInfo()].filter(({ position = 0 }) => position > 4 * GIB)).toHaveLength(1);
    positions.close();
    const changed = changeFrame(path, backend, 0, seeds);
    expect(statSync(path).size).toBeGreaterThan(5 * GIB);
    requireContents(path, backend, 0, changed);
    for (const other of NAMES) requireContents(path, makeBackend(other), 0, changed);
  });

  it.each([
    ["past 2 GiB", 2 * GIB + 12_345],
    ["across 4 GiB", 4 * GIB - 500],
    ["past 4 GiB", 5 * GIB],
  ])("holds a frame that starts %s", (_, position) => {
    const backend = makeBackend(io);
    const path = join(folder, "far-in.bin");
    const seeds = writeFrameFarIn(path, backend, position);
    requireContents(path, backend, position, seeds);
    const changed = changeFrame(path, backend, position, seeds);
    for (const other of NAMES) requireContents(path, makeBackend(other), position, changed);
  });

  it("gives its holes back", () => {
    const backend = makeBackend(io);
    const path = join(folder, "far-apart.b2frame");
    const seeds = writeLargeFrame(path);
    const frame = SChunk.open(path, backend, { mode: "r+" });
    expect(frame.deadBytes).toBeGreaterThan(4.9 * GIB);
    frame.compact();
    expect(frame.deadBytes).toBe(0);
    frame.close();
    expect(statSync(path).size).toBeLessThan(seeds.length * contentOf(1).byteLength);
    requireContents(path, backend, 0, seeds);
  });
});
