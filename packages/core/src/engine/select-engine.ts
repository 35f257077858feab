/** The engine to use where the default registries may be. @module */

import type { Engine } from "../block/engine.js";
import { type CodecRegistry, defaultCodecs } from "../codec/codec-registry.js";
import { defaultFilters, type FilterRegistry } from "../filter/filter-registry.js";
import { type EngineName, type KeptEngines, makeEngine } from "./make-engine.js";

/** What to make an engine of. */
export interface EngineOptions {
  /** By default `B2FRAME_ENGINE` in the environment, else the first engine that works here. */
  readonly engine?: EngineName | undefined;
  readonly codecs?: CodecRegistry | undefined;
  readonly filters?: FilterRegistry | undefined;
}

/** The default registries' engines, shared by all who ask on this thread. */
const shared: KeptEngines = new Map();

/**
 * The engine to use: the one named by `options.engine`, else by the environment variable `B2FRAME_ENGINE`, else the best that
 * works here. With the default registries the same engine comes back each time.
 *
 * @throws ArgumentError for a name that is no engine's; UnsupportedError when the named engine does not work here.
 */
export function defaultEngine(options: EngineOptions = {}): Engine {
  const { codecs = defaultCodecs, filters = defaultFilters } = options;
  const isShared = codecs === defaultCodecs && filters === defaultFilters;
  return makeEngine(options.engine, codecs, filters, isShared ? shared : undefined);
}
