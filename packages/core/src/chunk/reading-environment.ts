/** The surroundings of chunks for programs that only read. @module */
import { readingCodecs } from "../codec/reading-codecs.js";
import { type KeptEngines, makeEngine } from "../engine/make-engine.js";
import { defaultFilters } from "../filter/filter-registry.js";
import { type ChunkEnvironment, type EnvironmentOptions, environmentOf } from "./chunk-environment.js";

const shared: KeptEngines = new Map();

/**
 * As `defaultEnvironment`, with {@link readingCodecs} for the codecs, so that a bundle has nothing of what compresses.
 *
 * @throws ArgumentError or UnsupportedError when the engine can't be had.
 */
export function readingEnvironment(options: EnvironmentOptions = {}): ChunkEnvironment {
  const { codecs = readingCodecs, filters = defaultFilters, engine } = options;
  const isShared = codecs === readingCodecs && filters === defaultFilters;
  const made = typeof engine === "object" ? engine : makeEngine(engine, codecs, filters, isShared ? shared : undefined);
  return environmentOf(options, codecs, filters, made);
}
