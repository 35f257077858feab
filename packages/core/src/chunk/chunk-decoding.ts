/** How the blocks of a chunk are decoded. @module */

import type { BlockCoding, Engine, Located } from "../block/engine.js";
import type { BlockGeometry } from "../codec/codec.js";
import { type ChunkEnvironment, registrations } from "./chunk-environment.js";
import type { ChunkHeader } from "./chunk-header.js";
import { hasPlanes } from "./load-block-part.js";
import { lookUpFilters } from "./look-up-filters.js";

/** What is worked out from a chunk's header before its blocks are decoded. Chunks whose headers agree share one. */
export class ChunkDecoding implements BlockCoding {
  readonly typesize: number;
  readonly superChunkTypesize: number;
  readonly blocksize: number;
  readonly formatCode: number;
  readonly compcode: number;
  readonly codecMeta: number;
  readonly clevel = 0;
  readonly filters: Uint8Array;
  readonly filtersMeta: Uint8Array;
  readonly split: boolean;
  readonly chunkVersion: number;
  readonly runs = true;
  readonly dictionary: Uint8Array | undefined;
  readonly geometry: BlockGeometry | undefined;
  readonly engine: Engine;
  /** Whether a filter needs block 0 to decode the others. */
  readonly needsReference: boolean;
  /** Whether some items of a full block need only some bytes of each stream. */
  readonly planes: boolean;
  readonly #registered: number;

  /** @throws UnsupportedError for a filter that is not registered, or that needs the super-chunk of a lone chunk. */
  constructor(
    header: ChunkHeader,
    blocksize: number,
    environment: ChunkEnvironment,
    place: Located,
    dictionary: Uint8Array | undefined,
  ) {
    this.needsReference = lookUpFilters(header, environment, place.location);
    this.typesize = header.typesize;
    this.superChunkTypesize = environment.superChunkTypesize ?? header.typesize;
    this.blocksize = blocksize;
    this.formatCode = header.formatCode;
    this.compcode = header.compcode;
    this.codecMeta = header.codecMeta;
    this.filters = header.filters;
    this.filtersMeta = header.filtersMeta;
    this.split = header.split && !header.vlBlocks;
    this.chunkVersion = header.version;
    this.dictionary = dictionary;
    this.geometry = environment.geometry;
    this.engine = environment.engine;
    this.planes = hasPlanes(this, environment.filters);
    this.#registered = registrations(environment);
  }

  /** Whether another chunk without a dictionary, and with blocks of one size, is decoded in the same way. */
  serves(header: ChunkHeader, blocksize: number, environment: ChunkEnvironment): boolean {
    return (
      this.filters === header.filters &&
      this.filtersMeta === header.filtersMeta &&
      this.blocksize === blocksize &&
      this.typesize === header.typesize &&
      this.formatCode === header.formatCode &&
      this.compcode === header.compcode &&
      this.codecMeta === header.codecMeta &&
      this.split === header.split &&
      this.chunkVersion === header.version &&
      this.#registered === registrations(environment)
    );
  }
}

const decodingsBefore = new WeakMap<ChunkEnvironment, ChunkDecoding>();

/**
 * The decoding for a chunk without a dictionary and with blocks of one size: that of the chunk before, if it serves.
 *
 * @throws UnsupportedError as {@link ChunkDecoding}
 */
export function decodingFor(
  header: ChunkHeader,
  blocksize: number,
  environment: ChunkEnvironment,
  place: Located,
): ChunkDecoding {
  const before = decodingsBefore.get(environment);
  if (before?.serves(header, blocksize, environment)) return before;
  const decoding = new ChunkDecoding(header, blocksize, environment, place, undefined);
  decodingsBefore.set(environment, decoding);
  return decoding;
}
