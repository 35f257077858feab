/** Compressing pieces of data into chunks, with the same result in every thread. @module */
import { type Codec, defaultCodecs, type EngineName, type Limits, UnsupportedError } from "@b2frame/core";
import {
  type BlockGeometry,
  blosclzCodec,
  type ChunkEnvironment,
  compressLent,
  defaultEnvironment,
  lz4Codec,
  lz4hcCodec,
  type ResolvedCParams,
  zlibCodec,
} from "@b2frame/core/codec";
import { zstdCodec } from "@b2frame/core/zstd";
import { type CodecOrigin, codecFrom, originOf } from "@b2frame/node-codecs";
import type { Job, Outcome } from "./job.js";

/** Which implementation of a codec to use; `"registered"` is whatever the thread has under the id. */
type CodecSource = CodecOrigin | "registered";

/** What chunks are compressed with. */
export interface CompressSpec {
  readonly cparams: ResolvedCParams;
  readonly superChunkTypesize: number | undefined;
  readonly geometry: BlockGeometry | undefined;
  readonly engine: EngineName;
  readonly limits: Limits;
  readonly codecSource: CodecSource;
}

/** Pieces of data, one after another. */
export interface CompressTask {
  readonly bytes: Uint8Array;
  /** Where each piece ends. */
  readonly ends: readonly number[];
  /**
   * Shared memory for the chunks, {@link CHUNK_OVERHEAD} bytes for each larger than `bytes`. It may begin so much before `bytes` in the
   * same memory: a piece is not needed any longer when its chunk is put there.
   */
  readonly output: Uint8Array;
}

/** Where each chunk ends in the output. */
export interface CompressResult {
  readonly ends: readonly number[];
}

/** A chunk is at most so much larger than its content. */
export const CHUNK_OVERHEAD = 32;

const PORTABLE: readonly Codec[] = [blosclzCodec, lz4Codec, lz4hcCodec, zlibCodec, zstdCodec];
/** Filters that every thread has: the format's own and its registered plugins. */
const COMMON_FILTERS: readonly number[] = [0, 1, 2, 3, 4, 32, 33, 34, 35, 36];
const ZSTD = 5;

function sourceOf(codec: Codec): CodecSource {
  if (PORTABLE.includes(codec)) return "portable";
  return originOf(codec) ?? "registered";
}

function refuse(what: string, feature: string): UnsupportedError {
  return new UnsupportedError(
    "BLOSC2_UNSUPPORTED",
    `${what}; register it in the pool's \`setup\` module as well, or use 0 workers`,
    { feature },
  );
}

/**
 * What other threads need to know to compress as this one does.
 *
 * @param hasSetup whether the threads run a module of the user's, which may register codecs and filters
 * @throws UnsupportedError for code that other threads don't have.
 */
export function compressSpec(cparams: ResolvedCParams, environment: ChunkEnvironment, hasSetup: boolean): CompressSpec {
  if (cparams.prefilter !== undefined) {
    throw new UnsupportedError("BLOSC2_UNSUPPORTED", "a prefilter can't run in worker threads; use 0 workers", {
      feature: "prefilter in worker threads",
    });
  }
  const codec = environment.codecs.byId(cparams.compcode);
  const codecSource = sourceOf(codec);
  if (codecSource === "registered" && !hasSetup) {
    throw refuse(`codec ${codec.id} (${codec.name}) is not b2frame's own`, "user codec in worker threads");
  }
  const filter = cparams.filters.find((id) => !COMMON_FILTERS.includes(id));
  if (filter !== undefined && !hasSetup) {
    throw refuse(`filter ${filter} is not b2frame's own`, "user filter in worker threads");
  }
  const { superChunkTypesize, geometry, engine, limits } = environment;
  return {
    cparams,
    superChunkTypesize,
    geometry: geometry && plainGeometry(geometry),
    engine: engine.name,
    limits,
    codecSource,
  };
}

/** Without what else the object may hold. */
function plainGeometry({ shape, chunks: chunkShape, blocks: blockShape }: BlockGeometry): BlockGeometry {
  return { shape: [...shape], chunks: [...chunkShape], blocks: [...blockShape] };
}

function codecOf(source: CodecSource, compcode: number): Codec {
  const registered = defaultCodecs.byId(compcode);
  if (source === "registered") return registered;
  if (source === "portable") return PORTABLE.find((codec) => codec.id === compcode) ?? registered;
  const name = compcode === ZSTD ? "zstd" : "zlib";
  const codec = codecFrom(name, source);
  if (codec !== undefined) return codec;
  throw new UnsupportedError(
    "BLOSC2_UNSUPPORTED_CODEC",
    `${name}: this thread does not have the library ("${source}") of the calling one`,
    {
      feature: name,
      codec: compcode,
    },
  );
}

/** See the module's description. */
export class CompressJob implements Job<CompressTask, CompressResult> {
  readonly #cparams: ResolvedCParams;
  readonly #environment: ChunkEnvironment;

  private constructor(cparams: ResolvedCParams, environment: ChunkEnvironment) {
    this.#cparams = cparams;
    this.#environment = environment;
  }

  static open(spec: CompressSpec): CompressJob {
    const { cparams, superChunkTypesize, geometry, engine, limits, codecSource } = spec;
    const codec = codecOf(codecSource, cparams.compcode);
    let codecs = defaultCodecs;
    if (codec !== codecs.byId(cparams.compcode)) {
      codecs = codecs.clone();
      codecs.register(codec, { allowReserved: true, replace: true, probe: false });
    }
    const environment = defaultEnvironment({ superChunkTypesize, geometry, engine, limits, codecs });
    return new CompressJob(cparams, environment);
  }

  run({ bytes, ends, output }: CompressTask): Outcome<CompressResult> {
    const chunkEnds: number[] = [];
    let start = 0;
    let at = 0;
    for (const end of ends) {
      const chunk = compressLent(bytes.subarray(start, end), this.#cparams, this.#environment);
      output.set(chunk.bytes, at);
      at += chunk.header.cbytes;
      chunk.end();
      chunkEnds.push(at);
      start = end;
    }
    return { result: { ends: chunkEnds }, transfer: [] };
  }

  close(): void {
    // Nothing is held open.
  }
}
