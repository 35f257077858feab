/**
 * Frames that reach past 2 GiB and 4 GiB of a file that takes next to no disk: C-Blosc2 allows holes between chunks, and a file
 * system keeps holes for nothing.
 *
 * @module
 */
import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import { type ChunkPlacement, type IoBackend, SChunk, verifyFrame } from "@b2frame/core";
import { compressChunk, defaultEnvironment } from "@b2frame/core/codec";

const GIB = 2 ** 30;
const ITEMS = 50_000;

/** Where the chunks go, from the end of the header: across 2 GiB, across 4 GiB, and back, for chunks may be in any order. */
const OFFSETS = [0, 2 * GIB - 700, 4 * GIB - 300, 4.5 * GIB + 13, 2.5 * GIB];
/** Where the index goes. */
const INDEX_OFFSET = 5 * GIB;

// Big-endian fields of the frame header (README_CFRAME_FORMAT).
const FIELD_FRAME_LENGTH = 16;
const FIELD_CBYTES = 39;

/** The content of a chunk: 200,000 bytes. */
export function contentOf(seed: number): Uint8Array {
  return new Uint8Array(Int32Array.from({ length: ITEMS }, (_, i) => Math.imul(i, seed + 3) >> 4).buffer);
}

/** Writes a frame of five chunks that lie apart by gigabytes; gives the seeds of their contents. */
export function writeLargeFrame(path: string): number[] {
  const seeds = OFFSETS.map((_, i) => i + 1);
  using dense = SChunk.create({ typesize: 4, chunksize: 4 * ITEMS, cparams: { codec: "lz4" } });
  for (const seed of seeds) dense.appendData(contentOf(seed));
  dense.vlmeta.setValue("made", "far apart");
  const cframe = dense.toCframe();
  const { headerLength, cbytes } = SChunk.fromCframe(cframe).placement as ChunkPlacement;
  const header = cframe.slice(0, headerLength);
  const tail = cframe.subarray(headerLength + cbytes);
  const indexLength = new DataView(tail.buffer, tail.byteOffset).getInt32(12, true);
  const index = encodeOffsets(OFFSETS);
  const trailer = tail.subarray(indexLength);
  const fields = new DataView(header.buffer);
  fields.setBigUint64(FIELD_CBYTES, BigInt(INDEX_OFFSET));
  fields.setBigUint64(FIELD_FRAME_LENGTH, BigInt(headerLength + INDEX_OFFSET + index.byteLength + trailer.byteLength));
  const file = openSync(path, "w");
  try {
    writeSync(file, header, 0, headerLength, 0);
    for (const [i, offset] of OFFSETS.entries()) {
      const chunk = dense.getChunk(i);
      writeSync(file, chunk, 0, chunk.byteLength, headerLength + offset);
    }
    writeSync(file, index, 0, index.byteLength, headerLength + INDEX_OFFSET);
    writeSync(file, trailer, 0, trailer.byteLength, headerLength + INDEX_OFFSET + index.byteLength);
  } finally {
    closeSync(file);
  }
  return seeds;
}

function encodeOffsets(offsets: readonly number[]): Uint8Array {
  const raw = new BigInt64Array(offsets.map(BigInt));
  const cparams = { codec: "blosclz", typesize: 8, blocksize: raw.byteLength, splitmode: "never" } as const;
  return compressChunk(new Uint8Array(raw.buffer), cparams, defaultEnvironment());
}

/** Makes a file of `position` bytes, all a hole, with a frame of three chunks at its end; gives the seeds of their contents. */
export function writeFrameFarIn(path: string, backend: IoBackend, position: number): number[] {
  const file = openSync(path, "w");
  ftruncateSync(file, position);
  closeSync(file);
  const seeds = [7, 8, 9];
  using frame = SChunk.create({ typesize: 4, chunksize: 4 * ITEMS, cparams: { codec: "lz4" } });
  for (const seed of seeds) frame.appendData(contentOf(seed));
  const at = frame.appendFile(path, backend);
  if (at !== position) throw new Error(`the frame was put at ${at} instead of ${position}`);
  return seeds;
}

/** @throws Error unless the frame holds these contents, in whole chunks and in slices, and is sound */
export function requireContents(path: string, backend: IoBackend, offset: number, seeds: readonly number[]): void {
  using frame = SChunk.open(path, backend, { offset });
  const found = Array.from(frame.iterChunks(), (chunk) => crc32(chunk));
  const expected = seeds.map((seed) => crc32(contentOf(seed)));
  if (found.join() !== expected.join()) throw new Error(`${path}: chunks ${found.join()}, expected ${expected.join()}`);
  for (const [i, seed] of seeds.entries()) {
    const slice = frame.getSlice(i * ITEMS + 100, i * ITEMS + 150);
    if (crc32(slice) !== crc32(contentOf(seed).subarray(400, 600)))
      throw new Error(`${path}: wrong items in chunk ${i}`);
  }
  const { ok, problems } = verifyFrame(path, backend, { offset });
  if (!ok) throw new Error(`${path}: ${problems.map(({ message }) => message).join("; ")}`);
}

/** Changes a frame in every way, committing in between; gives the seeds of what it holds then. */
export function changeFrame(path: string, backend: IoBackend, offset: number, before: readonly number[]): number[] {
  const seeds = [...before];
  {
    using frame = SChunk.open(path, backend, { offset, mode: "r+" });
    frame.appendData(contentOf(20));
    frame.flush();
    frame.updateData(1, contentOf(21));
    frame.insertData(2, contentOf(22));
    frame.flush();
    frame.deleteChunk(0);
    frame.vlmeta.setValue("changed", true);
  }
  seeds.push(20);
  seeds[1] = 21;
  seeds.splice(2, 0, 22);
  seeds.shift();
  return seeds;
}
