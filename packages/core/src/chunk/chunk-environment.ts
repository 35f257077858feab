/** What reading and writing chunks needs beside the chunk itself. @module */

import type { Engine } from "../block/engine.js";
import type { BlockGeometry } from "../codec/codec.js";
import { type CodecRegistry, defaultCodecs } from "../codec/codec-registry.js";
import type { EngineName } from "../engine/make-engine.js";
import { defaultEngine } from "../engine/select-engine.js";
import { defaultFilters, type FilterRegistry } from "../filter/filter-registry.js";
import { type Limits, requireWhole, resolveLimits } from "../limits.js";

/** Which block a hook is called for. */
export interface BlockHookInfo {
  /** Index of the block in its chunk. */
  readonly blockIndex: number;
  /** Offset of the block in the uncompressed chunk, in bytes. */
  readonly offset: number;
  /** The super-chunk's typesize, or the chunk's. */
  readonly typesize: number;
}

/**
 * User code that is run on each uncompressed block: it fills all of `target`, which is as long as `source`. `source` is
 * read-only, and neither may be kept.
 */
export type BlockHook = (source: Uint8Array, target: Uint8Array, info: BlockHookInfo) => void;

/** The surroundings of a chunk: engine, registries, limits, and what the super-chunk knows. */
export interface ChunkEnvironment {
  readonly engine: Engine;
  readonly codecs: CodecRegistry;
  readonly filters: FilterRegistry;
  readonly limits: Limits;
  /** Bytes for decoded blocks that an open super-chunk keeps; 0 = none. */
  readonly blockCacheBytes: number;
  /** Whether frames are held against the checksums that they keep. */
  readonly checksum: boolean;
  /** The super-chunk's typesize, which may exceed the 255 that a chunk header can say. Absent for a lone chunk. */
  readonly superChunkTypesize?: number | undefined;
  /** Set when the chunk belongs to a B2ND array. */
  readonly geometry?: BlockGeometry | undefined;
  /** Runs on each decoded block before it is given out; it is not applied to variable-length blocks. */
  readonly postfilter?: BlockHook | undefined;
}

/** Changes with every codec and filter that is registered: what was worked out with those of before may be out of date. */
export function registrations({ codecs, filters }: ChunkEnvironment): number {
  return codecs.version + filters.version;
}

/** What {@link defaultEnvironment} takes: any part of an environment, and the engine by name if preferred. */
export interface EnvironmentOptions extends Partial<Omit<ChunkEnvironment, "engine" | "limits" | "blockCacheBytes">> {
  readonly engine?: Engine | EngineName | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /**
   * Most bytes of memory for blocks decoded lately, for scattered reads that come back to a block: then nothing is read or decoded.
   * Reads of whole chunks pass the cache by, so streaming over a frame neither fills nor pays for it. Default 0, none: a read decodes
   * only as much of a block as it wants, which is less than all of it, so keeping blocks pays only where they are visited again. A
   * super-chunk has a cache of its own; blocks of variable length and lone chunks are not kept.
   */
  readonly blockCacheBytes?: number | undefined;
}

/**
 * An environment of the given parts and, for the rest, the default registries, limits and engine.
 *
 * @throws ArgumentError for a limit that can't be; ArgumentError or UnsupportedError when the engine can't be had.
 */
export function defaultEnvironment(options: EnvironmentOptions = {}): ChunkEnvironment {
  const codecs = options.codecs ?? defaultCodecs;
  const filters = options.filters ?? defaultFilters;
  const { engine } = options;
  const made = typeof engine === "object" ? engine : defaultEngine({ engine, codecs, filters });
  return environmentOf(options, codecs, filters, made);
}

/** The environment of these registries and this engine; what else `options` lack has its default. */
export function environmentOf(
  options: EnvironmentOptions,
  codecs: CodecRegistry,
  filters: FilterRegistry,
  engine: Engine,
): ChunkEnvironment {
  return {
    engine,
    codecs,
    filters,
    limits: resolveLimits(options.limits),
    blockCacheBytes: requireWhole("blockCacheBytes", options.blockCacheBytes ?? 0, 0),
    checksum: options.checksum ?? true,
    superChunkTypesize: options.superChunkTypesize,
    geometry: options.geometry,
    postfilter: options.postfilter,
  };
}
