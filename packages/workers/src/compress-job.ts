/** Compressing pieces of data into chunks, with the same result in every thread. @module */
import { type Codec, defaultCodecs, type EngineName, type Limits, UnsupportedError } from "@b2frame/core";
import {
  type BlockGeometry,
  blosclzCodec,
  type ChunkEnvironment,
  defaultEnvironment,
  lz4Codec,
  lz4hcCodec,
  type ResolvedCParams,
  zlibCodec,
} from "@b2frame/core/codec";
import { compressInto } from "@b2frame/core/threads";
import { zstdCodec } from "@b2frame/core/zstd";
import { type CodecOrigin, codecFrom, originOf } from "@b2frame/node-codecs";
import type { Job, Outcome } from "./job.js";
import { bytesAt, openArea, type Place, type SharedArea } from "./shared-area.js";

/** Which implementation of a codec to use; `"registered"` is whatever the thread has under the id. */
type CodecSource = CodecOrigin | "registered";

/** What chunks are compressed with. */
export interface Compression {
  readonly cparams: ResolvedCParams;
  readonly superChunkTypesize: number | undefined;
  readonly geometry: BlockGeometry | undefined;
  readonly engine: EngineName;
  readonly limits: Limits;
  readonly codecSource: CodecSource;
}

/** How chunks are made of pieces. */
export interface CompressSpec {
  readonly compression: Compression;
  /** Shared memory that tasks may name. */
  readonly area: SharedArea;
}

/** Pieces of data, one after another. */
export interface CompressTask {
  readonly bytes: Place;
  /** Where each piece ends. */
  readonly ends: readonly number[];
  /** Shared memory for the chunks, {@link CHUNK_OVERHEAD} bytes for each larger than `bytes`. */
  readonly output: Place;
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
export function compressionSpec(
  cparams: ResolvedCParams,
  environment: ChunkEnvironment,
  hasSetup: boolean,
): Compression {
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
  readonly #area: Uint8Array;

  private constructor(cparams: ResolvedCParams, environment: ChunkEnvironment, area: Uint8Array) {
    this.#cparams = cparams;
    this.#environment = environment;
    this.#area = area;
  }

  static open({ compression, area }: CompressSpec, thread: number): CompressJob {
    const { cparams, superChunkTypesize, geometry, engine, limits, codecSource } = compression;
    const codec = codecOf(codecSource, cparams.compcode);
    let codecs = defaultCodecs;
    if (codec !== codecs.byId(cparams.compcode)) {
      codecs = codecs.clone();
      codecs.register(codec, { allowReserved: true, replace: true, probe: false });
    }
    const environment = defaultEnvironment({ superChunkTypesize, geometry, engine, limits, codecs });
    return new CompressJob(cparams, environment, openArea(area, thread));
  }

  run(task: CompressTask): Outcome<CompressResult> {
    const bytes = bytesAt(task.bytes, this.#area);
    const output = bytesAt(task.output, this.#area);
    const ends: number[] = [];
    let start = 0;
    let at = 0;
    for (const end of task.ends) {
      at += compressInto(bytes.subarray(start, end), this.#cparams, this.#environment, output.subarray(at));
      ends.push(at);
      start = end;
    }
    return { result: { ends }, transfer: [] };
  }

  close(): void {
    // Nothing is held open.
  }
}
