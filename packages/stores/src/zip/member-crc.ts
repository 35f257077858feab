/** Holding the content of ZIP members against their CRC-32. @module */
import { FormatError, type IoHandle } from "@b2frame/core";
import { crc32 } from "./crc32.js";

/** Bytes of content handled at a time. */
export const PIECE: number = 1024 * 1024;

/** The CRC-32 of bytes of a file. */
export function crcOf(handle: IoHandle, position: number, byteLength: number): number {
  let crc = 0;
  for (let at = 0; at < byteLength; at += PIECE) {
    crc = crc32(handle.read(position + at, Math.min(PIECE, byteLength - at)), crc);
  }
  return crc;
}

/** A sum as messages have it. */
export function crcText(crc: number): string {
  return `0x${crc.toString(16).padStart(8, "0")}`;
}

/** The error for a member whose content is not the one that was stored. */
export function wrongCrc(path: string, name: string, position: number, expected: number, found: number): FormatError {
  return new FormatError("BLOSC2_FORMAT_CHECKSUM", {
    path,
    structure: `zip member "${name}"`,
    position,
    field: "CRC-32",
    expected: crcText(expected),
    found: crcText(found),
  });
}
