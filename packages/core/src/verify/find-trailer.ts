/** Recognising a trailer by itself, where nothing sound says that one is there. @module */
import { isBlosc2Error } from "../errors.js";
import type { FrameFile } from "../frame/frame-file.js";
import { MAX_VLMETALAYERS, MIN_TRAILER_LENGTH, TRAILER_TAIL_LENGTH } from "../frame/frame-layout.js";
import { decodeMetalayers, type Metalayer, structureReader } from "../frame/metalayers.js";

/** The trailer's first bytes: an array of four, version 1, the array of vlmetalayers, its size. */
const TRAILER_START: readonly number[] = [0x94, 0x01, 0x93, 0xcd];
/** Bytes that are read first; nearly all trailers are shorter. */
const FIRST_READ = 4096;

/** A trailer that was found. */
export interface FoundTrailer {
  readonly byteLength: number;
  readonly vlmetalayers: readonly Metalayer[];
}

/** Bytes of the part before the tail: after the contents, or after their count if there are none. */
function listEnd(bytes: Uint8Array, layers: readonly Metalayer[]): number {
  let end = MIN_TRAILER_LENGTH - TRAILER_TAIL_LENGTH;
  for (const { content } of layers) end = Math.max(end, content.byteOffset - bytes.byteOffset + content.byteLength);
  return end;
}

function decodeAt(bytes: Uint8Array): FoundTrailer | undefined {
  const reader = structureReader(bytes, undefined, "frame trailer", 0);
  const vlmetalayers = decodeMetalayers(reader, { start: 2, end: bytes.byteLength, maxCount: MAX_VLMETALAYERS });
  const end = listEnd(bytes, vlmetalayers);
  reader.marker(end, 0xce, "trailer_len");
  const byteLength = reader.uint32BigEndian(end + 1, "trailer_len");
  if (byteLength !== end + TRAILER_TAIL_LENGTH || byteLength > bytes.byteLength) return undefined;
  return { byteLength, vlmetalayers };
}

/**
 * The trailer at `offset` of a frame's file, if there is a whole one.
 *
 * @param end nothing from there on belongs to it.
 */
export function findTrailer(file: FrameFile, offset: number, end: number, maxLength: number): FoundTrailer | undefined {
  const available = Math.min(end - offset, maxLength);
  if (available < MIN_TRAILER_LENGTH) return undefined;
  const start = file.read(offset, TRAILER_START.length);
  if (!TRAILER_START.every((byte, i) => start[i] === byte)) return undefined;
  for (let length = Math.min(available, FIRST_READ); ; length = Math.min(available, length * 16)) {
    try {
      return decodeAt(file.read(offset, length).slice());
    } catch (error) {
      if (!isBlosc2Error(error)) throw error;
      if (length === available) return undefined;
    }
  }
}
