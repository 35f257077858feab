/** The options that say how data is cut up and compressed. @module */
import { ArgumentError, type CParams, type FilterSpec, type SplitMode } from "@b2frame/core";
import { type Command, Option } from "commander";
import { parseInteger, parseIntegers, parseSize, parseWords } from "./parse-values.js";

const SPLIT_MODES: readonly SplitMode[] = ["auto", "always", "never", "forward_compat"];

/** The word for an empty pipeline. */
const NO_FILTERS = "none";

/** What {@link addCompressionOptions} adds. */
export interface CompressionOptions {
  readonly codec?: string;
  readonly clevel?: number;
  readonly filters?: readonly string[];
  readonly filtersMeta?: readonly number[];
  readonly splitmode?: SplitMode;
  readonly dict?: boolean;
  readonly chunksize?: number;
  readonly blocksize?: number;
  readonly chunks?: readonly number[];
  readonly blocks?: readonly number[];
  readonly sparse?: boolean;
  readonly checksum?: boolean;
}

/** Adds the options; `otherwise` says what holds where one is not given. */
export function addCompressionOptions(command: Command, otherwise: "C-Blosc2's defaults" | "as in IN"): Command {
  return command
    .option("--codec <name>", `blosclz, lz4, lz4hc, zlib or zstd (default: ${otherwise}, as with all of these)`)
    .option("--clevel <n>", "0 (store) to 9", parseInteger(0))
    .option(
      "--filters <names>",
      `up to six, such as shuffle, bitshuffle, bytedelta, delta; or ${NO_FILTERS}`,
      parseWords,
    )
    .option("--filters-meta <ns>", "a number for each filter", parseIntegers(-128))
    .addOption(new Option("--splitmode <mode>", "when blocks are split into streams").choices([...SPLIT_MODES]))
    .option("--dict", "use a dictionary for each chunk (zstd, lz4, lz4hc); --codec without it: none")
    .option("--chunksize <size>", "bytes per chunk, such as 4M", parseSize)
    .option("--blocksize <size>", "bytes per block, such as 256K", parseSize)
    .option("--chunks <shape>", "items per chunk along each dimension of an array", parseIntegers(1))
    .option("--blocks <shape>", "items per block along each dimension of an array", parseIntegers(1))
    .option("--sparse", "write a sparse frame: a directory with a file for each chunk")
    .option("--checksum", "keep a checksum of each chunk, which verify checks");
}

function invalid(parameter: string, message: string): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter });
}

function filterSpecs({ filters, filtersMeta = [] }: CompressionOptions): readonly FilterSpec[] | undefined {
  if (filters === undefined) {
    if (filtersMeta.length > 0) throw invalid("filters-meta", "--filters-meta needs --filters");
    return undefined;
  }
  const names = filters.length === 1 && filters[0] === NO_FILTERS ? [] : filters;
  if (filtersMeta.length > names.length) {
    throw invalid("filters-meta", `--filters-meta has ${filtersMeta.length} numbers for ${names.length} filters`);
  }
  return names.map((filter, i) => ({ filter, meta: filtersMeta[i] ?? 0 }));
}

/** The parameters that were asked for, and no others; `undefined` if none was. The blocksize is not among them. */
export function chosenCParams(options: CompressionOptions): Partial<CParams> | undefined {
  const filters = filterSpecs(options);
  const chosen: Partial<CParams> = {
    // A dictionary and a codec's own parameter belong to the codec: another one starts without.
    ...(options.codec === undefined ? {} : { codec: options.codec, codecMeta: 0, useDict: false }),
    ...(options.clevel === undefined ? {} : { clevel: options.clevel }),
    ...(filters === undefined ? {} : { filters }),
    ...(options.splitmode === undefined ? {} : { splitmode: options.splitmode }),
    ...(options.dict === undefined ? {} : { useDict: options.dict }),
  };
  return Object.keys(chosen).length === 0 ? undefined : chosen;
}

/** @throws ArgumentError if an option was given that has a meaning for arrays only */
export function requireNoShapes({ chunks, blocks }: CompressionOptions): void {
  if (chunks === undefined && blocks === undefined) return;
  throw invalid("chunks", "--chunks and --blocks are for arrays; here it is --chunksize and --blocksize, in bytes");
}

/** @throws ArgumentError if an option was given that has no meaning for arrays */
export function requireNoSizes({ chunksize, blocksize }: CompressionOptions): void {
  if (chunksize === undefined && blocksize === undefined) return;
  throw invalid(
    "chunksize",
    "--chunksize and --blocksize are not for arrays; here it is --chunks and --blocks, in items",
  );
}
