/** What a frame says of itself. @module */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  type CParams,
  defaultCodecs,
  defaultFilters,
  type FilterSpec,
  type FrameKind,
  frameKindOf,
  NDArray,
  type SChunk,
} from "@b2frame/core";
import { CHECKSUMS_NAME, ioFailure } from "@b2frame/core/backend";
import { describeMetalayers, type MetalayerFacts } from "./describe-metalayers.js";

/** One filter of the pipeline. */
export interface FilterFacts {
  readonly name: string;
  readonly meta: number;
}

/** The layout of an array. */
export interface ArrayFacts {
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly blocks: readonly number[];
  /** In NumPy notation. */
  readonly dtype: string;
}

/** All of it, as `info --json` prints it. */
export interface FrameFacts {
  readonly path: string;
  readonly kind: "array" | "super-chunk";
  /** What it holds, where that is not plain data: an object of python-blosc2. */
  readonly holds?: FrameKind;
  readonly layout: "contiguous" | "sparse";
  readonly array?: ArrayFacts;
  readonly nchunks: number;
  /** Uncompressed bytes. */
  readonly nbytes: number;
  /** Compressed bytes, superseded ones included. */
  readonly cbytes: number;
  readonly cratio: number;
  /** Bytes of the file, or of all files of the directory; absent for a member of a store. */
  readonly storedBytes?: number;
  readonly deadBytes: number;
  readonly typesize: number;
  readonly itemCount: number;
  readonly chunksize: number;
  readonly blocksize: number;
  readonly codec: string;
  readonly codecMeta: number;
  readonly clevel: number;
  readonly splitmode: string;
  readonly useDict: boolean;
  readonly filters: readonly FilterFacts[];
  /** Whether a checksum of each chunk is kept. */
  readonly checksums: boolean;
  readonly meta: readonly MetalayerFacts[];
  readonly vlmeta: readonly MetalayerFacts[];
}

function storedBytes(path: string): number {
  try {
    const stat = statSync(path);
    if (!stat.isDirectory()) return stat.size;
    return readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
  } catch (error) {
    throw ioFailure(error, { operation: "look up", path });
  }
}

function filterFacts(spec: FilterSpec): FilterFacts[] {
  const { filter, meta = 0 } = typeof spec === "object" ? spec : { filter: spec };
  if (filter === 0) return [];
  const isNamed = typeof filter === "number" && defaultFilters.has(filter);
  return [{ name: isNamed ? defaultFilters.byId(filter).name : String(filter), meta }];
}

/** Codecs that are not registered go by number, with the name that the format's documents have for it. */
function codecName(codec: string | number): string {
  const name = typeof codec === "number" ? defaultCodecs.nameOf(codec) : undefined;
  return name === undefined ? String(codec) : `${name} (${codec})`;
}

function compression({ codec, codecMeta, clevel, splitmode, useDict, filters }: CParams) {
  return { codec: codecName(codec), codecMeta, clevel, splitmode, useDict, filters: filters.flatMap(filterFacts) };
}

function arrayFacts({ shape, chunks: chunkShape, blocks: blockShape, dtype, declaredDType }: NDArray): ArrayFacts {
  return { shape, chunks: chunkShape, blocks: blockShape, dtype: declaredDType ?? dtype.str };
}

/**
 * Describes an open frame without decompressing its chunks.
 *
 * @param label what to call it.
 * @param path the file or directory that it is all of.
 * @throws FormatError, CodecError, IoError
 */
export function describeFrame(file: NDArray | SChunk, label: string, path?: string): FrameFacts {
  const isArray = file instanceof NDArray;
  const schunk = isArray ? file.schunk : file;
  const { nchunks, cbytes, typesize, chunksize, blocksize } = schunk;
  const nbytes = file.nbytes;
  const holds = frameKindOf(schunk);
  return {
    path: label,
    kind: isArray ? "array" : "super-chunk",
    ...(holds === "array" || holds === "super-chunk" ? {} : { holds }),
    layout: schunk.contiguous ? "contiguous" : "sparse",
    ...(isArray ? { array: arrayFacts(file) } : {}),
    nchunks,
    nbytes,
    cbytes,
    cratio: cbytes === 0 ? 0 : nbytes / cbytes,
    ...(path === undefined ? {} : { storedBytes: storedBytes(path) }),
    deadBytes: schunk.deadBytes,
    typesize,
    itemCount: file.itemCount,
    chunksize,
    blocksize,
    ...compression(schunk.cparams),
    checksums: schunk.vlmeta.has(CHECKSUMS_NAME),
    meta: describeMetalayers(schunk.meta),
    vlmeta: describeMetalayers(schunk.vlmeta).filter(({ name }) => name !== CHECKSUMS_NAME),
  };
}
