/** Compression parameters: what the caller writes, and what they come to. @module */
import { checkOptionNames, type OptionNames } from "../checks/option-names.js";
import { type CodecRegistry, defaultCodecs } from "../codec/codec-registry.js";
import { ArgumentError } from "../errors.js";
import { defaultFilters, type FilterRegistry } from "../filter/filter-registry.js";
import { type FilterSpec, resolveFilterSlots } from "../filter/filter-slots.js";
import type { BlockHook } from "./chunk-environment.js";
import { MAX_BLOCKSIZE } from "./chunk-layout.js";

/** When blocks are split into one stream per byte of the typesize. `"auto"` and `"forward_compat"` choose alike. */
export type SplitMode = "always" | "never" | "auto" | "forward_compat";

/** Compression parameters. */
export interface CParams {
  /** Name or compcode. Default `"blosclz"`. */
  readonly codec: string | number;
  /** Parameter of plugin codecs, 0..255. Default 0. */
  readonly codecMeta: number;
  /** 0 (store) to 9. Default 5. */
  readonly clevel: number;
  /** Bytes per item. Default: that of the array's elements. */
  readonly typesize: number;
  /** At most six; the first goes to slot 0. Default: shuffle, in the last slot. */
  readonly filters: readonly FilterSpec[];
  /** Bytes per block; 0 (default) = automatic. Rounded down to a multiple of the typesize. */
  readonly blocksize: number;
  /** Default `"forward_compat"`. */
  readonly splitmode: SplitMode;
  /** Whether to make and use a dictionary; codecs zstd, lz4 and lz4hc. Default false. */
  readonly useDict: boolean;
  /** Runs on each block before it is filtered and compressed. Readers get what it produced. */
  readonly prefilter?: BlockHook | undefined;
}

/** See `checkOptionNames`. */
export const CPARAM_NAMES: OptionNames<CParams> = {
  codec: true,
  codecMeta: true,
  clevel: true,
  typesize: true,
  filters: true,
  blocksize: true,
  splitmode: true,
  useDict: true,
  prefilter: true,
};

/** Checked parameters with every name looked up. */
export interface ResolvedCParams {
  readonly compcode: number;
  /** The code in the chunk's flags. */
  readonly formatCode: number;
  readonly codecMeta: number;
  readonly clevel: number;
  /** The true typesize, which may exceed 255. */
  readonly typesize: number;
  /** Six filter ids. */
  readonly filters: Uint8Array;
  /** Six filter metas. */
  readonly filtersMeta: Uint8Array;
  readonly blocksize: number;
  readonly splitmode: SplitMode;
  readonly useDict: boolean;
  readonly prefilter: BlockHook | undefined;
}

const SPLIT_MODES: readonly string[] = ["always", "never", "auto", "forward_compat"];
const DEFAULT_FILTERS: readonly FilterSpec[] = [0, 0, 0, 0, 0, "shuffle"];

function checkInteger(parameter: keyof CParams, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new ArgumentError(
    "BLOSC2_ARGUMENT_INVALID",
    `${parameter} must be an integer in ${min}..${max}, found ${String(value)}`,
    { parameter, expected: `${min}..${max}`, found: String(value) },
  );
}

/**
 * Fills in the defaults (C-Blosc2's: blosclz, clevel 5, shuffle, automatic blocksize), checks, and looks the names up.
 *
 * @throws ArgumentError for an unknown parameter or a value out of range; UnsupportedError for a codec or filter that is not registered or only reads.
 * @example
 * ```ts
 * resolveCParams({ codec: "zstd", clevel: 9, typesize: 4, filters: ["bitshuffle"] });
 * ```
 */
export function resolveCParams(
  params: Partial<CParams> = {},
  codecs: CodecRegistry = defaultCodecs,
  filters: FilterRegistry = defaultFilters,
): ResolvedCParams {
  checkOptionNames(CPARAM_NAMES, params);
  const { codec: wanted = "blosclz", splitmode = "forward_compat", useDict = false } = params;
  const codec = typeof wanted === "string" ? codecs.byName(wanted) : codecs.byId(checkInteger("codec", wanted, 0, 255));
  const typesize = checkInteger("typesize", params.typesize ?? 1, 1, MAX_BLOCKSIZE);
  if (!SPLIT_MODES.includes(splitmode)) {
    const expected = SPLIT_MODES.join(", ");
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `splitmode must be one of ${expected}, found ${splitmode}`, {
      parameter: "splitmode",
      expected,
      found: splitmode,
    });
  }
  if (useDict && !(codec.dictionaries && codec.trainDictionary !== undefined)) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `useDict: codec "${codec.name}" knows no dictionaries`, {
      parameter: "useDict",
      codec: codec.name,
    });
  }
  const slots = resolveFilterSlots(params.filters ?? DEFAULT_FILTERS, { registry: filters, typesize });
  return {
    compcode: codec.id,
    formatCode: codec.formatCode,
    codecMeta: checkInteger("codecMeta", params.codecMeta ?? 0, 0, 255),
    clevel: checkInteger("clevel", params.clevel ?? 5, 0, 9),
    typesize,
    filters: slots.filters,
    filtersMeta: slots.filtersMeta,
    blocksize: checkInteger("blocksize", params.blocksize ?? 0, 0, MAX_BLOCKSIZE),
    splitmode,
    useDict,
    prefilter: params.prefilter,
  };
}
