/** In which form a new chunk goes into a frame: as bytes, or as an entry of the index alone. @module */
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import { EXTENDED_HEADER_LENGTH } from "../chunk/chunk-layout.js";
import { compressChunk } from "../chunk/compress-chunk.js";
import type { StoredHeader } from "../chunk/new-chunk.js";
import { encodeSpecialChunk, fillPattern, nanPattern } from "../chunk/special-chunk.js";
import { type IndexedSpecial, plainEnvironment, specialEntry } from "./offsets-index.js";

/** A compressed chunk with what is in its header. The bytes may be lent: they are stored before anything else happens. */
export interface ReadyChunk {
  readonly bytes: Uint8Array;
  readonly header: StoredHeader;
}

/** The frame that a chunk goes into. */
export interface StoringFrame {
  readonly typesize: number;
  /** Whether its chunks differ in size: then a bare entry would lose its own. */
  readonly variable: boolean;
  readonly environment: ChunkEnvironment;
}

/** The chunk's bytes; a number is the entry of a special chunk whose size follows from the frame. */
export function storedForm({ bytes, header }: ReadyChunk, frame: StoringFrame): Uint8Array | number {
  const { special, nbytes } = header;
  if (special === undefined || nbytes === 0) return bytes;
  const { typesize } = frame;
  if (special === "value") {
    const value = bytes.subarray(EXTENDED_HEADER_LENGTH);
    return value.byteLength >= typesize ? bytes : repeatedChunk(frame, value, nbytes);
  }
  const fits = special === "zeros" || (nbytes % typesize === 0 && (special !== "nan" || header.typesize === typesize));
  if (fits && !frame.variable) return specialEntry(special);
  return specialAsBytes(special, nbytes, header.typesize, frame);
}

/** A special chunk that has its size in it. @param typesize of a NaN */
export function specialAsBytes(
  special: IndexedSpecial,
  nbytes: number,
  typesize: number,
  frame: StoringFrame,
): Uint8Array {
  return repeatedChunk(frame, special === "nan" ? nanPattern(typesize) : new Uint8Array(1), nbytes);
}

/**
 * A chunk that repeats `pattern` and has its size in it, in a form that C-Blosc2 reads: in a frame it takes repeated values of at
 * least the frame's typesize only.
 */
function repeatedChunk({ typesize, environment }: StoringFrame, pattern: Uint8Array, nbytes: number): Uint8Array {
  const width = Math.max(typesize, pattern.byteLength);
  const repeats = width % pattern.byteLength === 0 && nbytes % width === 0;
  const content = new Uint8Array(repeats ? width : nbytes);
  fillPattern(content, 0, content.byteLength, pattern, 0);
  if (repeats) return encodeSpecialChunk("value", nbytes, width, content);
  return compressChunk(content, { typesize, clevel: 0 }, plainEnvironment(environment));
}
