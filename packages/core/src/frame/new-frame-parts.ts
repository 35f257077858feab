/** The description of a frame that has no chunks yet. @module */
import { encodeFrameHeader, type FrameHeader } from "./frame-header.js";
import { FIXED_HEADER_LENGTH, MAX_METALAYERS } from "./frame-layout.js";
import type { FrameParts } from "./frame-parts.js";
import { decodeMetalayers, type Metalayer, structureReader } from "./metalayers.js";
import { OffsetsIndex } from "./offsets-index.js";

/** The parts of a frame that has no chunks yet. */
export function newFrameParts(header: FrameHeader, metalayers: readonly Metalayer[]): FrameParts {
  const encodedHeader = encodeFrameHeader(header, metalayers);
  return {
    header,
    encodedHeader,
    metalayers: metalayerViews(encodedHeader),
    vlmetalayers: [],
    index: new OffsetsIndex(),
  };
}

/** The metalayers of an encoded header; their contents are views of it. */
export function metalayerViews(encodedHeader: Uint8Array): Metalayer[] {
  const reader = structureReader(encodedHeader, undefined, "frame header", 0);
  const end = encodedHeader.byteLength;
  return decodeMetalayers(reader, { start: FIXED_HEADER_LENGTH, end, maxCount: MAX_METALAYERS });
}
