/** Getting out of a damaged frame header what is sound. @module */
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import { resolveCParams } from "../chunk/cparams.js";
import { isBlosc2Error } from "../errors.js";
import type { FrameFile } from "../frame/frame-file.js";
import { decodeFrameHeader, decodeHeaderLength, type FrameHeader } from "../frame/frame-header.js";
import {
  FIELD_TYPESIZE,
  FIRST_READ_LENGTH,
  FIXED_HEADER_LENGTH,
  MAX_METALAYERS,
  MIN_HEADER_LENGTH,
} from "../frame/frame-layout.js";
import { decodeMetalayers, type Metalayer, structureReader } from "../frame/metalayers.js";
import { headerOfCParams } from "../super-chunk/frame-cparams.js";

/** A header for the new frame. */
export interface SalvagedHeader {
  readonly header: FrameHeader;
  readonly metalayers: readonly Metalayer[];
  /** Where chunks may start, as far as it can be said: the field may be wrong, and so may the metalayers' lengths. */
  readonly headerLengths: readonly number[];
  /** Whether the fields are those of the file; else they are defaults, and what chunks say. */
  readonly fieldsKept: boolean;
  readonly metalayersKept: boolean;
}

/** All that can be had, from a header that may be damaged in any way. */
export function salvageHeader(file: FrameFile, environment: ChunkEnvironment): SalvagedHeader {
  const available = file.size();
  const first = file
    .read(0, Math.min(available, Math.max(FIRST_READ_LENGTH, headerLengthOf(file, environment))))
    .slice();
  const location = { path: undefined, position: file.position };
  const whole = ours(() => decodeFrameHeader(first, location, Number.MAX_SAFE_INTEGER));
  if (whole !== undefined) {
    const { header, metalayers } = whole;
    const headerLengths = [...new Set([header.headerLength, endOf(first, metalayers)])];
    return { header, metalayers, headerLengths, fieldsKept: true, metalayersKept: true };
  }
  const metalayers = ours(() => {
    const reader = structureReader(first, undefined, "frame header", file.position);
    return decodeMetalayers(reader, { start: FIXED_HEADER_LENGTH, end: first.byteLength, maxCount: MAX_METALAYERS });
  });
  const header = headerOfCParams(resolveCParams({}, environment.codecs, environment.filters));
  header.typesize = typesizeOf(first) ?? header.typesize;
  const stated = headerLengthOf(file, environment);
  const lengths = [stated, metalayers === undefined ? 0 : endOf(first, metalayers)];
  const headerLengths = [...new Set(lengths.filter((length) => length > 0))];
  const metalayersKept = metalayers !== undefined;
  return { header, metalayers: metalayers ?? [], headerLengths, fieldsKept: false, metalayersKept };
}

/** The length that the header states, if it is a possible one. */
function headerLengthOf(file: FrameFile, environment: ChunkEnvironment): number {
  const available = file.size();
  const start = file.read(0, Math.min(available, FIXED_HEADER_LENGTH));
  const stated = ours(() => decodeHeaderLength(start, { path: undefined, position: file.position })) ?? 0;
  return stated <= Math.min(available, environment.limits.maxAllocation) ? stated : 0;
}

/** Where the metalayers, and with them the header, end. */
function endOf(bytes: Uint8Array, metalayers: readonly Metalayer[]): number {
  let end = MIN_HEADER_LENGTH;
  for (const { content } of metalayers) {
    end = Math.max(end, content.byteOffset - bytes.byteOffset + content.byteLength);
  }
  return end;
}

/** The typesize, if it stands behind its marker and is a likely one. */
function typesizeOf(bytes: Uint8Array): number | undefined {
  if (bytes.byteLength < FIELD_TYPESIZE + 4 || bytes[FIELD_TYPESIZE - 1] !== 0xd2) return undefined;
  const typesize = new DataView(bytes.buffer, bytes.byteOffset).getInt32(FIELD_TYPESIZE);
  return typesize > 0 && typesize <= 0xffff ? typesize : undefined;
}

/** The result of `action`, unless it finds bad input. */
export function ours<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (!isBlosc2Error(error)) throw error;
    return undefined;
  }
}
