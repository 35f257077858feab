/** Putting the codecs into zarrita's registry. @module */
import { type CodecRegistry, defaultCodecs, type EnvironmentOptions } from "@b2frame/core";
import { defaultEnvironment } from "@b2frame/core/codec";
import { registerZstd } from "@b2frame/core/zstd";
import { bloscEntry } from "./blosc-codec.js";
import { blosc2Entry } from "./blosc2-codec.js";
import { type ChunkPool, pooledEntry } from "./chunk-pool.js";
import type { ZarrCodecEntry, ZarrCodecRegistry } from "./zarr-codec.js";

/** Names under which Zarr metadata ask for each codec; zarrita puts `numcodecs.` before those of Zarr v2. */
const BLOSC_NAMES: readonly string[] = ["blosc", "numcodecs.blosc"];
const BLOSC2_NAMES: readonly string[] = [
  "blosc2",
  "numcodecs.blosc2",
  "imagecodecs_blosc2",
  "numcodecs.imagecodecs_blosc2",
];

const ZSTD = 5;

/** What the codecs work with; see `defaultEnvironment` of `@b2frame/core`. */
export interface ZarrCodecOptions extends Pick<EnvironmentOptions, "codecs" | "engine" | "filters" | "limits"> {
  /** Workers that decode chunks, a `DecodePool` of `@b2frame/remote/workers`; they have the codecs that read all that Zarr writes. */
  readonly pool?: ChunkPool | undefined;
}

/** The codecs to use: zstd, which much of Zarr is compressed with, is added to the default ones if it is missing. */
async function codecsWithZstd(): Promise<CodecRegistry> {
  if (defaultCodecs.has(ZSTD)) return defaultCodecs;
  const codecs = defaultCodecs.clone();
  await registerZstd(codecs);
  return codecs;
}

function loaderOf(
  options: Omit<ZarrCodecOptions, "pool">,
  entryOf: (environment: ReturnType<typeof defaultEnvironment>) => ZarrCodecEntry,
): () => Promise<ZarrCodecEntry> {
  let loading: Promise<ZarrCodecEntry> | undefined;
  const load = async (): Promise<ZarrCodecEntry> => {
    const codecs = options.codecs ?? (await codecsWithZstd());
    return entryOf(defaultEnvironment({ ...options, codecs }));
  };
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/**
 * Makes zarrita read and write `blosc` and `blosc2` with b2frame. Nothing is loaded before an array needs it.
 *
 * @param registry zarrita's `registry`, or another map of its form.
 * @param options `codecs`: those that chunks may be compressed with; default: the registered ones and zstd.
 * @example
 * ```ts
 * import * as zarr from "zarrita";
 * import { registerBloscCodecs } from "@b2frame/zarr";
 *
 * registerBloscCodecs(zarr.registry);
 * const array = await zarr.open(store, { kind: "array" });
 * ```
 */
export function registerBloscCodecs(registry: ZarrCodecRegistry, options: ZarrCodecOptions = {}): void {
  const { pool, ...environment } = options;
  const entries = {
    "blosc chunk": loaderOf(environment, bloscEntry),
    "blosc2 chunk": loaderOf(environment, blosc2Entry),
  };
  const load = (structure: keyof typeof entries) => async () => {
    const entry = await entries[structure]();
    return pool === undefined ? entry : pooledEntry(entry, pool, structure);
  };
  const blosc = load("blosc chunk");
  const blosc2 = load("blosc2 chunk");
  for (const name of BLOSC_NAMES) registry.set(name, blosc);
  for (const name of BLOSC2_NAMES) registry.set(name, blosc2);
}
