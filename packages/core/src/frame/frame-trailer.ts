/** The frame trailer: vlmetalayers, its own length, and the place of a fingerprint (`README_CFRAME_FORMAT`). @module */
import { FixedMsgpackWriter } from "../bytes/fixed-msgpack.js";
import type { FrameLocation } from "./frame-header.js";
import * as layout from "./frame-layout.js";
import { decodeMetalayers, encodeMetalayers, type Metalayer, structureReader } from "./metalayers.js";

/**
 * The length of a trailer, from its last bytes.
 *
 * @param tail the last 23 bytes of the frame.
 * @param location of the tail.
 * @param maxLength bytes between header and end of frame.
 * @throws FormatError when these are not the last bytes of a frame.
 */
export function decodeTrailerLength(tail: Uint8Array, location: FrameLocation, maxLength: number): number {
  const reader = structureReader(tail, location.path, "frame trailer", location.position);
  reader.marker(0, 0xce, "trailer_len");
  const length = reader.uint32BigEndian(1, "trailer_len");
  if (length < layout.MIN_TRAILER_LENGTH || length > maxLength) {
    const expected = `${layout.MIN_TRAILER_LENGTH}..${maxLength}`;
    throw reader.invalid("trailer_len", 1, expected, length, "BLOSC2_FORMAT_BAD_LENGTH");
  }
  reader.marker(5, 0xd8, "fingerprint");
  return length;
}

/**
 * Decodes a trailer.
 *
 * @param bytes exactly the trailer; the contents of the result are views of it.
 * @throws FormatError
 */
export function decodeTrailer(bytes: Uint8Array, location: FrameLocation): Metalayer[] {
  const reader = structureReader(bytes, location.path, "frame trailer", location.position);
  reader.marker(0, 0x94, "trailer");
  reader.marker(1, 0x01, "trailer version");
  const end = bytes.byteLength - layout.TRAILER_TAIL_LENGTH;
  return decodeMetalayers(reader, { start: 2, end, maxCount: layout.MAX_VLMETALAYERS });
}

/** Encodes a trailer without a fingerprint. */
export function encodeTrailer(vlmetalayers: readonly Metalayer[]): Uint8Array {
  const writer = new FixedMsgpackWriter();
  writer.byte(0x94).byte(0x01);
  encodeMetalayers(writer, vlmetalayers, 3);
  writer.uint32(writer.byteLength + layout.TRAILER_TAIL_LENGTH);
  writer.byte(0xd8).byte(0).raw(new Uint8Array(16));
  return writer.finish();
}
