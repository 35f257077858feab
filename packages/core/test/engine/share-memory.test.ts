/** Memory that several threads decode into and encode from. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allocate, compressChunk, defaultEnvironment, resolveCParams } from "../../src/codec.js";
import { isBlosc2Error, SChunk } from "../../src/index.js";
import { allocateShared, attachShared, compressInto, type Sharing, sharingOf } from "../../src/threads.js";

const LENGTH = 300_000;

function shared(byteLength: number, threads = 2): Uint8Array {
  const { bytes } = allocateShared(byteLength, threads);
  if (bytes === undefined) throw new Error("no memory can be shared here");
  return bytes;
}

/** As a message brings it to another thread. */
function sent(bytes: Uint8Array): Sharing {
  return { ...(sharingOf(bytes) as Sharing) };
}

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40_000 }),
  fc
    .tuple(fc.nat(LENGTH), fc.integer({ min: 1, max: 2000 }))
    .map(([length, period]) => Uint8Array.from({ length }, (_, i) => (i % period) * 7)),
);
const CPARAMS = [
  {},
  { filters: ["delta", "shuffle"] },
  { filters: ["bitshuffle"], codec: "blosclz" },
  { codec: "lz4hc", clevel: 9, splitmode: "never" },
  { codec: "zlib", clevel: 1 },
  { codec: "lz4", useDict: true },
  { clevel: 0 },
];

describe.each(CPARAMS)("compressInto with %j", (options) => {
  it("makes the chunk that compressChunk makes, wherever source and target lie, and nothing beside it", () => {
    const environment = defaultEnvironment();
    const cparams = resolveCParams({ codec: "lz4", typesize: 4, ...options }, environment.codecs, environment.filters);
    const mine = shared(2 * LENGTH + 4096);
    const other = attachShared(sent(mine), 1);
    const targets = [new Uint8Array(2 * LENGTH), new Uint8Array(new SharedArrayBuffer(LENGTH + 100)), mine, other];
    const sources = [allocate(LENGTH), shared(LENGTH), mine.subarray(LENGTH + 4096), other.subarray(LENGTH + 4096)];
    fc.assert(
      fc.property(bytes, (content) => {
        const expected = compressChunk(content, cparams, environment);
        for (const memory of [content, ...sources]) {
          if (memory !== content) memory.set(content);
          for (const target of targets) {
            const end = content.byteLength + 32;
            target[end] = 0x77;
            const source = memory.subarray(0, content.byteLength);
            const cbytes = compressInto(source, cparams, environment, target.subarray(0, end));
            expect(Buffer.compare(target.subarray(0, cbytes), expected)).toBe(0);
            expect(target[end]).toBe(0x77);
            expect(Buffer.compare(source, content)).toBe(0);
          }
        }
      }),
      { numRuns: 12 },
    );
  });
});

it("refuses a target that a chunk might not fit into", () => {
  const environment = defaultEnvironment();
  const cparams = resolveCParams({ codec: "lz4" }, environment.codecs, environment.filters);
  let thrown: unknown;
  try {
    compressInto(new Uint8Array(100), cparams, environment, new Uint8Array(131));
  } catch (error) {
    thrown = error;
  }
  expect(isBlosc2Error(thrown, "BLOSC2_ARGUMENT_OUT_OF_RANGE")).toBe(true);
});

it("has one set of kernels for each thread, however often its memory is sent", () => {
  const memory = shared(LENGTH);
  const content = [{ filters: ["shuffle"] }, { filters: ["bitshuffle"] }, { filters: ["delta"] }].map((cparams, k) => {
    const items = Int32Array.from({ length: LENGTH / 4 }, (_, i) => i * (k + 3));
    const frame = SChunk.create({ typesize: 4, chunksize: LENGTH, cparams: { codec: "lz4", ...cparams } });
    frame.appendData(items);
    return { frame, expected: new Uint8Array(items.buffer) };
  });
  for (let round = 0; round < 3; round++) {
    for (const { frame, expected } of content) {
      for (const target of [memory, attachShared(sent(memory), 1), attachShared(sent(memory), 2)]) {
        target.fill(0);
        frame.decompressChunk(0, { target });
        // All of them see it.
        expect(Buffer.compare(memory, expected)).toBe(0);
      }
    }
  }
  for (const { frame } of content) frame.close();
});

it("says why there is none", () => {
  const tooMuch = allocateShared(2 ** 32, 1);
  expect(tooMuch.bytes).toBeUndefined();
  expect(tooMuch).toMatchObject({
    reason: "4294967296 bytes and the room of 2 threads exceed a memory of WebAssembly",
  });
  expect(allocateShared(1, 256).bytes).toBeUndefined();
  expect(sharingOf(allocate(10))).toBeUndefined();
});
