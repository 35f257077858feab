/**
 * Frames of python-blosc2 that hold a recipe instead of data, or not all of the data: lazy expressions, addresses of remote
 * arrays, caches of proxies. What was not computed or fetched reads as zeros, so it must not be read.
 *
 * @module
 */

import { Chunk } from "../chunk/chunk.js";
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import { chunkFromBytes } from "../chunk/chunk-source.js";
import { FormatError, UnsupportedError } from "../errors.js";
import type { FrameReader } from "../frame/frame.js";
import { entrySpecial, plainEnvironment } from "../frame/offsets-index.js";
import { decodeMsgpack } from "../values/msgpack-decode.js";

/** The metalayer of a frame that keeps what a proxy has fetched. */
export const PROXY_METALAYER = "proxy-source";

/** Metalayers that mark a recipe, in the order in which python-blosc2 asks. */
export const RECIPE_METALAYERS: readonly string[] = ["b2o", "LazyArray", "proxy"];

/** What a frame's metalayers say that it is, besides data. */
export interface Recipe {
  readonly kind: "computed-array" | "proxy-cache";
  /** The metalayer that says so. */
  readonly metalayer: string;
}

/** What a frame is instead of data; `undefined` for data. */
export function recipeOf({ metalayers }: Pick<FrameReader, "metalayers">): Recipe | undefined {
  for (const metalayer of RECIPE_METALAYERS) {
    if (metalayers.get(metalayer) !== undefined) return { kind: "computed-array", metalayer };
  }
  if (metalayers.get(PROXY_METALAYER) === undefined) return undefined;
  return { kind: "proxy-cache", metalayer: PROXY_METALAYER };
}

/** The error for a frame that is no data. */
export function recipeError(path: string | undefined, { kind, metalayer }: Recipe): UnsupportedError {
  const where = path === undefined ? "" : `${path}: `;
  return new UnsupportedError(
    "BLOSC2_UNSUPPORTED",
    `${where}is a recipe of python-blosc2 (metalayer "${metalayer}") and holds no data; compute it there and save the result`,
    { feature: kind, path, metalayer },
  );
}

/** @throws UnsupportedError for a recipe, unless it is only to be described */
export function refuseRecipe(frame: FrameReader, recipes: "refuse" | "describe" = "refuse"): void {
  const recipe = recipeOf(frame);
  if (recipe?.kind === "computed-array" && recipes !== "describe") throw recipeError(frame.origin.path, recipe);
}

/** @throws UnsupportedError for a recipe or a cache that is opened to be changed */
export function refuseChangedRecipe(frame: FrameReader): void {
  const recipe = recipeOf(frame);
  const { path, mode, volatile } = frame.origin;
  if (recipe === undefined || mode === "r" || volatile) return;
  const where = path === undefined ? "" : `${path}: `;
  throw new UnsupportedError(
    "BLOSC2_UNSUPPORTED",
    `${where}is a ${recipe.kind} of python-blosc2 (metalayer "${recipe.metalayer}"), which only python-blosc2 can change; open it with mode "r"`,
    { feature: recipe.kind, path, metalayer: recipe.metalayer },
  );
}

/** Vlmetalayers in which a proxy says what it has fetched. */
const FETCHED_CHUNKS = "proxy-fetched";
const FETCHED_BLOCKS = "proxy-fetched-blocks";
const BLOCKS_PER_CHUNK = "proxy-fetched-bpc";
const INTERRUPTED = "proxy-dirty";

/** What the cache of a proxy holds, chunk by chunk. */
export class FetchedChunks {
  readonly #frame: FrameReader;
  readonly #environment: ChunkEnvironment;
  /** A bit for each chunk, least significant first; absent in caches from before there was one. */
  readonly #chunks: Uint8Array | undefined;
  readonly #blocks: Uint8Array | undefined;
  readonly #blocksPerChunk: number;
  readonly #interrupted: boolean;

  /** @throws FormatError or CodecError for a record that can't be read */
  constructor(frame: FrameReader, environment: ChunkEnvironment) {
    this.#frame = frame;
    this.#environment = environment;
    const count = frame.chunks.length;
    const perChunk = this.#value(BLOCKS_PER_CHUNK) ?? 1;
    this.#blocksPerChunk = typeof perChunk === "number" && Number.isSafeInteger(perChunk) ? Math.max(1, perChunk) : 0;
    this.#interrupted = frame.vlmetalayers.get(INTERRUPTED) !== undefined;
    this.#chunks = this.#bitmap(FETCHED_CHUNKS, count);
    this.#blocks = this.#bitmap(FETCHED_BLOCKS, count * this.#blocksPerChunk);
  }

  #value(name: string): unknown {
    const content = this.#frame.vlmetalayers.get(name);
    if (content === undefined) return undefined;
    const { path } = this.#frame.origin;
    const location = { path, structure: `vlmetalayer "${name}"`, position: this.#frame.position };
    const bytes = Chunk.open(chunkFromBytes(content, location), plainEnvironment(this.#environment)).decompress();
    try {
      return decodeMsgpack(bytes);
    } catch (error) {
      const facts = { ...location, field: "content", expected: "msgpack", found: "other bytes" };
      throw new FormatError("BLOSC2_FORMAT_INVALID", facts, error);
    }
  }

  /** A record of another length than the frame's says nothing of any chunk. */
  #bitmap(name: string, bits: number): Uint8Array | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    const fits = value instanceof Uint8Array && value.byteLength === Math.ceil(bits / 8);
    return fits ? value : new Uint8Array(0);
  }

  /** Whether all of a chunk has been fetched. */
  has(chunkIndex: number): boolean {
    if (this.#interrupted) return false;
    if (this.#chunks !== undefined && bitAt(this.#chunks, chunkIndex)) return true;
    if (this.#blocks !== undefined) {
      const first = chunkIndex * this.#blocksPerChunk;
      if (this.#blocksPerChunk === 0) return false;
      for (let i = 0; i < this.#blocksPerChunk; i++) if (!bitAt(this.#blocks, first + i)) return false;
      return true;
    }
    return this.#chunks === undefined && this.#isStored(chunkIndex);
  }

  /** Before there were records, what was stored as data had been fetched. */
  #isStored(chunkIndex: number): boolean {
    const entry = this.#frame.chunks.at(chunkIndex);
    if (entrySpecial(entry) !== undefined) return false;
    return Chunk.open(this.#frame.chunkSource(entry, chunkIndex), this.#environment).special === undefined;
  }

  /** @throws UnsupportedError for a chunk that has not been fetched */
  require(chunkIndex: number): void {
    if (this.has(chunkIndex)) return;
    const { path } = this.#frame.origin;
    const where = path === undefined ? "" : `${path}: `;
    throw new UnsupportedError(
      "BLOSC2_UNSUPPORTED",
      `${where}chunk ${chunkIndex} has not been fetched into this cache of a python-blosc2 proxy (vlmetalayer "${FETCHED_CHUNKS}"); read it from the proxy's source`,
      { feature: "proxy-cache", path, chunk: chunkIndex },
    );
  }
}

/** @throws UnsupportedError for a recipe, and for a cache that does not hold all chunks */
export function requireContent(frame: FrameReader, environment: ChunkEnvironment): void {
  const recipe = recipeOf(frame);
  const { path } = frame.origin;
  if (recipe === undefined) return;
  if (recipe.kind === "computed-array") throw recipeError(path, recipe);
  const fetched = new FetchedChunks(frame, environment);
  const count = frame.chunks.length;
  let missing = 0;
  for (let i = 0; i < count; i++) if (!fetched.has(i)) missing++;
  if (missing === 0) return;
  const where = path === undefined ? "" : `${path}: `;
  throw new UnsupportedError(
    "BLOSC2_UNSUPPORTED",
    `${where}is the cache of a python-blosc2 proxy (metalayer "${PROXY_METALAYER}"), into which ${missing} of ${count} chunks have not been fetched`,
    { feature: "proxy-cache", path, found: missing, expected: 0 },
  );
}

function bitAt(bitmap: Uint8Array, index: number): boolean {
  return (((bitmap[index >>> 3] ?? 0) >>> (index & 7)) & 1) === 1;
}
