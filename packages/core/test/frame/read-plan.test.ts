import { describe, expect, it } from "vitest";
import { type ChunkPlacement, planChunks, planHeader, planIndex } from "../../src/frame/read-plan.js";
import { rangeCacheHandle } from "../../src/io/range-cache-handle.js";
import { SChunk } from "../../src/super-chunk/super-chunk.js";
import { frameBytes, frameFixture } from "./frame-fixtures.js";

describe("read plans", () => {
  const placement = { position: 1000, headerLength: 97, cbytes: 5000, offsets: [3000, 0, -1, 1000] };

  it("reach from a chunk to the next one in the file", () => {
    expect(planChunks(placement, [3], 0)).toEqual([{ position: 2097, byteLength: 2000 }]);
    expect(planChunks(placement, [0], 0)).toEqual([{ position: 4097, byteLength: 2000 }]);
  });

  it("join what is near, in the order of the file, and leave special chunks out", () => {
    expect(planChunks(placement, [0, 1], 0)).toEqual([
      { position: 1097, byteLength: 1000 },
      { position: 4097, byteLength: 2000 },
    ]);
    expect(planChunks(placement, [0, 1, 1, 2], 2000)).toEqual([{ position: 1097, byteLength: 5000 }]);
    expect(planChunks(placement, [2])).toEqual([]);
  });

  it("name all that reading some chunks takes", () => {
    const file = frameBytes(frameFixture("frame/set-slice"));
    const bytesOf = ({ position, byteLength }: { position: number; byteLength: number }) => ({
      position,
      bytes: file.slice(position, position + byteLength),
    });
    const first = planHeader(0, file.byteLength);
    const rest = planIndex(file.subarray(0, first.byteLength), 0, file.byteLength);
    expect(first.byteLength).toBe(4096);
    expect(rest).toHaveLength(1);
    using local = SChunk.fromCframe(file);
    const described = SChunk.openHandle(rangeCacheHandle(file.byteLength, [first, ...rest].map(bytesOf)).handle);
    const plan = planChunks(described.placement as ChunkPlacement, [0, 3]);
    const ranges = [first, ...rest, ...plan].map(bytesOf);
    using remote = SChunk.openHandle(rangeCacheHandle(file.byteLength, ranges).handle);
    for (const i of [0, 3]) expect(remote.decompressChunk(i)).toEqual(local.decompressChunk(i));
  });

  it("need no second fetch for a small frame", () => {
    const file = frameBytes(frameFixture("frame/one"));
    expect(planIndex(file, 0, file.byteLength)).toEqual([]);
  });
});
