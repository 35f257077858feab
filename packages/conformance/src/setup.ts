/** The combinations of engine and backend that a corpus is checked with. @module */
import {
  type CodecRegistry,
  defaultCodecs,
  defaultFilters,
  type FilterRegistry,
  type IoBackend,
  isBlosc2Error,
  memory,
} from "@b2frame/core";
import { defaultEngine, type Engine } from "@b2frame/core/codec";
import { registerPlugins } from "@b2frame/core/plugins";
import { registerZstd } from "@b2frame/core/zstd";
import { mmap } from "@b2frame/io-mmap";
import { stdio } from "@b2frame/io-stdio";
import { registerNodeCodecs } from "@b2frame/node-codecs";
import type { BackendName, EngineName, RunRequest } from "./arguments.js";

/** What every frame and chunk of a run is opened with. */
export interface OpenOptions {
  readonly engine: Engine;
  readonly codecs: CodecRegistry;
  readonly filters: FilterRegistry;
}

/** One engine, with its codecs, and one backend. */
export interface Setup {
  readonly name: string;
  readonly backendName: BackendName;
  readonly options: OpenOptions;
  readonly backend: IoBackend;
}

const BACKEND_MAKERS: Readonly<Record<BackendName, () => IoBackend>> = {
  stdio: () => stdio(),
  mmap: () => mmap(),
  memory: () => memory(),
};

/** The portable engine runs with the portable codecs, the other with Node's own, so that both sets are checked. */
async function codecsFor(engine: EngineName): Promise<CodecRegistry> {
  const codecs = defaultCodecs.clone();
  registerPlugins(codecs);
  if (engine === "portable") await registerZstd(codecs);
  else registerNodeCodecs(codecs);
  return codecs;
}

/**
 * The setups that `request` asks for.
 *
 * @throws Error of b2frame's when an engine or backend can't be had here.
 */
export async function makeSetups(request: RunRequest): Promise<readonly Setup[]> {
  const setups: Setup[] = [];
  for (const engineName of request.engines) {
    const codecs = await codecsFor(engineName);
    const filters = defaultFilters.clone();
    const options = { engine: defaultEngine({ engine: engineName, codecs, filters }), codecs, filters };
    for (const backendName of request.backends) {
      const backend = BACKEND_MAKERS[backendName]();
      setups.push({ name: `${engineName}, ${backendName}`, backendName, options, backend });
    }
  }
  return setups;
}

/** What a refusal lacks, when `error` is one; else undefined. */
export function unsupportedFeature(error: unknown): string | undefined {
  if (!isBlosc2Error(error) || !error.code.startsWith("BLOSC2_UNSUPPORTED")) return undefined;
  return String(error.details.feature);
}
