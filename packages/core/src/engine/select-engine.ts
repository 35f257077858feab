/** Choosing the engine. @module */
import { kernelsSupported } from "@b2frame/kernels";
import { type CodecRegistry, defaultCodecs } from "../codec/codec-registry.js";
import { ArgumentError, UnsupportedError } from "../errors.js";
import { defaultFilters, type FilterRegistry } from "../filter/filter-registry.js";
import type { Engine } from "./engine.js";
import { KernelsEngine } from "./kernels-engine.js";
import { PortableEngine } from "./portable-engine.js";

/** The engines by name. */
export type EngineName = Engine["name"];

/** What to make an engine of. */
export interface EngineOptions {
  /** By default `B2FRAME_ENGINE` in the environment, else the first engine that works here. */
  readonly engine?: EngineName | undefined;
  readonly codecs?: CodecRegistry | undefined;
  readonly filters?: FilterRegistry | undefined;
}

interface EngineMaker {
  readonly name: EngineName;
  /** Undefined where the platform lacks what the engine needs. */
  make(codecs: CodecRegistry, filters: FilterRegistry): Engine | undefined;
}

/** In order of preference. */
const MAKERS: readonly EngineMaker[] = [
  { name: "kernels", make: (codecs, filters) => (kernelsSupported() ? new KernelsEngine(codecs, filters) : undefined) },
  { name: "portable", make: (codecs, filters) => new PortableEngine(codecs, filters) },
];

/** The default registries' engines, shared by all who ask on this thread: an engine holds scratch memory. */
const shared = new Map<EngineName, Engine>();

/** `B2FRAME_ENGINE`, where there is an environment. */
function engineOfEnvironment(): string | undefined {
  const holder = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const name = holder.process?.env?.B2FRAME_ENGINE;
  return name === "" ? undefined : name;
}

/**
 * The engine to use: the one named by `options.engine`, else by the environment variable `B2FRAME_ENGINE`, else the best that
 * works here. With the default registries the same engine comes back each time.
 *
 * @throws ArgumentError for a name that is no engine's; UnsupportedError when the named engine does not work here.
 */
export function defaultEngine(options: EngineOptions = {}): Engine {
  const { codecs = defaultCodecs, filters = defaultFilters } = options;
  const wanted = options.engine ?? engineOfEnvironment();
  if (wanted !== undefined && wanted !== "kernels" && wanted !== "portable") {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `engine must be "kernels" or "portable", found "${wanted}"`, {
      parameter: options.engine === undefined ? "B2FRAME_ENGINE" : "engine",
      found: wanted,
    });
  }
  const isShared = codecs === defaultCodecs && filters === defaultFilters;
  for (const { name, make } of MAKERS) {
    if (wanted !== undefined && name !== wanted) continue;
    const known = isShared ? shared.get(name) : undefined;
    if (known !== undefined) return known;
    const engine = make(codecs, filters);
    if (engine === undefined) continue;
    if (isShared) shared.set(name, engine);
    return engine;
  }
  throw new UnsupportedError("BLOSC2_UNSUPPORTED", `the "${wanted}" engine does not work on this platform`, {
    feature: `engine ${wanted}`,
  });
}
