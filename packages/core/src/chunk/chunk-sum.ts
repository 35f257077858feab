/** Holding the compressed bytes of chunks against checksums that are kept elsewhere. @module */
import type { Engine, Located } from "../block/engine.js";
import { FormatError } from "../errors.js";
import type { ChunkSource } from "./chunk-source.js";

/** The checksum of a stored chunk. */
export interface ChunkChecksum {
  readonly cbytes: number;
  readonly crc32c: number;
}

/** Bytes that are summed at once where they have to be copied for it; they stay in the cache between. */
const PIECE = 128 * 1024;

/** The checksum of a chunk's compressed bytes. */
export function checksumOf(chunk: Uint8Array, engine: Engine): ChunkChecksum {
  return { cbytes: chunk.byteLength, crc32c: engine.crc32c(chunk) };
}

function wrong(place: Located, field: string, expected: number | string, found: number | string): FormatError {
  return new FormatError("BLOSC2_FORMAT_CHECKSUM", { ...place.location, field, expected, found });
}

/** A sum as messages have it. */
export function sumText(sum: number): string {
  return `0x${sum.toString(16).padStart(8, "0")}`;
}

/** @throws FormatError `BLOSC2_FORMAT_CHECKSUM` unless the chunk is as long as the one that was summed */
export function requireSummedLength(place: Located, expected: ChunkChecksum, cbytes: number): void {
  if (cbytes !== expected.cbytes) throw wrong(place, "cbytes", expected.cbytes, cbytes);
}

/** @throws FormatError `BLOSC2_FORMAT_CHECKSUM` unless `found` is the sum */
export function requireSum(place: Located, expected: ChunkChecksum, found: number): void {
  if (found !== expected.crc32c) throw wrong(place, "CRC-32C", sumText(expected.crc32c), sumText(found));
}

/** @throws FormatError `BLOSC2_FORMAT_CHECKSUM` unless these bytes are the chunk that was summed */
export function requireSummedBytes(place: Located, expected: ChunkChecksum, chunk: Uint8Array, engine: Engine): void {
  requireSummedLength(place, expected, chunk.byteLength);
  requireSum(place, expected, engine.crc32c(chunk));
}

/** Where the content of a chunk that is stored as it is goes while it is summed. */
interface StoredTarget {
  /** Bytes of the chunk before its content. */
  readonly headerLength: number;
  readonly target: Uint8Array;
  readonly targetOffset: number;
}

/**
 * Reads all of a chunk to hold it against its sum.
 *
 * @param cbytes what its header says.
 * @param stored takes the content of a chunk that is stored as it is, so that it need not be read once more; it counts only when this
 * returns.
 * @throws FormatError `BLOSC2_FORMAT_CHECKSUM`; what the source throws
 */
export function requireSummedSource(
  source: ChunkSource,
  expected: ChunkChecksum,
  cbytes: number,
  engine: Engine,
  stored?: StoredTarget,
): void {
  requireSummedLength(source, expected, cbytes);
  const { lease } = engine;
  let sum = 0;
  lease.take();
  try {
    for (let at = 0; at < cbytes; ) {
      const windows = source.mapped === undefined ? undefined : engine.windowsFor?.(0);
      let bytes = windows === undefined ? undefined : source.mapped?.(at, Math.min(8 * PIECE, cbytes - at), windows);
      if (bytes === undefined) {
        bytes = engine.stage(Math.min(PIECE, cbytes - at), 0);
        source.readInto(at, bytes);
      }
      sum = engine.crc32c(bytes, sum);
      if (stored !== undefined) copyStored(bytes, at, stored);
      at += bytes.byteLength;
    }
  } finally {
    lease.end();
  }
  requireSum(source, expected, sum);
}

function copyStored(bytes: Uint8Array, at: number, { headerLength, target, targetOffset }: StoredTarget): void {
  const skipped = Math.max(0, headerLength - at);
  if (skipped >= bytes.byteLength) return;
  target.set(skipped === 0 ? bytes : bytes.subarray(skipped), targetOffset + at + skipped - headerLength);
}
