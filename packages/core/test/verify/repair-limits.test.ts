import { expect, it } from "vitest";
import { asarray } from "../../src/b2nd/create-array.js";
import { openArray } from "../../src/b2nd/open-array.js";
import { blosclzCodec } from "../../src/codec/blosclz-codec.js";
import { CodecRegistry } from "../../src/codec/codec-registry.js";
import type { IoBackend } from "../../src/io/backend.js";
import { memory } from "../../src/io/memory-backend.js";
import { SChunk } from "../../src/super-chunk/super-chunk.js";
import { repairFrame } from "../../src/verify/repair-frame.js";
import { verifyFrame } from "../../src/verify/verify-frame.js";

/** The file of an array of ten chunks of one item, whose shape says `items`. */
function arrayThatAsks(items: bigint): IoBackend {
  using array = asarray(
    Int32Array.from({ length: 10 }, (_, i) => i + 1),
    { chunks: [1], blocks: [1] },
  );
  const frame = array.toCframe();
  // The shape is the metalayer's first 64-bit integer: a marker and eight bytes, most significant first.
  const marker = frame.findIndex((byte, at) => byte === 0xd3 && at > 97 && frame[at + 8] === 10);
  new DataView(frame.buffer, frame.byteOffset).setBigInt64(marker + 1, items);
  const backend = memory();
  const handle = backend.open("damaged.b2nd", "w+");
  handle.write(0, frame);
  handle.close();
  return backend;
}

it("an array's shape that asks for 2^25 chunks, of which there are ten, is left out; the chunks are saved", () => {
  const backend = arrayThatAsks(2n ** 25n);
  const report = repairFrame("damaged.b2nd", backend, "whole.b2nd", backend);
  expect(report).toMatchObject({ chunksRecovered: 10, chunksLost: 0, zeroedChunks: [], metalayersKept: false });
  expect(report.problems.map(({ code }) => code)).toContain("BLOSC2_LIMIT_EXCEEDED");
  expect(verifyFrame("whole.b2nd", backend).ok).toBe(true);
  using saved = SChunk.open("whole.b2nd", backend);
  expect(Array.from(saved.iterChunks(), ([first]) => first)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

it("100,000 chunks that an array asks for and that are not there are one range of the report", () => {
  const backend = arrayThatAsks(100_000n);
  const report = repairFrame("damaged.b2nd", backend, "whole.b2nd", backend);
  expect(report).toMatchObject({
    chunksRecovered: 10,
    chunksLost: 99_990,
    zeroedChunks: [{ start: 10, stop: 100_000 }],
    metalayersKept: true,
  });
  using saved = openArray("whole.b2nd", { io: backend });
  expect(saved.shape).toEqual([100_000]);
  expect(saved.getSlice([8], [12]).data).toEqual(Int32Array.of(9, 10, 0, 0));
});

it.each(["with its index", "without its index"])("a codec that is not registered is asked for, %s", (how) => {
  const s = SChunk.create({ chunksize: 8000, typesize: 4, cparams: { codec: "lz4" } });
  for (let i = 0; i < 5; i++) s.appendData(Int32Array.from({ length: 2000 }, (_, k) => i + k));
  const frame = s.toCframe();
  if (how === "without its index") frame.fill(0xaa, 97 + s.cbytes, 97 + s.cbytes + 50);
  const backend = memory();
  const handle = backend.open("f", "w+");
  handle.write(0, frame);
  handle.close();
  const codecs = new CodecRegistry();
  codecs.register(blosclzCodec, { allowReserved: true });
  const repair = (): unknown => repairFrame("f", backend, "whole", backend, { codecs, engine: "portable" });
  expect(repair).toThrow(
    expect.objectContaining({ code: "BLOSC2_UNSUPPORTED_CODEC", message: expect.stringContaining("lz4") }),
  );
  expect(backend.exists("whole")).toBe(false);
});
