/** Puts the fastest zlib and zstd of this process into a registry. @module */
import { ArgumentError, type Codec, type CodecRegistry, defaultCodecs } from "@b2frame/core";
import { checkOptionNames } from "@b2frame/core/backend";
import { chosenCodec } from "./chosen-codec.js";
import { CODEC_ORIGINS, type CodecOrigin } from "./codec-origins.js";

/** What {@link registerNodeCodecs} may choose from. */
export interface NodeCodecsOptions {
  /** Where to take the codecs from, the first that works. All of them in the order of their speed unless given. */
  readonly origins?: readonly CodecOrigin[];
}

const OPTIONS = { allowReserved: true, replace: true, probe: false };

let defaults: readonly Codec[] | undefined;

function codecsFrom(origins: readonly CodecOrigin[]): readonly Codec[] {
  return [chosenCodec("zlib", origins), chosenCodec("zstd", origins)];
}

/**
 * Registers the fastest zlib and zstd that this process has, in the place of what the registry has: the C libraries that the
 * running program exports, through `koffi`; else those of the system; else those of `node:zlib`; else the portable ones. Each is
 * tried before it is used, when a codec is first needed. All read the same. They write the same bytes only if they are of the same
 * version of the same library: `{ origins: ["portable"] }` writes the same everywhere.
 *
 * @throws ArgumentError for an origin that there is not.
 * @example
 * ```ts
 * import { registerNodeCodecs } from "@b2frame/node-codecs";
 *
 * registerNodeCodecs();
 * ```
 */
export function registerNodeCodecs(registry: CodecRegistry = defaultCodecs, options: NodeCodecsOptions = {}): void {
  checkOptionNames<NodeCodecsOptions>({ origins: true }, options);
  const { origins } = options;
  for (const origin of origins ?? []) {
    if (!CODEC_ORIGINS.includes(origin)) throw invalid("an origin", CODEC_ORIGINS.join(", "), origin);
  }
  if (origins?.length === 0) throw invalid("origins", "at least one", "none");
  defaults ??= codecsFrom(CODEC_ORIGINS);
  for (const codec of origins === undefined ? defaults : codecsFrom(origins)) registry.register(codec, OPTIONS);
}

function invalid(what: string, expected: string, found: string): ArgumentError {
  return new ArgumentError(
    "BLOSC2_ARGUMENT_INVALID",
    `registerNodeCodecs: ${what}: expected ${expected}, found ${found}`,
    { parameter: "origins" },
  );
}
