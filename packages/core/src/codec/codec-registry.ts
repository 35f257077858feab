/** Which codec stands for which id. @module */
import { ArgumentError, FormatError, type SourceLocation, UnsupportedError } from "../errors.js";
import { blosclzCodec } from "./blosclz-codec.js";
import type { Codec } from "./codec.js";
import { KNOWN_CODECS, registerCall } from "./known-codecs.js";
import { lz4Codec, lz4hcCodec } from "./lz4-codec.js";
import { probeCodec } from "./probe-codec.js";
import { zlibCodec } from "./zlib-codec.js";

/** Ids up to here are the format's own. */
const LAST_FORMAT_ID = 31;
/** Ids from here on are the user's; between are the registered plugins'. */
const FIRST_USER_ID = 160;
const LAST_ID = 255;
/** The format code of every codec from id 32 on. */
const PLUGIN_FORMAT_CODE = 6;
/** The format codes of the format's own codecs, by id. */
const FORMAT_CODES: ReadonlyMap<number, number> = new Map([
  [0, 0],
  [1, 1],
  [2, 1],
  [4, 3],
  [5, 4],
]);
/** The codec that reads a format code: lz4hc's streams are lz4's. */
const READERS: ReadonlyMap<number, number> = new Map([
  [0, 0],
  [1, 1],
  [3, 4],
  [4, 5],
]);

/** How {@link CodecRegistry.register} treats what it would otherwise refuse. */
export interface CodecRegistration {
  /** Take the place of a codec that has the same id. */
  readonly replace?: boolean;
  /** Accept an id below 160, which the format or a registered plugin owns. */
  readonly allowReserved?: boolean;
  /** Try a round trip first (default). Turn off for a lossy codec, or one that works on B2ND blocks only. */
  readonly probe?: boolean;
}

function invalid(message: string): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter: "codec" });
}

function unavailable(
  id: number,
  where: string,
  location: SourceLocation | undefined,
  registry: string,
): UnsupportedError {
  const known = KNOWN_CODECS.get(id);
  const name = known === undefined ? "" : ` (${known.name})`;
  const remedy =
    known?.remedy(registry) ??
    (id >= FIRST_USER_ID
      ? `it is a user's codec: pass it to ${registerCall(registry)}`
      : "no codec is known by this id");
  return new UnsupportedError("BLOSC2_UNSUPPORTED_CODEC", `${where}codec ${id}${name} is not registered: ${remedy}`, {
    ...location,
    feature: known?.name ?? `codec ${id}`,
    codec: id,
  });
}

function wordLocation(location: SourceLocation | undefined): string {
  if (location === undefined) return "";
  const path = location.path === undefined ? "" : `${location.path}: `;
  return `${path}${location.structure} at position ${location.position}: `;
}

/**
 * Codecs by id and name. Ids 0-31 are the format's, 32-159 those of registered plugins, 160-255 the user's.
 *
 * @example
 * ```ts
 * const codecs = defaultCodecs.clone();
 * codecs.register({ id: 200, name: "mine", formatCode: 6, dictionaries: false, compress, decompress });
 * ```
 */
export class CodecRegistry {
  readonly #byId = new Map<number, Codec>();
  /** What stands for it in the program, for advice; empty for the default one. */
  readonly #expression: string;
  #version = 0;

  /** @param expression - what stands for it in the program, in the advice of errors: the name of a variable or option */
  constructor(expression = "codecs") {
    this.#expression = expression;
  }

  /** Changes with every codec that is registered: what was looked up before may be another one now. */
  get version(): number {
    return this.#version;
  }

  /**
   * Adds a codec after a round trip of a few inputs through it.
   *
   * @throws ArgumentError for an id, name or format code that it can't have, for an id that is taken (unless `replace`) or
   * not the user's (unless `allowReserved`), and when the round trip fails.
   */
  register(codec: Codec, options: CodecRegistration = {}): void {
    const { id, name, formatCode } = codec;
    if (!Number.isInteger(id) || id < 0 || id > LAST_ID) {
      throw invalid(`codec id: expected an integer from 0 to ${LAST_ID}, found ${id}`);
    }
    if (name === "") throw invalid(`codec ${id}: expected a name, found an empty string`);
    if (id < FIRST_USER_ID && options.allowReserved !== true) {
      throw invalid(`codec ${id} (${name}): ids below ${FIRST_USER_ID} need allowReserved`);
    }
    const expected = id > LAST_FORMAT_ID ? PLUGIN_FORMAT_CODE : FORMAT_CODES.get(id);
    if (expected === undefined) throw invalid(`codec ${id} (${name}): the format has no such id`);
    if (formatCode !== expected) {
      throw invalid(`codec ${id} (${name}): expected format code ${expected}, found ${formatCode}`);
    }
    if (this.#byId.has(id) && options.replace !== true) {
      throw invalid(`codec ${id} (${name}): the id is taken by ${this.#byId.get(id)?.name}`);
    }
    for (const other of this.#byId.values()) {
      if (other.name === name && other.id !== id)
        throw invalid(`codec ${id} (${name}): codec ${other.id} has that name`);
    }
    if (options.probe !== false) probeCodec(codec);
    this.#byId.set(id, codec);
    this.#version++;
  }

  /** Whether a codec has this id here. */
  has(id: number): boolean {
    return this.#byId.has(id);
  }

  /**
   * The codec with this id (the compcode).
   *
   * @param location - what needs it, for the error message
   * @throws UnsupportedError `BLOSC2_UNSUPPORTED_CODEC`, which says where to get the codec.
   */
  byId(id: number, location?: SourceLocation): Codec {
    const codec = this.#byId.get(id);
    if (codec === undefined) throw unavailable(id, wordLocation(location), location, this.#expression);
    return codec;
  }

  /**
   * The codec that reads a chunk.
   *
   * @param code - the format code, `flags >> 5` of the chunk header
   * @param compcode - the compcode byte, which decides only for code 6
   * @throws FormatError for a code that the format does not have; UnsupportedError for a codec that is not registered.
   */
  byFormatCode(code: number, compcode: number, location: SourceLocation): Codec {
    const reader = READERS.get(code);
    if (reader !== undefined) return this.byId(reader, location);
    if (code !== PLUGIN_FORMAT_CODE) {
      throw new FormatError("BLOSC2_FORMAT_INVALID", {
        ...location,
        field: "format code (flags >> 5)",
        expected: "0, 1, 3, 4 or 6",
        found: code,
      });
    }
    if (compcode <= LAST_FORMAT_ID) {
      throw new FormatError("BLOSC2_FORMAT_INVALID", {
        ...location,
        field: "compcode",
        expected: "32 or more with format code 6",
        found: compcode,
      });
    }
    return this.byId(compcode, location);
  }

  /**
   * The codec with this name.
   *
   * @throws UnsupportedError for a name that is known but not registered; ArgumentError for any other.
   */
  byName(name: string): Codec {
    for (const codec of this.#byId.values()) if (codec.name === name) return codec;
    for (const [id, known] of KNOWN_CODECS)
      if (known.name === name) throw unavailable(id, "", undefined, this.#expression);
    throw invalid(`codec name: expected one of ${this.keys().join(", ")}, found ${JSON.stringify(name)}`);
  }

  /** The name of the codec with this id: of one that is registered here, or that the format's documents name; `undefined` for others. */
  nameOf(id: number): string | undefined {
    return this.#byId.get(id)?.name ?? KNOWN_CODECS.get(id)?.name;
  }

  /** The names of the registered codecs, by ascending id. */
  keys(): string[] {
    return [...this.#byId.values()].sort((a, b) => a.id - b.id).map((codec) => codec.name);
  }

  /** How many codecs are registered. */
  get size(): number {
    return this.#byId.size;
  }

  /** A registry of its own with the same codecs. */
  clone(): CodecRegistry {
    const copy = new CodecRegistry();
    for (const [id, codec] of this.#byId) copy.#byId.set(id, codec);
    return copy;
  }
}

/** A registry of codecs of ours, by whatever ids. */
export function registryOf(codecs: readonly Codec[], expression: string): CodecRegistry {
  const registry = new CodecRegistry(expression);
  for (const codec of codecs) registry.register(codec, { allowReserved: true, probe: false });
  return registry;
}

/**
 * The registry that is used where none is given: blosclz, lz4, lz4hc and zlib in TypeScript. `registerZstd()` and
 * `registerNodeCodecs()` add to it.
 */
export const defaultCodecs: CodecRegistry = /* @__PURE__ */ registryOf(
  [blosclzCodec, lz4Codec, lz4hcCodec, zlibCodec],
  "",
);

/**
 * Adds a codec to {@link defaultCodecs}; see {@link CodecRegistry.register}.
 *
 * @throws ArgumentError
 */
export function registerCodec(codec: Codec, options?: CodecRegistration): void {
  defaultCodecs.register(codec, options);
}
