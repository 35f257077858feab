import { expect, it } from "vitest";
import { zeros } from "../../src/b2nd/create-array.js";
import { openArray } from "../../src/b2nd/open-array.js";
import { memory } from "../../src/io/memory-backend.js";
import { SChunk } from "../../src/super-chunk/super-chunk.js";
import { repairFrame } from "../../src/verify/repair-frame.js";

it("prefers data to the zeros that an array began with", () => {
  const backend = memory();
  const values = Int32Array.from({ length: 4000 }, (_, i) => i + 1);
  const array = zeros([4, 1000], { urlpath: "a", io: backend, dtype: "<i4", chunks: [1, 1000], blocks: [1, 1000] });
  array.set([], values);
  array.close();
  using opened = SChunk.open("a", backend);
  const { position } = [...opened.iterChunksInfo()][2] as { position: number };
  const handle = backend.open("a", "r+");
  const bytes = handle.read(0, handle.size()).slice();
  handle.close();
  // The start of the third chunk's block.
  bytes.fill(0xff, position + 32, position + 36);
  const damaged = backend.open("broken", "w+");
  damaged.write(0, bytes);
  damaged.close();
  const report = repairFrame("broken", backend, "whole", backend);
  expect(report).toMatchObject({
    indexSource: "committed",
    chunksRecovered: 3,
    chunksLost: 1,
    zeroedChunks: [{ start: 2, stop: 3 }],
  });
  using saved = openArray("whole", { io: backend });
  expect(saved.getSlice().data).toEqual(values.map((value, i) => (i >= 2000 && i < 3000 ? 0 : value)));
});
