/** Results in the kernels' memory, and chunks that are lent. */
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { allocate, checkLentMemory } from "../../src/codec.js";
import { asarray, isBlosc2Error, SChunk } from "../../src/index.js";
import { allocateShared, attachShared, type Sharing, sharingOf } from "../../src/threads.js";

const CHUNK = 200_000;

/** Numbers that compress, of which no two chunks have the same. */
function numbers(chunk: number, byteLength: number): Uint8Array {
  const items = new Int32Array(byteLength / 4);
  for (let i = 0; i < items.length; i++) items[i] = chunk * 1_000_003 + (i % 977) * 31;
  return new Uint8Array(items.buffer);
}

function frameOf(chunks: number, cparams: object = {}, chunksize = CHUNK): SChunk {
  const frame = SChunk.create({ typesize: 4, chunksize, cparams: { codec: "lz4", ...cparams } });
  for (let chunk = 0; chunk < chunks; chunk++) frame.appendData(numbers(chunk, chunksize));
  return frame;
}

/** Memory that other threads see, as the thread that made it has it. */
function shared(byteLength: number): Uint8Array {
  const { bytes } = allocateShared(byteLength, 2);
  if (bytes === undefined) throw new Error("no memory can be shared here");
  return bytes;
}

/** As another thread has it. */
function attached(byteLength: number): Uint8Array {
  return attachShared(sharingOf(shared(byteLength)) as Sharing, 2);
}

describe.each([
  ["allocate", allocate],
  ["allocateShared", shared],
  ["attachShared", attached],
])("memory of %s", (_, allocateSome) => {
  it("gives zeros of the length, writable, that reads with other targets leave alone", () => {
    const memory = allocateSome(100_001);
    expect(memory.byteLength).toBe(100_001);
    expect(memory.every((byte) => byte === 0)).toBe(true);
    memory.fill(7);
    using frame = frameOf(3);
    expect(Buffer.compare(frame.decompressChunk(1), numbers(1, CHUNK))).toBe(0);
    expect(memory.every((byte) => byte === 7)).toBe(true);
    expect(allocateSome(0).byteLength).toBe(0);
  });

  const pipelines = [
    {},
    { filters: [] },
    { filters: ["delta", "shuffle"] },
    { filters: ["bitshuffle"], codec: "blosclz" },
    { codec: "zlib", clevel: 1 },
    { clevel: 0 },
    { splitmode: "never", blocksize: 40_004 },
  ];
  it.each(pipelines)("receives what any other array does, and nothing beside it: %j", (cparams) => {
    using frame = frameOf(4, cparams);
    const memory = allocateSome(CHUNK + 1000);
    const all = Buffer.concat([0, 1, 2, 3].map((chunk) => numbers(chunk, CHUNK)));
    const items = fc.tuple(fc.nat(CHUNK - 1), fc.nat(CHUNK / 4), fc.nat(900));
    fc.assert(
      fc.property(items, ([start, count, before]) => {
        const byteLength = 4 * Math.min(count, CHUNK - start);
        memory.fill(0xa5);
        frame.getSlice(start, start + byteLength / 4, { target: memory.subarray(before, before + byteLength) });
        expect(
          Buffer.compare(memory.subarray(before, before + byteLength), all.subarray(4 * start, 4 * start + byteLength)),
        ).toBe(0);
        expect(memory.subarray(0, before).every((byte) => byte === 0xa5)).toBe(true);
        expect(memory.subarray(before + byteLength).every((byte) => byte === 0xa5)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("is never detached: blocks that have no room beside it are decoded elsewhere", () => {
    const large = 24 * 2 ** 20;
    using small = frameOf(1);
    using frame = frameOf(1, { blocksize: large }, large);
    const memory = allocateSome(large);
    frame.decompressChunk(0, { target: memory });
    expect(Buffer.compare(memory, numbers(0, large))).toBe(0);
    small.decompressChunk(0, { target: memory });
    expect(Buffer.compare(memory.subarray(0, CHUNK), numbers(0, CHUNK))).toBe(0);
    expect(Buffer.compare(memory.subarray(CHUNK), numbers(0, large).subarray(CHUNK))).toBe(0);
  });

  it("receives parts of arrays", () => {
    const data = Float32Array.from({ length: 40 * 50 * 60 }, (_, i) => i);
    using array = asarray(data, { shape: [40, 50, 60], chunks: [20, 25, 30], blocks: [10, 10, 10] });
    const memory = allocateSome(4 * 7 * 30 * 33);
    array.getSlice([3, 10, 20], [10, 40, 53], undefined, { target: memory });
    const found = new Float32Array(memory.buffer, memory.byteOffset, 7 * 30 * 33);
    let wrong = 0;
    for (let i = 0, at = 0; i < 7; i++) {
      for (let j = 0; j < 30; j++) {
        for (let k = 0; k < 33; k++) if (found[at++] !== (i + 3) * 3000 + (j + 10) * 60 + k + 20) wrong++;
      }
    }
    expect(wrong).toBe(0);
  });
});

describe("allocate", () => {
  it.each([-1, 1.5, Number.NaN, 2 ** 53])("refuses a length of %d", (byteLength) => {
    let thrown: unknown;
    try {
      allocate(byteLength);
    } catch (error) {
      thrown = error;
    }
    expect(isBlosc2Error(thrown, "BLOSC2_ARGUMENT_INVALID")).toBe(true);
  });
});

describe("lendChunks", () => {
  afterEach(() => checkLentMemory(false));

  it("lends each chunk in turn, in the same memory, shorter ones and special ones among them", () => {
    using frame = frameOf(3);
    frame.appendData(new Uint8Array(CHUNK));
    frame.appendData(numbers(9, 4000));
    const places = new Set<number>();
    const lent: Buffer[] = [];
    for (const chunk of frame.lendChunks()) {
      places.add(chunk.byteOffset);
      lent.push(Buffer.from(chunk));
    }
    expect(places.size).toBe(1);
    const expected = [numbers(0, CHUNK), numbers(1, CHUNK), numbers(2, CHUNK), new Uint8Array(CHUNK), numbers(9, 4000)];
    expect(lent.map((chunk, i) => Buffer.compare(chunk, expected[i] as Uint8Array))).toEqual([0, 0, 0, 0, 0]);
  });

  it("overwrites what was lent when its time is over, in the mode that shows misuse", () => {
    checkLentMemory(true);
    using frame = frameOf(1);
    const kept = [...frame.lendChunks()];
    expect(kept[0]?.every((byte) => byte === 0xdb)).toBe(true);
  });

  it("allows other reads between two steps", () => {
    using frame = frameOf(3);
    const compared: number[] = [];
    let index = 0;
    for (const chunk of frame.lendChunks()) {
      expect(Buffer.compare(frame.decompressChunk(2 - index), numbers(2 - index, CHUNK))).toBe(0);
      compared.push(Buffer.compare(chunk, numbers(index++, CHUNK)));
    }
    expect(compared).toEqual([0, 0, 0]);
  });
});
