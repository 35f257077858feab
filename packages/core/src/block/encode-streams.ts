/** Encoding the streams of a block (`README_CHUNK_FORMAT`, "Streams"). @module */
import { writeInt32 } from "../bytes/little-endian.js";
import { CodecError, UnsupportedError } from "../errors.js";
import { type BlockPipeline, locateFailure, NEW_CHUNK } from "./block-pipeline.js";
import type { BlockEncodeRequest, BlockEncodeResult } from "./engine.js";

const CSIZE_LENGTH = 4;
const TOKEN_RUN = 0x01;
const DOES_NOT_FIT = -1;

/** Whether all of `bytes[from..to)` equals its first byte. */
export function isRun(bytes: Uint8Array, from: number, to: number): boolean {
  const first = bytes[from] as number;
  for (let i = from + 1; i < to; i++) {
    if (bytes[i] !== first) return false;
  }
  return true;
}

/**
 * Compresses `bytes[from..to)` into `target` at `at`, with at most `room` bytes, fewer than the source has.
 *
 * @returns bytes written, 0 when it does not fit.
 */
function compressStream(
  pipeline: BlockPipeline,
  bytes: Uint8Array,
  from: number,
  to: number,
  request: BlockEncodeRequest,
  at: number,
): number {
  const room = Math.min(to - from - 1, request.targetEnd - at);
  if (room <= 0 || pipeline.coding.clevel === 0) return 0;
  const codec = pipeline.encoder;
  if (codec.compress === undefined) {
    throw new UnsupportedError("BLOSC2_UNSUPPORTED_CODEC", `codec "${codec.name}" can only be read, not written`, {
      feature: `codec ${codec.name}`,
    });
  }
  let written: number;
  try {
    written = codec.compress(bytes.subarray(from, to), request.target.subarray(at, at + room), pipeline.codecContext);
  } catch (error) {
    const what = { name: codec.name, direction: "compress" as const, filter: false };
    throw locateFailure(error, NEW_CHUNK.location, request.blockIndex, what);
  }
  if (!(written >= 0 && written <= room)) {
    throw new CodecError(
      "BLOSC2_CODEC_COMPRESS",
      `codec "${codec.name}" reports ${written} bytes written into ${room}`,
      { codec: codec.name, direction: "compress", expected: room, found: written },
    );
  }
  return written;
}

/** Encodes the filtered block `bytes` as `count` equal streams with their `csize` fields. */
export function encodeStreams(
  pipeline: BlockPipeline,
  bytes: Uint8Array,
  count: number,
  request: BlockEncodeRequest,
  result: BlockEncodeResult,
): void {
  const { target, targetEnd } = request;
  const length = bytes.byteLength / count;
  let at = request.targetOffset;
  result.byteLength = DOES_NOT_FIT;
  result.allZeros = false;
  let allZeros = pipeline.coding.runs;
  for (let i = 0; i < count; i++) {
    const from = i * length;
    const to = from + length;
    if (at + CSIZE_LENGTH > targetEnd) return;
    if (pipeline.coding.runs && isRun(bytes, from, to)) {
      const value = bytes[from] as number;
      writeInt32(target, at, -value);
      at += CSIZE_LENGTH;
      if (value !== 0) {
        if (at >= targetEnd) return;
        target[at] = TOKEN_RUN;
        at += 1;
        allZeros = false;
      }
      continue;
    }
    allZeros = false;
    const written = compressStream(pipeline, bytes, from, to, request, at + CSIZE_LENGTH);
    if (written === 0 && at + CSIZE_LENGTH + length > targetEnd) return;
    writeInt32(target, at, written === 0 ? length : written);
    at += CSIZE_LENGTH;
    if (written === 0) {
      target.set(bytes.subarray(from, to), at);
      at += length;
    } else {
      at += written;
    }
  }
  result.byteLength = at - request.targetOffset;
  result.allZeros = allZeros;
}

/** Encodes the filtered variable-length block `bytes` as one stream without a `csize` field and without runs. */
export function encodeBareStream(
  pipeline: BlockPipeline,
  bytes: Uint8Array,
  request: BlockEncodeRequest,
  result: BlockEncodeResult,
): void {
  const { target, targetOffset, targetEnd } = request;
  result.byteLength = DOES_NOT_FIT;
  result.allZeros = false;
  const written = compressStream(pipeline, bytes, 0, bytes.byteLength, request, targetOffset);
  if (written > 0) {
    result.byteLength = written;
    return;
  }
  if (targetOffset + bytes.byteLength > targetEnd) return;
  target.set(bytes, targetOffset);
  result.byteLength = bytes.byteLength;
}
