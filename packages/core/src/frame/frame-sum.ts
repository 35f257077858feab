/**
 * The sum of what describes a frame. The format sets 16 bytes of the trailer aside for a fingerprint, which C-Blosc2 leaves empty and does
 * not look at. A frame that keeps checksums has there
 *
 * ```text
 * D8 01 | CRC-32C uint32, little-endian | "b2frame-sum1"
 * ```
 *
 * The sum is over the header with its metalayers, the index, and the trailer up to the 01, which says that 32 bits are used. Fingerprint
 * and the vlmetalayer of the checksums vouch for one another: where only one of them is, the other is damaged, or another writer was here.
 *
 * @module
 */
import type { Engine } from "../block/engine.js";
import { readInt32, writeInt32 } from "../bytes/little-endian.js";
import { encodeUtf8 } from "../bytes/utf8.js";
import { sumText } from "../chunk/chunk-sum.js";
import { FormatError, type SourceLocation } from "../errors.js";
import { CHECKSUMS_NAME } from "./chunk-checksums.js";

const FINGERPRINT_LENGTH = 16;
const KIND_32_BITS = 1;
const SUM_LENGTH = 4;
const MARK: Uint8Array = encodeUtf8("b2frame-sum1");

function sumOf(header: Uint8Array, tail: Uint8Array, engine: Engine): number {
  return engine.crc32c(tail.subarray(0, tail.byteLength - FINGERPRINT_LENGTH), engine.crc32c(header));
}

/**
 * Writes the fingerprint.
 *
 * @param header as it will be committed.
 * @param tail index and trailer.
 */
export function sealFrame(header: Uint8Array, tail: Uint8Array, engine: Engine): void {
  const start = tail.byteLength - FINGERPRINT_LENGTH;
  tail[start - 1] = KIND_32_BITS;
  writeInt32(tail, start, sumOf(header, tail, engine));
  tail.set(MARK, start + SUM_LENGTH);
}

/**
 * Holds a frame's description against its fingerprint, if it has one.
 *
 * @param tail index and trailer.
 * @param location of the tail.
 * @returns whether there is a fingerprint of this kind
 * @throws FormatError `BLOSC2_FORMAT_CHECKSUM`
 */
export function checkSeal(
  header: Uint8Array,
  tail: Uint8Array,
  location: Omit<SourceLocation, "structure">,
  engine: Engine,
): boolean {
  const start = tail.byteLength - FINGERPRINT_LENGTH;
  if (start < 1 || tail[start - 1] !== KIND_32_BITS) return false;
  if (!MARK.every((byte, i) => tail[start + SUM_LENGTH + i] === byte)) return false;
  const expected = readInt32(tail, start) >>> 0;
  const found = sumOf(header, tail, engine);
  if (found === expected) return true;
  throw new FormatError("BLOSC2_FORMAT_CHECKSUM", {
    ...location,
    structure: "header, index and trailer",
    field: "CRC-32C",
    expected: sumText(expected),
    found: sumText(found),
  });
}

/** @throws FormatError `BLOSC2_FORMAT_CHECKSUM` if the frame keeps checksums and has no fingerprint, or the other way round */
export function requireSeal(sealed: boolean, summed: boolean, location: Omit<SourceLocation, "structure">): void {
  if (sealed === summed) return;
  const layer = `vlmetalayer "${CHECKSUMS_NAME}"`;
  throw new FormatError("BLOSC2_FORMAT_CHECKSUM", {
    ...location,
    structure: "frame trailer",
    field: summed ? "fingerprint" : layer,
    expected: summed ? `a CRC-32C, as there is a ${layer}` : "the checksums of the chunks, as there is a fingerprint",
    found: "none: it is damaged, or was changed by a program that keeps no checksums; checksum: false opens it",
  });
}
