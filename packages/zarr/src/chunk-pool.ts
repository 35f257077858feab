/** Codecs whose chunks are decoded by workers. @module */
import type { PooledZarrCodecEntry, ZarrCodecEntry } from "./zarr-codec.js";

/** Workers that decode chunks: a `DecodePool` of `@b2frame/remote/workers` is one. */
export interface ChunkPool {
  /** @throws FormatError, CodecError or UnsupportedError; also when bytes are missing or left over */
  decodeChunk(bytes: Uint8Array, structure: string): Promise<Uint8Array>;
}

/** The entry with a pool to decode by. */
export function pooledEntry(entry: ZarrCodecEntry, pool: ChunkPool, structure: string): PooledZarrCodecEntry {
  return {
    kind: "bytes_to_bytes",
    fromConfig(configuration, metadata) {
      const codec = entry.fromConfig(configuration, metadata);
      return {
        kind: "bytes_to_bytes",
        encode: (bytes) => codec.encode(bytes),
        decode: (bytes) => pool.decodeChunk(bytes, structure),
      };
    },
  };
}
