/** Reading a chunk that is stored by itself. @module */
import { FormatError } from "../errors.js";
import { Chunk } from "./chunk.js";
import type { ChunkEnvironment } from "./chunk-environment.js";
import { chunkFromBytes } from "./chunk-source.js";

/**
 * The content of a chunk with nothing after it.
 *
 * @throws FormatError, CodecError or UnsupportedError; also when bytes are missing or left over.
 */
export function decodeWholeChunk(bytes: Uint8Array, structure: string, environment: ChunkEnvironment): Uint8Array {
  const location = { structure, position: 0 };
  const chunk = Chunk.open(chunkFromBytes(bytes, location), environment);
  if (chunk.cbytes !== bytes.byteLength) {
    throw new FormatError("BLOSC2_FORMAT_BAD_LENGTH", {
      ...location,
      field: "cbytes",
      offset: 12,
      expected: `${bytes.byteLength}, all that was stored`,
      found: chunk.cbytes,
    });
  }
  return chunk.decompress();
}
