import { expect, it } from "vitest";
import { zeros } from "../../src/b2nd/create-array.js";
import { blosclzCodec } from "../../src/codec/blosclz-codec.js";
import { CodecRegistry } from "../../src/codec/codec-registry.js";
import { memory } from "../../src/io/memory-backend.js";
import { SChunk } from "../../src/super-chunk/super-chunk.js";
import { repairFrame } from "../../src/verify/repair-frame.js";

it("an array's shape that asks for 2^32 chunks is refused before they are laid out", () => {
  using array = zeros([10], { dtype: "<i4", chunks: [1], blocks: [1] });
  const frame = array.toCframe();
  // The shape is the metalayer's first 64-bit integer: a marker and eight bytes, most significant first.
  const marker = frame.findIndex((byte, at) => byte === 0xd3 && at > 97 && frame[at + 8] === 10);
  new DataView(frame.buffer, frame.byteOffset).setBigInt64(marker + 1, 2n ** 32n);
  const backend = memory();
  const handle = backend.open("damaged.b2nd", "w+");
  handle.write(0, frame);
  handle.close();
  const limits = { maxAllocation: 2 ** 22 };
  expect(() => repairFrame("damaged.b2nd", backend, "whole.b2nd", backend, { limits })).toThrow(
    expect.objectContaining({ code: "BLOSC2_LIMIT_EXCEEDED", message: expect.stringContaining("4294967296 chunks") }),
  );
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
