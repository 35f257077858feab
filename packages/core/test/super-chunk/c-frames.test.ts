import { beforeAll, describe, expect, it } from "vitest";
import { registerCodec } from "../../src/codec/codec-registry.js";
import { isBlosc2Error } from "../../src/errors.js";
import { memoryHandle } from "../../src/io/memory-backend.js";
import { SChunk } from "../../src/super-chunk/super-chunk.js";
import { loadZstd } from "../../src/zstd.js";
import {
  described,
  type FrameFixture,
  fixtureFile,
  frameBytes,
  frameFixtures,
  sha256,
  sparseFixture,
} from "../frame/frame-fixtures.js";

const SPECIALS = [undefined, "zeros", "nan", "value", "uninit"];

beforeAll(async () => registerCodec(await loadZstd(), { replace: true, allowReserved: true }));

function expectContent(s: SChunk, fixture: FrameFixture): void {
  expect(s.nchunks).toBe(fixture.nchunks);
  expect(s.nbytes).toBe(fixture.nbytes);
  expect(s.typesize).toBe(fixture.typesize);
  expect(s.chunksize).toBe(fixture.chunksize);
  const chunks = [...s.iterChunks()];
  if (fixture.uninit !== true) expect(sha256(...chunks)).toBe(fixture.sha256);
  const infos = [...s.iterChunksInfo()];
  fixture.chunks?.forEach((chunk, i) => {
    expect(chunks[i]?.byteLength).toBe(chunk.nbytes);
    expect(infos[i]).toMatchObject({ index: i, nbytes: chunk.nbytes, special: SPECIALS[chunk.special] });
  });
  expect([...s.meta].map(([name]) => name)).toEqual(fixture.meta.map(({ name }) => name));
  for (const content of fixture.meta) {
    expect(described(content, s.meta.get(content.name))).toBe(content.hex ?? content.sha256);
  }
  expect([...s.vlmeta].map(([name]) => name)).toEqual(fixture.vlmeta.map(({ name }) => name));
  for (const content of fixture.vlmeta) {
    expect(described(content, s.vlmeta.get(content.name))).toBe(content.hex ?? content.sha256);
  }
  for (const slice of fixture.slices ?? []) {
    expect(sha256(s.getSlice(slice.start, slice.stop))).toBe(slice.sha256);
  }
}

describe("contiguous frames of C-Blosc2", () => {
  it.each(frameFixtures("cframe").map((fixture) => [fixture.id, fixture] as const))("%s", (_, fixture) => {
    const bytes = frameBytes(fixture);
    using inFile = SChunk.openHandle(memoryHandle(fixtureFile(fixture)), { offset: fixture.offset });
    expectContent(inFile, fixture);
    expect(inFile.cbytes).toBe(fixture.nchunks === 0 ? 0 : fixture.cbytes);
    const stored = fixture.chunks?.map(({ cbytes }) => cbytes);
    if (stored !== undefined) expect([...inFile.iterChunksInfo()].map(({ cbytes }) => cbytes)).toEqual(stored);
    using inMemory = SChunk.fromCframe(bytes);
    expectContent(inMemory, fixture);
    using rewritten = SChunk.fromCframe(inMemory.toCframe());
    expectContent(rewritten, fixture);
    expect(rewritten.deadBytes).toBe(0);
  });
});

describe("sparse frames of C-Blosc2", () => {
  it.each(frameFixtures("sframe").map((fixture) => [fixture.id, fixture] as const))("%s", (_, fixture) => {
    using s = SChunk.open(fixture.file, sparseFixture(fixture));
    expect(s.contiguous).toBe(false);
    expectContent(s, fixture);
    expect(s.cbytes).toBe(fixture.cbytes);
    using contiguous = SChunk.fromCframe(s.toCframe());
    expectContent(contiguous, fixture);
  });
});

/** Reads all that there is, as the manifest's hashes do. */
function readAll(s: SChunk): string {
  const parts = [...s.iterChunks()];
  for (const [, content] of s.vlmeta) parts.push(content);
  s.close();
  return sha256(...parts);
}

function outcome(open: () => SChunk): string | Error {
  try {
    return readAll(open());
  } catch (error) {
    return error as Error;
  }
}

function expectOutcome(fixture: FrameFixture, way: string, result: string | Error): void {
  const rejected = result instanceof Error;
  if (rejected) expect(isBlosc2Error(result), String(result)).toBe(true);
  const ofC = fixture.c?.[way];
  const sameAsC = ofC?.result === "ok" ? result === ofC.sha256 : true;
  if (fixture.expect === "accept") expect(result).toBe(ofC?.sha256);
  if (fixture.expect === "reject") expect(rejected, `${way}: decoded`).toBe(true);
  if (fixture.expect === "same-bytes-or-reject") expect(rejected || sameAsC).toBe(true);
}

describe("malformed frames", () => {
  it.each(frameFixtures("malformed-frame").map((fixture) => [fixture.id, fixture] as const))("%s", (_, fixture) => {
    const bytes = frameBytes(fixture);
    expectOutcome(
      fixture,
      "file",
      outcome(() => SChunk.openHandle(memoryHandle(bytes))),
    );
    expectOutcome(
      fixture,
      "buffer",
      outcome(() => SChunk.fromCframe(bytes)),
    );
  });

  it.each(frameFixtures("malformed-sframe").map((fixture) => [fixture.id, fixture] as const))("%s", (_, fixture) => {
    const backend = sparseFixture(fixture);
    expectOutcome(
      fixture,
      "file",
      outcome(() => SChunk.open(fixture.file, backend)),
    );
  });
});
