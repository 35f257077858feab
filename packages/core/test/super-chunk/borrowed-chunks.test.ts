/** New chunks are stored from the engine's memory, so nothing may use the engine between compressing and storing one. */
import { describe, expect, it } from "vitest";
import { compressChunk } from "../../src/chunk/compress-chunk.js";
import { memory } from "../../src/io/memory-backend.js";
import { SChunk } from "../../src/super-chunk/super-chunk.js";

const PATH = "m.b2frame";

function ramp(byteLength: number, seed: number): Uint8Array {
  return Uint8Array.from({ length: byteLength }, (_, i) => (i * i * (seed + 1)) >> 4);
}

describe.each(["kernels", "portable"] as const)("a chunk that the %s engine compressed is stored whole", (engine) => {
  it("in a frame with a long index", () => {
    const backend = memory();
    const entries = 10_000;
    {
      using s = SChunk.create({ urlpath: PATH, io: backend, engine, typesize: 1, chunksize: 64 });
      // Not special, so that the index has to tell them apart.
      const chunk = compressChunk(ramp(64, 1), { typesize: 1 });
      for (let i = 0; i < entries; i++) s.appendChunk(chunk);
    }
    const ways: ((s: SChunk) => void)[] = [
      (s) => s.appendData(ramp(64, 2)),
      (s) => s.updateData(entries, ramp(64, 2)),
      (s) => s.setSlice(entries * 64, ramp(64, 2)),
    ];
    for (const way of ways) {
      {
        using s = SChunk.open(PATH, backend, { mode: "r+", engine });
        way(s);
      }
      using reader = SChunk.open(PATH, backend);
      expect(reader.nchunks).toBe(entries + 1);
      expect(reader.decompressChunk(entries)).toEqual(ramp(64, 2));
    }
  });

  it("beside one whose blocksize has to be tried out", () => {
    using made = SChunk.create({ typesize: 4, chunksize: 4000 });
    const steps = Uint8Array.from({ length: 4000 }, (_, i) => i >> 5);
    // C-Blosc2 states such a blocksize, which is no multiple of the super-chunk's typesize, and cuts at 1000.
    const first = compressChunk(steps, { typesize: 1, blocksize: 1001, splitmode: "never" });
    made.appendChunk(first);
    using s = SChunk.fromCframe(made.toCframe(), { engine });
    s.appendData(ramp(4000, 2));
    expect(s.decompressChunk(1)).toEqual(ramp(4000, 2));
  });

  it("with its checksum, in a copy that keeps them", () => {
    using made = SChunk.create({ typesize: 1, chunksize: 200, checksum: true, engine });
    for (let i = 0; i < 50; i++) made.appendChunk(compressChunk(ramp(200, 1), { typesize: 1 }));
    using copy = made.copy();
    copy.appendData(ramp(200, 2));
    using checked = SChunk.fromCframe(copy.toCframe(), { checksum: true });
    expect(checked.decompressChunk(50)).toEqual(ramp(200, 2));
  });
});
