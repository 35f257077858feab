/** Choosing and making an engine for given registries. @module */
import { kernelsSupported } from "@b2frame/kernels";
import type { Engine } from "../block/engine.js";
import type { CodecRegistry } from "../codec/codec-registry.js";
import { ArgumentError, UnsupportedError } from "../errors.js";
import type { FilterRegistry } from "../filter/filter-registry.js";
import { KernelsEngine } from "./kernels-engine.js";
import { PortableEngine } from "./portable-engine.js";

/** The engines by name. */
export type EngineName = Engine["name"];

/** The engines that are kept for a pair of registries: an engine holds scratch memory. */
export type KeptEngines = Map<EngineName, Engine>;

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

/** `B2FRAME_ENGINE`, where there is an environment. */
function engineOfEnvironment(): string | undefined {
  const holder = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const name = holder.process?.env?.B2FRAME_ENGINE;
  return name === "" ? undefined : name;
}

/**
 * The engine of a name, else the one that the environment variable `B2FRAME_ENGINE` names, else the best that works here.
 *
 * @param kept where an engine made before is looked for, and a new one is kept.
 * @throws ArgumentError for a name that is no engine's; UnsupportedError when the named engine does not work here.
 */
export function makeEngine(
  name: EngineName | undefined,
  codecs: CodecRegistry,
  filters: FilterRegistry,
  kept: KeptEngines | undefined,
): Engine {
  const wanted = name ?? engineOfEnvironment();
  if (wanted !== undefined && wanted !== "kernels" && wanted !== "portable") {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `engine must be "kernels" or "portable", found "${wanted}"`, {
      parameter: name === undefined ? "B2FRAME_ENGINE" : "engine",
      found: wanted,
    });
  }
  for (const maker of MAKERS) {
    if (wanted !== undefined && maker.name !== wanted) continue;
    const known = kept?.get(maker.name);
    if (known !== undefined) return known;
    const engine = maker.make(codecs, filters);
    if (engine === undefined) continue;
    kept?.set(maker.name, engine);
    return engine;
  }
  throw new UnsupportedError("BLOSC2_UNSUPPORTED", `the "${wanted}" engine does not work on this platform`, {
    feature: `engine ${wanted}`,
  });
}
