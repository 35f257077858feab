/** The engines that every input is read with. @module */
import { type CodecRegistry, defaultCodecs, defaultFilters, type FilterRegistry, type Limits } from "@b2frame/core";
import { defaultEngine, type Engine } from "@b2frame/core/codec";
import { registerPlugins } from "@b2frame/core/plugins";
import { registerZstd } from "@b2frame/core/zstd";
import { registerNodeCodecs } from "@b2frame/node-codecs";

/** What everything is opened with. */
export interface OpenOptions {
  readonly engine: Engine;
  readonly codecs: CodecRegistry;
  readonly filters: FilterRegistry;
  readonly limits: Limits;
}

/** An engine and its codecs. */
export interface Setup {
  readonly name: string;
  readonly options: OpenOptions;
}

/** As a server would set them that opens files of strangers. */
const LIMITS: Limits = { maxAllocation: 2 ** 22, maxChunkBytes: 2 ** 22 };

async function setupOf(
  name: string,
  engine: "portable" | "kernels",
  register: (codecs: CodecRegistry) => Promise<void> | void,
): Promise<Setup> {
  const codecs = defaultCodecs.clone();
  registerPlugins(codecs);
  await register(codecs);
  const filters = defaultFilters.clone();
  return {
    name,
    options: { engine: defaultEngine({ engine, codecs, filters }), codecs, filters, limits: LIMITS },
  };
}

/** Two setups whose answers must be the same, and one that is run now and then. */
export interface Setups {
  readonly portable: Setup;
  readonly kernels: Setup;
  /** With Node's codecs, which may refuse streams that the portable ones put up with. */
  readonly node: Setup;
}

/** The engines, with the portable codecs and with Node's. */
export async function makeSetups(): Promise<Setups> {
  return {
    portable: await setupOf("portable", "portable", registerZstd),
    kernels: await setupOf("kernels", "kernels", registerZstd),
    node: await setupOf("kernels with Node's codecs", "kernels", registerNodeCodecs),
  };
}
