/** Where the bytes of one compressed chunk come from: memory, or a range of a file. @module */
import type { WindowMemory } from "../block/window-memory.js";
import { ArgumentError, FormatError, type SourceLocation } from "../errors.js";

/** The bytes of one compressed chunk. Bytes after the chunk's own `cbytes` may follow and are ignored. */
export interface ChunkSource {
  /** Bytes available from the chunk's first byte on. */
  readonly byteLength: number;
  readonly location: SourceLocation;
  /**
   * Reads exactly `length` bytes at `offset` from the chunk's first byte. The result is borrowed: read-only, and valid only
   * until the next read.
   *
   * @throws IoError or FormatError when the bytes are not there.
   */
  read(offset: number, length: number): Uint8Array;
  /** Reads exactly `target.byteLength` bytes into the caller's memory. */
  readInto(offset: number, target: Uint8Array): void;
  /** The bytes as a view of the engine's memory, as `WindowMemory.locate` gives them. Absent: they are always copied. */
  mapped?(offset: number, length: number, memory: WindowMemory): Uint8Array | undefined;
}

/** A chunk in memory. */
class BytesChunkSource implements ChunkSource {
  readonly location: SourceLocation;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, location: SourceLocation) {
    this.#bytes = bytes;
    this.location = location;
  }

  get byteLength(): number {
    return this.#bytes.byteLength;
  }

  read(offset: number, length: number): Uint8Array {
    const available = this.#bytes.byteLength;
    if (!(offset >= 0 && length >= 0 && offset + length <= available)) {
      throw new FormatError("BLOSC2_FORMAT_TRUNCATED", {
        ...this.location,
        field: "bytes",
        offset,
        expected: `${length} bytes`,
        found: `${Math.max(0, available - offset)} bytes`,
      });
    }
    return this.#bytes.subarray(offset, offset + length);
  }

  readInto(offset: number, target: Uint8Array): void {
    target.set(this.read(offset, target.byteLength));
  }
}

/**
 * A source over bytes in memory. They are not copied: the caller must leave them unchanged while the chunk is in use.
 *
 * @param location names the bytes in error messages; by default "chunk" at position 0.
 */
export function chunkFromBytes(bytes: Uint8Array, location?: SourceLocation): ChunkSource {
  if (!(bytes instanceof Uint8Array)) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", "chunk bytes must be a Uint8Array", { parameter: "bytes" });
  }
  return new BytesChunkSource(bytes, location ?? { structure: "chunk", position: 0 });
}
