// The streams of a compressed block: `csize` fields, zero and byte runs, raw streams, codec streams.
import { blosclzDecode } from "./blosclz-decode";
import { copyExact } from "./copy-bytes";
import {
  CSIZE_INVALID,
  FIELD_TRUNCATED,
  NOT_IN_KERNELS,
  STREAM_TRUNCATED,
  STREAMS_UNEQUAL,
  TOKEN_INVALID,
} from "./error-codes";
import { lz4Decode } from "./lz4-decode";
import { PLANE_GAP, STREAMS } from "./memory-map";

/** Format codes of a chunk's `flags >> 5`. */
const FORMAT_BLOSCLZ: u32 = 0;
const FORMAT_LZ4: u32 = 1;

/** Where the next `csize` field lies. */
let cursor: usize = 0;
/** Index of the stream that the next `locateStream` reads. */
let index: u32 = 0;
/** Why the last `locateStream` failed. */
let failure: i32 = 0;

/** Decodes one codec stream of `length` bytes, at least its first `wanted` ones. */
function decodeStream(
  format: u32,
  source: usize,
  sourceLength: usize,
  target: usize,
  length: usize,
  wanted: usize,
  dictionary: usize,
  dictionaryLength: usize,
): i32 {
  if (format == FORMAT_BLOSCLZ) return blosclzDecode(source, sourceLength, target, length, wanted);
  if (format != FORMAT_LZ4) return NOT_IN_KERNELS;
  if (dictionaryLength == 0) return lz4Decode(source, sourceLength, target, length, wanted, 0);
  const window = dictionary + dictionaryLength;
  const status = lz4Decode(source, sourceLength, window, length, wanted, dictionaryLength);
  if (status == 0) copyExact(target, window, wanted);
  return status;
}

function fail(code: i32): usize {
  failure = code;
  return 0;
}

/** Starts reading streams at `source`. */
export function openStreams(source: usize): void {
  cursor = source;
  index = 0;
}

/** Index of the stream at which decoding a block failed. */
export function failedStream(): u32 {
  return index;
}

/**
 * Decodes the stream at the cursor as far as its bytes `first..wanted` are concerned and moves the cursor behind it.
 *
 * @param end streams must end here
 * @param length bytes of the decoded stream
 * @param slot room of `length` bytes to decode into
 * @param bare whether the stream has no `csize` field and fills everything up to `end`
 * @returns the address of the decoded stream: `slot`, or the compressed bytes themselves for a raw stream; 0 on failure
 */
export function locateStream(
  end: usize,
  length: usize,
  first: usize,
  wanted: usize,
  slot: usize,
  bare: bool,
  format: u32,
  dictionary: usize,
  dictionaryLength: usize,
): usize {
  let at = cursor;
  let csize: i32;
  if (bare) {
    csize = <i32>(end - at);
  } else {
    if (end - at < 4) return fail(FIELD_TRUNCATED);
    csize = load<i32>(at);
    at += 4;
    if (csize <= 0) {
      if (csize < -255) return fail(CSIZE_INVALID);
      if (csize < 0) {
        if (at >= end) return fail(FIELD_TRUNCATED);
        if ((load<u8>(at) & 1) == 0) return fail(TOKEN_INVALID);
        at++;
      }
      cursor = at;
      index++;
      memory.fill(slot + first, <u8>-csize, wanted - first);
      return slot;
    }
  }
  if (<usize>csize > end - at) return fail(STREAM_TRUNCATED);
  cursor = at + <usize>csize;
  let located = at;
  if (<usize>csize != length) {
    located = slot;
    if (wanted > first) {
      const status = decodeStream(format, at, <usize>csize, slot, length, wanted, dictionary, dictionaryLength);
      if (status < 0) return fail(status);
    }
  }
  index++;
  return located;
}

/** The error code of the last `locateStream` that returned 0. */
export function streamFailure(): i32 {
  return failure;
}

/**
 * Locates all `streams` streams of a block and puts their addresses into the stream table; decoded ones lie in `scratch`,
 * `PLANE_GAP` bytes apart, which therefore holds `blockLength + streams * PLANE_GAP` bytes.
 *
 * @param first the first byte of each stream that is wanted
 * @param wanted the end of the bytes of each stream that are wanted
 * @returns 0 or an error code
 */
export function locateStreams(
  source: usize,
  sourceEnd: usize,
  blockLength: usize,
  streams: usize,
  first: usize,
  wanted: usize,
  bare: bool,
  format: u32,
  scratch: usize,
  dictionary: usize,
  dictionaryLength: usize,
): i32 {
  const length = blockLength / streams;
  if (length == 0 || length * streams != blockLength) return STREAMS_UNEQUAL;
  openStreams(source);
  let slot = scratch;
  for (let s: usize = 0; s < streams; s++) {
    const at = locateStream(sourceEnd, length, first, wanted, slot, bare, format, dictionary, dictionaryLength);
    if (at == 0) return failure;
    store<u32>(STREAMS + (s << 2), <u32>at);
    slot += length + PLANE_GAP;
  }
  return 0;
}
