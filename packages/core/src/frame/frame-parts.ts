/** Reading what a frame is described by: header, index, trailer. @module */
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import { Blosc2Error, FormatError } from "../errors.js";
import type { FrameFile } from "./frame-file.js";
import { decodeFrameHeader, decodeHeaderLength, type FrameHeader } from "./frame-header.js";
import * as layout from "./frame-layout.js";
import { decodeTrailer, decodeTrailerLength } from "./frame-trailer.js";
import type { Metalayer } from "./metalayers.js";
import { decodeIndex, OffsetsIndex } from "./offsets-index.js";

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
}

/**
 * Reads header, index and trailer, in two reads for most frames.
 *
 * @throws FormatError; IoError; Blosc2Error `BLOSC2_LIMIT_EXCEEDED`.
 */
export function readFrameParts(file: FrameFile, request: FramePartsRequest): FrameParts {
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
  const { headerLength, frameLength, nbytes, cbytes, chunksize } = header;
  const hasChunks = nbytes > 0;
  // Without chunks the trailer follows the header, whatever cbytes says.
  const tailStart = headerLength + (hasChunks && !sparse ? cbytes : 0);
  const tailLength = frameLength - tailStart;
  requireAllocation(environment, "index and trailer", tailLength);
  const tail = file.read(tailStart, tailLength);
  const endStart = tailLength - layout.TRAILER_TAIL_LENGTH;
  const trailerLength = decodeTrailerLength(
    tail.subarray(endStart),
    { path, position: file.position + tailStart + endStart },
    tailLength,
  );
  const trailerStart = hasChunks ? tailLength - trailerLength : 0;
  const trailer = tail.slice(trailerStart, trailerStart + trailerLength);
  const vlmetalayers = decodeTrailer(trailer, { path, position: file.position + tailStart + trailerStart });
  const index = hasChunks
    ? decodeIndex(
        tail.subarray(0, trailerStart),
        { path, structure: "index chunk", position: file.position + tailStart },
        environment,
        {
          chunkCount: chunksize > 0 ? Math.ceil(nbytes / chunksize) : undefined,
          maxEntry: sparse ? 0xffffffff : cbytes - layout.MIN_CHUNK_LENGTH,
        },
      )
    : new OffsetsIndex();
  return { header, encodedHeader, metalayers, vlmetalayers, index };
}

/** All bytes of the header, as a copy. */
function readHeader(
  file: FrameFile,
  path: string | undefined,
  availableBytes: number,
  environment: ChunkEnvironment,
): Uint8Array {
  const first = file.read(0, Math.min(availableBytes, layout.PAGE_LENGTH));
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
