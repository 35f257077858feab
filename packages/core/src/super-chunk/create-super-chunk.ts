/** Creating and copying super-chunks. @module */
import type { Chunk } from "../chunk/chunk.js";
import { type ChunkEnvironment, defaultEnvironment } from "../chunk/chunk-environment.js";
import { compressVlBlocks } from "../chunk/compress-vl-blocks.js";
import { resolveCParams } from "../chunk/cparams.js";
import { ArgumentError } from "../errors.js";
import { CHECKSUMS_NAME } from "../frame/chunk-checksums.js";
import { copyFrame, copyFrameInSteps } from "../frame/copy-frame.js";
import { type Durability, resolveDurability } from "../frame/durability.js";
import { emptyHeader, type FrameHeader } from "../frame/frame-header.js";
import { CHUNKSIZE_UNSET, MAX_METALAYERS } from "../frame/frame-layout.js";
import { lockToCreate, type NewFrame } from "../frame/frame-locking.js";
import { type Metalayer, requireMetalayerName } from "../frame/metalayers.js";
import { entrySpecial } from "../frame/offsets-index.js";
import { createFrame } from "../frame/open-frame.js";
import { firstFailure } from "../frame/replace-file.js";
import { chooseBackend, type IoOption } from "../io/named-backends.js";
import { MAX_CHUNK_BYTES } from "../limits.js";
import { insertChunk, insertData } from "./edit-chunks.js";
import { fillSpecial } from "./fill-special.js";
import { cparamsOfHeader, headerOfCParams } from "./frame-cparams.js";
import { appendItems, readRange } from "./item-slices.js";
import type { SChunkCopyOptions, SChunkCreateOptions } from "./schunk-options.js";
import { elementSize, requireBytes, type SuperChunkSettings, SuperChunkState } from "./super-chunk-state.js";

/** @throws ArgumentError unless `value` is undefined or an integer in `1..max` */
export function requirePositive(parameter: string, value: number | undefined, max: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 1 && value <= max)) return;
  throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${parameter}: expected an integer in 1..${max}, found ${value}`, {
    parameter,
    expected: `1..${max}`,
    found: value,
  });
}

function metalayersOf(meta: Readonly<Record<string, Uint8Array>> = {}): Metalayer[] {
  const layers = Object.entries(meta).map(([name, content]) => {
    requireMetalayerName(name);
    return { name, content: requireBytes(content, `meta.${name}`) };
  });
  if (layers.length > MAX_METALAYERS) {
    throw new ArgumentError("BLOSC2_LIMIT_EXCEEDED", `meta: a frame holds at most ${MAX_METALAYERS} metalayers`, {
      parameter: "meta",
      expected: MAX_METALAYERS,
      found: layers.length,
    });
  }
  return layers;
}

/** Makes a super-chunk; what it begins with is committed when this returns. */
export function createSuperChunk(options: SChunkCreateOptions): SuperChunkState {
  const { data, fill, chunksize, commitEvery } = options;
  requirePositive("chunksize", chunksize, MAX_CHUNK_BYTES);
  requirePositive("commitEvery", commitEvery, Number.MAX_SAFE_INTEGER);
  const durability = resolveDurability(options.durability);
  const environment = defaultEnvironment(options);
  const chosen = options.typesize ?? options.cparams?.typesize ?? (data === undefined ? undefined : elementSize(data));
  const cparams = { ...options.cparams, typesize: chosen ?? 1 };
  const header = headerOfCParams(resolveCParams(cparams, environment.codecs, environment.filters));
  if (options.chunksizeInHeader === true) header.chunksize = chunksize ?? CHUNKSIZE_UNSET;
  const place = { ...options, durability, environment };
  const typesizeChosen = chosen !== undefined;
  const settings = { environment, cparams, chunksize, commitEvery, typesizeChosen };
  const state = newState(place, header, metalayersOf(options.meta), settings);
  const { frame } = state;
  const begin = () => {
    if (options.checksum === true) frame.keepChecksums();
    if (fill !== undefined) fillSpecial(state, fill);
    if (data !== undefined) appendItems(state, requireBytes(data, "data"));
  };
  return filled(state, begin, options.commit);
}

/** A new super-chunk without content, not committed yet. */
function newState(
  place: Omit<NewFrame, "backend"> &
    IoOption & { readonly durability: Durability; readonly environment: ChunkEnvironment },
  header: FrameHeader,
  metalayers: readonly Metalayer[],
  settings: SuperChunkSettings,
): SuperChunkState {
  const { urlpath: path, mode = "w", durability, environment } = place;
  const backend = path === undefined ? undefined : chooseBackend(place);
  const sparse = place.contiguous === false && path !== undefined;
  const locking = lockToCreate({ ...place, backend });
  const locked = locking !== undefined;
  try {
    const what = { path, backend, sparse, mode, header, metalayers, durability, environment, locked };
    return new SuperChunkState(createFrame(what), { ...settings, locking });
  } catch (error) {
    locking?.close();
    throw error;
  }
}

/** Gives a new super-chunk its content and, by default, commits it; removes it if that fails. */
function filled(state: SuperChunkState, fill: () => void, commit = true): SuperChunkState {
  try {
    state.changing("create", fill);
    if (commit) state.commit();
    return state;
  } catch (error) {
    throw firstFailure(error, () => state.abandon());
  }
}

/** Copies a super-chunk; chunks are compressed again only where parameters or sizes differ. */
export function copySuperChunk(from: SuperChunkState, options: SChunkCopyOptions): SuperChunkState {
  const { frame } = from;
  const meta = {
    ...Object.fromEntries(frame.metalayers.layers.map((layer) => [layer.name, layer.content])),
    ...options.meta,
  };
  const asIs = options.cparams === undefined && options.chunksize === undefined && options.typesize === undefined;
  if (asIs) return copyChunks(from, meta, options);
  const { header, chunks } = frame;
  const { chunksize, ...rest } = options;
  const checksum = options.checksum ?? frame.checksums !== undefined;
  const sameSizes = chunksize === undefined || chunksize === chunks.chunksize;
  const to = createSuperChunk({
    ...environmentOf(from.environment),
    ...rest,
    chunksize: chunksize ?? (chunks.chunksize > 0 ? chunks.chunksize : undefined),
    commit: false,
    cparams: { ...cparamsOfHeader(header), ...options.cparams },
    meta,
    checksum,
  });
  return filled(to, () => {
    if (sameSizes) recompress(from, to);
    else rechunk(from, to, chunksize);
    for (const { name, content } of frame.vlmetalayers.layers) {
      if (name !== CHECKSUMS_NAME) to.frame.setVlMetalayer(name, content);
    }
  });
}

function environmentOf(environment: ChunkEnvironment): Partial<ChunkEnvironment> {
  const { engine, codecs, filters, limits, geometry } = environment;
  return { engine, codecs, filters, limits, geometry };
}

/** A new super-chunk for a copy of the compressed bytes, which needs neither codec nor filters. */
function stateForChunks(
  from: SuperChunkState,
  meta: Readonly<Record<string, Uint8Array>>,
  options: SChunkCopyOptions,
): SuperChunkState {
  const { commitEvery } = options;
  requirePositive("commitEvery", commitEvery, Number.MAX_SAFE_INTEGER);
  const durability = resolveDurability(options.durability);
  const environment = defaultEnvironment({ ...environmentOf(from.environment), ...options });
  const { chunksize } = from.settings;
  const settings = { environment, chunksize, commitEvery, typesizeChosen: true };
  const place = { ...options, durability, environment };
  return newState(place, emptyHeader(from.frame.header), metalayersOf(meta), settings);
}

function copyChunks(
  from: SuperChunkState,
  meta: Readonly<Record<string, Uint8Array>>,
  options: SChunkCopyOptions,
): SuperChunkState {
  const state = stateForChunks(from, meta, options);
  const { frame } = state;
  return filled(state, () => {
    copyFrame(from.frame, frame, state.environment.engine);
    if (options.checksum === true) frame.keepChecksums();
    else if (options.checksum === false) frame.deleteVlMetalayer(CHECKSUMS_NAME);
  });
}

/** Copies a super-chunk as it is, a chunk at each step; yields the bytes stored so far, and commits at the end. */
export function* copySuperChunkInSteps(
  from: SuperChunkState,
  options: Pick<SChunkCopyOptions, "urlpath" | "io" | "contiguous" | "durability">,
): Generator<number, void, undefined> {
  const meta = Object.fromEntries(from.frame.metalayers.layers.map(({ name, content }) => [name, content]));
  const state = stateForChunks(from, meta, options);
  let begun = true;
  try {
    yield* copyFrameInSteps(from.frame, state.frame, state.environment.engine);
    state.close();
    begun = false;
  } catch (error) {
    begun = false;
    throw firstFailure(error, () => state.abandon());
  } finally {
    // Whoever took the steps has stopped.
    if (begun) state.abandon();
  }
}

/** Chunk by chunk, in the sizes that they have. */
function recompress(from: SuperChunkState, to: SuperChunkState): void {
  const { chunks } = from.frame;
  for (let i = 0; i < chunks.length; i++) {
    // A chunk that only the index stands for stays one; everything else is data.
    const special = entrySpecial(chunks.at(i));
    if (special === undefined) recompressChunk(from.openChunk(i, true), to, i);
    else insertChunk(to, i, from.specialChunk(i, special));
  }
}

function recompressChunk(chunk: Chunk, to: SuperChunkState, chunkIndex: number): void {
  if (!chunk.header.vlBlocks) insertData(to, chunkIndex, chunk.decompress());
  else insertChunk(to, chunkIndex, compressVlBlocks(chunk.vlBlocks(), to.cparams, to.environment));
}

/** In chunks of another size. */
function rechunk(from: SuperChunkState, to: SuperChunkState, chunksize: number): void {
  const { nbytes } = from.frame.chunks;
  for (let start = 0; start < nbytes; start += chunksize) {
    const piece = new Uint8Array(Math.min(chunksize, nbytes - start));
    readRange(from, start, start + piece.byteLength, piece, 0);
    insertData(to, to.frame.chunks.length, piece);
  }
}
