/** Where the streams of one block lie, and how each is coded (`README_CHUNK_FORMAT`, "Blocks" and "Streams"). @module */
import { readInt32 } from "../bytes/little-endian.js";
import { type Blosc2ErrorCode, FormatError } from "../errors.js";
import type { BlockCoding, BlockDecodeRequest } from "./engine.js";

const MAX_STREAMS = 255;
const CSIZE_LENGTH = 4;
/** Bit of the token byte after a negative `csize`: the stream is one byte repeated. */
const TOKEN_RUN = 0x01;
/** No stream of the format's own codecs yields more than this many bytes per compressed byte (zstd: 128 KiB in a 4-byte block). */
const MAX_EXPANSION = 0x10000;
/** Format code of codecs that the format does not know. */
const FORMAT_CODE_OTHER = 6;

/** The number of streams of a block. The short last block is never split. */
export function streamCount(coding: BlockCoding, blockByteLength: number): number {
  return coding.split && blockByteLength === coding.blocksize ? coding.typesize : 1;
}

/** The streams of one block; reused from block to block. */
export class StreamTable {
  /** Number of streams. */
  count = 0;
  /** Uncompressed bytes of each stream. */
  streamLength = 0;
  /** Offsets of the streams' bytes in the source. */
  readonly offsets: Float64Array = new Float64Array(MAX_STREAMS);
  /** Positive: bytes of the stream. 0 or negative: a run of the byte `-sizes[i]`. */
  readonly sizes: Int32Array = new Int32Array(MAX_STREAMS);

  /**
   * Walks the `csize` fields of the block and checks them all before anything is decoded or allocated.
   *
   * @returns the offset in the source after the last stream.
   * @throws FormatError when a stream does not lie in the source or can't be what it claims to be.
   */
  locate(coding: BlockCoding, request: BlockDecodeRequest): number {
    const { source, sourceEnd } = request;
    const count = request.variableLength ? 1 : streamCount(coding, request.blockByteLength);
    const streamLength = Math.floor(request.blockByteLength / count);
    this.count = count;
    this.streamLength = streamLength;
    if (streamLength === 0 || streamLength * count !== request.blockByteLength) {
      throw invalidStream(
        request,
        request.sourceStart,
        "stream length",
        `${count} equal streams of a block`,
        request.blockByteLength,
      );
    }
    let at = request.sourceStart;
    if (request.variableLength) {
      this.#place(coding, request, 0, at, sourceEnd - at);
      return sourceEnd;
    }
    for (let i = 0; i < count; i++) {
      if (at + CSIZE_LENGTH > sourceEnd) throw cutStream(request, at, CSIZE_LENGTH, "csize");
      const csize = readInt32(source, at);
      at += CSIZE_LENGTH;
      if (csize > 0) {
        this.#place(coding, request, i, at, csize);
        at += csize;
      } else {
        this.offsets[i] = at;
        this.sizes[i] = csize;
        if (csize < 0) {
          if (csize < -255) throw invalidStream(request, at - CSIZE_LENGTH, "csize", "-255 or more", csize);
          if (at >= sourceEnd) throw cutStream(request, at, 1, "token");
          const token = source[at] as number;
          if ((token & TOKEN_RUN) === 0) throw invalidStream(request, at, "token", "bit 0 set", token);
          at += 1;
        }
      }
    }
    return at;
  }

  #place(coding: BlockCoding, request: BlockDecodeRequest, index: number, offset: number, csize: number): void {
    if (csize <= 0 || offset + csize > request.sourceEnd)
      throw cutStream(request, offset, Math.max(csize, 1), "stream");
    if (coding.formatCode !== FORMAT_CODE_OTHER && this.streamLength / csize > MAX_EXPANSION) {
      throw invalidStream(
        request,
        offset,
        "csize",
        `enough bytes for ${this.streamLength} decoded ones`,
        csize,
        "BLOSC2_FORMAT_BAD_LENGTH",
      );
    }
    this.offsets[index] = offset;
    this.sizes[index] = csize;
  }
}

/** An error about a field of a block. `offset` is relative to the request's source. */
function invalidStream(
  request: BlockDecodeRequest,
  offset: number,
  field: string,
  expected: string,
  found: number | string,
  code: Blosc2ErrorCode = "BLOSC2_FORMAT_INVALID",
): FormatError {
  const { path, structure, position } = request.place.location;
  return new FormatError(code, {
    path,
    structure: `${structure}, block ${request.blockIndex}`,
    position: position + request.sourceOffset,
    field,
    offset,
    expected,
    found,
  });
}

function cutStream(request: BlockDecodeRequest, offset: number, needed: number, field: string): FormatError {
  const left = `${Math.max(0, request.sourceEnd - offset)} bytes`;
  return invalidStream(request, offset, field, `${needed} bytes`, left, "BLOSC2_FORMAT_TRUNCATED");
}
