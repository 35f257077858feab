/** Configurations of the codecs, as Zarr metadata have them. @module */
import { ArgumentError, type SplitMode } from "@b2frame/core";
import type { Blosc1Shuffle } from "@b2frame/core/codec";

/** Checked parameters; `undefined`: not given. */
export interface CodecConfig {
  readonly codec: string | number;
  readonly clevel: number;
  readonly typesize: number;
  readonly shuffle: Blosc1Shuffle;
  readonly blocksize: number;
  readonly splitmode: SplitMode | undefined;
}

const DEFAULT_CODEC = "lz4";
const DEFAULT_CLEVEL = 5;

/** By numcodecs' number and by Zarr v3's name; imagecodecs names no filter its own way. */
const SHUFFLES: ReadonlyMap<unknown, Blosc1Shuffle | "auto"> = new Map<unknown, Blosc1Shuffle | "auto">([
  [-1, "auto"],
  [0, "noshuffle"],
  [1, "shuffle"],
  [2, "bitshuffle"],
  ["autoshuffle", "auto"],
  ["noshuffle", "noshuffle"],
  ["nofilter", "noshuffle"],
  ["shuffle", "shuffle"],
  ["bitshuffle", "bitshuffle"],
]);

const SPLIT_MODES: ReadonlyMap<unknown, SplitMode> = new Map<unknown, SplitMode>([
  [1, "always"],
  [2, "never"],
  [3, "auto"],
  [4, "forward_compat"],
  ["always", "always"],
  ["never", "never"],
  ["auto", "auto"],
  ["forward_compat", "forward_compat"],
]);

function invalid(name: string, expected: string, found: unknown): ArgumentError {
  const shown = JSON.stringify(found) ?? String(found);
  return new ArgumentError(
    "BLOSC2_ARGUMENT_INVALID",
    `codec configuration: ${name}: expected ${expected}, found ${shown}`,
    {
      parameter: name,
      expected,
      found: shown,
    },
  );
}

/** The first of some names that the configuration has a value under. */
function settingOf(configuration: Record<string, unknown>, ...names: readonly string[]): unknown {
  for (const name of names) {
    const value = configuration[name];
    if (value !== undefined && value !== null) return typeof value === "string" ? value.toLowerCase() : value;
  }
  return undefined;
}

function numberOf(name: string, value: unknown, fallback: number): number {
  if (value === undefined) return fallback;
  if (typeof value === "number" && Number.isInteger(value)) return value;
  throw invalid(name, "an integer", value);
}

/**
 * What a configuration says, in numcodecs' words (`cname`, `clevel`), or imagecodecs' (`compressor`, `level`).
 *
 * @param itemSize bytes per item of the array, where the configuration states no typesize.
 * @throws ArgumentError; ranges are left to the compressor.
 */
export function readConfig(configuration: unknown, itemSize: number): CodecConfig {
  if (configuration !== undefined && configuration !== null && typeof configuration !== "object") {
    throw invalid("configuration", "an object", configuration);
  }
  const given = (configuration ?? {}) as Record<string, unknown>;
  const codec = settingOf(given, "cname", "compressor") ?? DEFAULT_CODEC;
  if (typeof codec !== "string" && typeof codec !== "number") throw invalid("cname", "a name", codec);
  const typesize = numberOf("typesize", settingOf(given, "typesize"), itemSize);
  const shuffle = settingOf(given, "shuffle") ?? "shuffle";
  const known = SHUFFLES.get(shuffle);
  if (known === undefined) throw invalid("shuffle", "-1, 0, 1, 2, noshuffle, shuffle or bitshuffle", shuffle);
  const splitmode = settingOf(given, "splitmode");
  if (splitmode !== undefined && !SPLIT_MODES.has(splitmode)) {
    throw invalid("splitmode", "always, never, auto or forward_compat", splitmode);
  }
  return {
    codec,
    clevel: numberOf("clevel", settingOf(given, "clevel", "level"), DEFAULT_CLEVEL),
    typesize,
    // Bits of single bytes are alike where bytes of wider items are.
    shuffle: known === "auto" ? (typesize === 1 ? "bitshuffle" : "shuffle") : known,
    blocksize: numberOf("blocksize", settingOf(given, "blocksize"), 0),
    splitmode: SPLIT_MODES.get(splitmode),
  };
}
