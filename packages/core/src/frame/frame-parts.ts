/** Reading what a frame is described by: header, index, trailer. @module */
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import { Blosc2Error, FormatError } from "../errors.js";
import { CHECKSUMS_NAME } from "./chunk-checksums.js";
import type { FrameFile } from "./frame-file.js";
import { decodeFrameHeader, decodeHeaderLength, type FrameHeader } from "./frame-header.js";
import * as layout from "./frame-layout.js";
import { checkSeal, requireSeal } from "./frame-sum.js";
import { decodeTrailer, decodeTrailerLength } from "./frame-trailer.js";
import type { Metalayer } from "./metalayers.js";
import { decodeIndex, type IndexExpectation, OffsetsIndex } from "./offsets-index.js";

/** A frame's description as read. */
export interface FrameParts {
  readonly header: FrameHeader;
  /** The header's bytes; the metalayers' contents are views of them. */
  readonly encodedHeader: Uint8Array;
  readonly metalayers: readonly Metalayer[];
  readonly vlmetalayers: readonly Metalayer[];
  readonly index: OffsetsIndex;
}

/** How a frame is to be read. */
export interface FramePartsRequest {
  /** The file, for messages. */
  readonly path: string | undefined;
  readonly environment: ChunkEnvironment;
  /** Whether `file` is the index file of a sparse frame. */
  readonly sparse: boolean;
  /** As in an index expectation. */
  readonly exactSpecials?: IndexExpectation["exactSpecials"];
}

/**
 * Reads header, index and trailer, in two reads for most frames.
 *
 * @throws FormatError; IoError; Blosc2Error `BLOSC2_LIMIT_EXCEEDED`.
 */
export function readFrameParts(file: FrameFile, request: FramePartsRequest): FrameParts {
  const described = readFrameHeader(file, request);
  const { header } = described;
  const tail = readFrameTail(file, header, request);
  const sealed = request.environment.checksum && checkTailSeal(tail, described.encodedHeader, request);
  const { vlmetalayers, start } = decodeTailTrailer(tail, header, request.path);
  if (request.environment.checksum) requireTailSeal(tail, sealed, vlmetalayers, request.path);
  return { ...described, vlmetalayers, index: decodeTailIndex(tail, start, header, request) };
}

/**
 * Reads the header and its metalayers.
 *
 * @throws as {@link readFrameParts}
 */
export function readFrameHeader(
  file: FrameFile,
  request: FramePartsRequest,
): Pick<FrameParts, "header" | "encodedHeader" | "metalayers"> {
  const { path, environment, sparse } = request;
  const location = { path, position: file.position };
  const availableBytes = file.size();
  const encodedHeader = readHeader(file, path, availableBytes, environment);
  const { header, metalayers } = decodeFrameHeader(encodedHeader, location, availableBytes);
  if (header.sparse !== sparse) {
    throw new FormatError("BLOSC2_FORMAT_INVALID", {
      ...location,
      structure: "frame header",
      field: "frame_type",
      offset: layout.FIELD_FRAME_TYPE,
      expected: sparse
        ? "1 (sparse) in a directory"
        : "0 (contiguous) in a file; a sparse frame is opened by its directory",
      found: header.sparse ? 1 : 0,
    });
  }
  return { header, encodedHeader, metalayers };
}

/** Index and trailer as read. */
export interface FrameTail {
  /** A copy: the index that is decoded from it keeps it. */
  readonly bytes: Uint8Array;
  /** Absolute. */
  readonly position: number;
}

/** Reads index and trailer. @throws as {@link readFrameParts} */
export function readFrameTail(file: FrameFile, header: FrameHeader, request: FramePartsRequest): FrameTail {
  const { headerLength, frameLength, nbytes, cbytes } = header;
  // Without chunks the trailer follows the header, whatever cbytes says.
  const start = headerLength + (nbytes > 0 && !header.sparse ? cbytes : 0);
  const length = frameLength - start;
  requireAllocation(request.environment, "index and trailer", length);
  const bytes = new Uint8Array(length);
  file.readInto(start, bytes);
  return { bytes, position: file.position + start };
}

/** Decodes the trailer and gives where in the tail it starts. @throws FormatError */
export function decodeTailTrailer(
  tail: FrameTail,
  header: FrameHeader,
  path: string | undefined,
): { readonly vlmetalayers: readonly Metalayer[]; readonly start: number } {
  const { bytes, position } = tail;
  const endStart = bytes.byteLength - layout.TRAILER_TAIL_LENGTH;
  const end = bytes.subarray(endStart);
  const length = decodeTrailerLength(end, { path, position: position + endStart }, bytes.byteLength);
  const start = header.nbytes > 0 ? bytes.byteLength - length : 0;
  const vlmetalayers = decodeTrailer(bytes.slice(start, start + length), { path, position: position + start });
  return { vlmetalayers, start };
}

/** As {@link checkSeal}. */
export function checkTailSeal(tail: FrameTail, encodedHeader: Uint8Array, request: FramePartsRequest): boolean {
  const { path, environment } = request;
  return checkSeal(encodedHeader, tail.bytes, { path, position: tail.position }, environment.engine);
}

/** As {@link requireSeal}. */
export function requireTailSeal(
  tail: FrameTail,
  sealed: boolean,
  vlmetalayers: readonly Metalayer[],
  path: string | undefined,
): void {
  const summed = vlmetalayers.some(({ name }) => name === CHECKSUMS_NAME);
  requireSeal(sealed, summed, { path, position: tail.position });
}

/**
 * Decodes the index; that of a frame without chunks is empty.
 *
 * @param end where in the tail the index ends.
 * @throws FormatError, or as decoding any chunk does
 */
export function decodeTailIndex(
  tail: FrameTail,
  end: number,
  header: FrameHeader,
  request: FramePartsRequest,
): OffsetsIndex {
  const { path, environment, sparse, exactSpecials } = request;
  const { nbytes, cbytes, chunksize } = header;
  if (nbytes === 0) return new OffsetsIndex();
  const location = { path, structure: "index chunk", position: tail.position };
  return decodeIndex(tail.bytes.subarray(0, end), location, environment, {
    chunkCount: chunksize > 0 ? Math.ceil(nbytes / chunksize) : undefined,
    maxEntry: sparse ? 0xffffffff : cbytes - layout.MIN_CHUNK_LENGTH,
    exactSpecials,
  });
}

/** All bytes of the header, as a copy. */
function readHeader(
  file: FrameFile,
  path: string | undefined,
  availableBytes: number,
  environment: ChunkEnvironment,
): Uint8Array {
  const first = file.read(0, Math.min(availableBytes, layout.FIRST_READ_LENGTH));
  const headerLength = decodeHeaderLength(first, { path, position: file.position });
  if (headerLength <= first.byteLength) return first.slice(0, headerLength);
  if (headerLength > availableBytes) {
    throw new FormatError("BLOSC2_FORMAT_TRUNCATED", {
      path,
      structure: "frame header",
      position: file.position,
      field: "header_len",
      offset: layout.FIELD_HEADER_LENGTH,
      expected: `at most the ${availableBytes} bytes that there are`,
      found: headerLength,
    });
  }
  requireAllocation(environment, "frame header", headerLength);
  const encoded = new Uint8Array(headerLength);
  file.readInto(0, encoded);
  return encoded;
}

/** @throws Blosc2Error `BLOSC2_LIMIT_EXCEEDED` */
export function requireAllocation(environment: ChunkEnvironment, structure: string, byteLength: number): void {
  const { maxAllocation } = environment.limits;
  if (byteLength > maxAllocation) {
    throw new Blosc2Error(
      "BLOSC2_LIMIT_EXCEEDED",
      `${structure}: ${byteLength} bytes exceed the limit maxAllocation ${maxAllocation}`,
      { structure, limit: "maxAllocation", expected: maxAllocation, found: byteLength },
    );
  }
}
