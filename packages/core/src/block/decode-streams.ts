/** Decoding the streams of a block (`README_CHUNK_FORMAT`, "Streams"). @module */

import { type BlockPipeline, locateFailure } from "./block-pipeline.js";
import type { BlockDecodeRequest } from "./engine.js";
import type { StreamTable } from "./stream-table.js";

/**
 * Decodes the streams that touch bytes `from..to` of the (still filtered) block.
 *
 * @param target receives the whole block; its byte 0 is the block's.
 */
export function decodeStreams(
  pipeline: BlockPipeline,
  request: BlockDecodeRequest,
  streams: StreamTable,
  target: Uint8Array,
  from: number,
  to: number,
): void {
  const { source } = request;
  const length = streams.streamLength;
  for (let i = 0; i < streams.count; i++) {
    const start = i * length;
    const end = start + length;
    if (end <= from || start >= to) continue;
    const size = streams.sizes[i] as number;
    const offset = streams.offsets[i] as number;
    if (size <= 0) {
      target.fill(-size, start, end);
    } else if (size === length) {
      target.set(source.subarray(offset, offset + size), start);
    } else {
      const codec = pipeline.decoderFor(request);
      try {
        codec.decompress(source.subarray(offset, offset + size), target.subarray(start, end), pipeline.codecContext);
      } catch (error) {
        throw locateFailure(error, request.place.location, request.blockIndex, {
          name: codec.name,
          direction: "decompress",
          filter: false,
          stream: i,
          position: request.place.location.position + request.sourceOffset + offset,
        });
      }
    }
  }
}
