// One call that runs a block's filters and encodes its streams.
import { blosclzEncode } from "./blosclz-encode";
import { copyExact, isByteRun } from "./copy-bytes";
import { DOES_NOT_FIT, NOT_IN_KERNELS, STREAMS_UNEQUAL } from "./error-codes";
import { forwardFilters } from "./filter-pipeline";
import { lz4Encode } from "./lz4-encode";
import { lz4hcEncode } from "./lz4hc-encode";
import { PLANE_GAP } from "./memory-map";

/** Compcodes. */
const BLOSCLZ: u32 = 0;
const LZ4: u32 = 1;
const LZ4HC: u32 = 2;

let allZeros: bool = false;

/** Whether every stream of the block encoded last was a run of zero bytes. */
export function encodedAllZeros(): bool {
  return allZeros;
}

/** Encodes one stream into at most `room` bytes. @returns bytes written, or 0 if they do not fit */
function encodeStream(
  codec: u32,
  level: u32,
  source: usize,
  length: usize,
  target: usize,
  room: usize,
  dictionary: usize,
  dictionaryLength: usize,
): usize {
  if (codec == BLOSCLZ) return blosclzEncode(source, length, target, room, level);
  let from = source;
  if (dictionaryLength > 0) {
    from = dictionary + dictionaryLength;
    copyExact(from, source, length);
  }
  if (codec == LZ4HC) return lz4hcEncode(from, length, target, room, level, dictionaryLength);
  return lz4Encode(from, length, target, room, level < 9 ? 10 - level : 1, dictionaryLength);
}

/**
 * Filters and encodes a block of `length` bytes. Filters and metas stand in the control block.
 *
 * `scratch` and `otherScratch` hold `length` bytes, `filtered` holds `length + streams * PLANE_GAP`; none overlap `source` or
 * each other.
 *
 * @param runs whether streams of one repeated byte get the short form
 * @param bare whether the block becomes one stream without a `csize` field (a variable-length block)
 * @param reference raw block 0 of at least `length` bytes, or 0 when this is block 0
 * @param dictionary `dictionaryLength` bytes, with room for a stream behind them
 * @returns bytes written to `target`, or an error code (`DOES_NOT_FIT` when they would exceed `targetLength`)
 */
export function encodeBlock(
  source: usize,
  length: usize,
  typesize: usize,
  superChunkTypesize: usize,
  streams: usize,
  codec: u32,
  level: u32,
  runs: bool,
  bare: bool,
  reference: usize,
  scratch: usize,
  otherScratch: usize,
  filtered: usize,
  target: usize,
  targetLength: usize,
  dictionary: usize,
  dictionaryLength: usize,
): i32 {
  if (codec > LZ4HC) return NOT_IN_KERNELS;
  const streamLength = length / streams;
  if (streamLength == 0 || streamLength * streams != length) return STREAMS_UNEQUAL;
  const status = forwardFilters(
    typesize,
    superChunkTypesize,
    length,
    source,
    reference,
    scratch,
    otherScratch,
    filtered,
    streams > 1 ? streamLength + PLANE_GAP : 0,
  );
  if (status < 0) return status;
  const stride = status == 1 ? streamLength + PLANE_GAP : streamLength;
  const end = target + targetLength;
  let at = target;
  let zeros = true;
  for (let s: usize = 0; s < streams; s++) {
    const stream = filtered + s * stride;
    if (!bare) {
      if (end - at < 4) return DOES_NOT_FIT;
      if (runs && isByteRun(stream, streamLength)) {
        const value = <i32>load<u8>(stream);
        store<i32>(at, -value);
        at += 4;
        if (value != 0) {
          if (at >= end) return DOES_NOT_FIT;
          store<u8>(at, 1);
          at++;
          zeros = false;
        }
        continue;
      }
    }
    zeros = false;
    const start = bare ? at : at + 4;
    // A stream of `streamLength` bytes would read as a raw one.
    const room = min(end - start, streamLength - 1);
    let csize = encodeStream(codec, level, stream, streamLength, start, room, dictionary, dictionaryLength);
    if (csize == 0) {
      if (end - start < streamLength) return DOES_NOT_FIT;
      copyExact(start, stream, streamLength);
      csize = streamLength;
    }
    if (!bare) store<i32>(at, <i32>csize);
    at = start + csize;
  }
  allZeros = zeros;
  return <i32>(at - target);
}
