/** Compressing pieces of data into chunks, with the same result in every thread. @module */
import {
  type BlockGeometry,
  blosclzCodec,
  type ChunkEnvironment,
  type Codec,
  compressChunk,
  defaultCodecs,
  defaultEnvironment,
  type EngineName,
  type Limits,
  lz4Codec,
  lz4hcCodec,
  type ResolvedCParams,
  UnsupportedError,
  zlibCodec,
} from "@b2frame/core";
import { loadZstd } from "@b2frame/core/zstd";
import { nodeZlibCodec, nodeZstdCodec } from "@b2frame/node-codecs";
import type { Job, Outcome } from "./job.js";

/** Which implementation of a codec to use; `"registered"` is whatever the thread has under the id. */
type CodecSource = "portable" | "node" | "wasm" | "registered";

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
  /** Whether the memory is to come back with the result. */
  readonly giveBack: boolean;
}

/** The chunks, one after another. */
export interface CompressResult {
  readonly bytes: Uint8Array;
  /** Where each chunk ends. */
  readonly ends: readonly number[];
  readonly givenBack: ArrayBuffer | undefined;
}

const PORTABLE: readonly Codec[] = [blosclzCodec, lz4Codec, lz4hcCodec, zlibCodec];
/** Filters that every thread has: the format's own and its registered plugins. */
const COMMON_FILTERS: readonly number[] = [0, 1, 2, 3, 4, 32, 33, 34, 35, 36];
const ZSTD = 5;

async function sourceOf(codec: Codec): Promise<CodecSource> {
  if (PORTABLE.includes(codec)) return "portable";
  if (codec === nodeZlibCodec || codec === nodeZstdCodec()) return "node";
  return codec.id === ZSTD && codec === (await loadZstd()) ? "wasm" : "registered";
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
export async function compressSpec(
  cparams: ResolvedCParams,
  environment: ChunkEnvironment,
  hasSetup: boolean,
): Promise<CompressSpec> {
  if (cparams.prefilter !== undefined) {
    throw new UnsupportedError("BLOSC2_UNSUPPORTED", "a prefilter can't run in worker threads; use 0 workers", {
      feature: "prefilter in worker threads",
    });
  }
  const codec = environment.codecs.byId(cparams.compcode);
  const codecSource = await sourceOf(codec);
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
function plainGeometry({ shape, chunkShape, blockShape }: BlockGeometry): BlockGeometry {
  return { shape: [...shape], chunkShape: [...chunkShape], blockShape: [...blockShape] };
}

function codecOf(source: CodecSource, compcode: number): Codec | Promise<Codec> {
  const registered = defaultCodecs.byId(compcode);
  if (source === "portable") return PORTABLE.find((codec) => codec.id === compcode) ?? registered;
  if (source === "wasm") return loadZstd();
  if (source === "node") return compcode === ZSTD ? (nodeZstdCodec() ?? registered) : nodeZlibCodec;
  return registered;
}

/** See the module's description. */
export class CompressJob implements Job<CompressTask, CompressResult> {
  readonly #cparams: ResolvedCParams;
  readonly #environment: ChunkEnvironment;

  private constructor(cparams: ResolvedCParams, environment: ChunkEnvironment) {
    this.#cparams = cparams;
    this.#environment = environment;
  }

  static async open(spec: CompressSpec): Promise<CompressJob> {
    const { cparams, superChunkTypesize, geometry, engine, limits, codecSource } = spec;
    const codec = await codecOf(codecSource, cparams.compcode);
    let codecs = defaultCodecs;
    if (codec !== codecs.byId(cparams.compcode)) {
      codecs = codecs.clone();
      codecs.register(codec, { allowReserved: true, replace: true, probe: false });
    }
    const environment = defaultEnvironment({ superChunkTypesize, geometry, engine, limits, codecs });
    return new CompressJob(cparams, environment);
  }

  run({ bytes, ends, giveBack }: CompressTask): Outcome<CompressResult> {
    const chunks: Uint8Array[] = [];
    let start = 0;
    for (const end of ends) {
      chunks.push(compressChunk(bytes.subarray(start, end), this.#cparams, this.#environment));
      start = end;
    }
    const joined = join(chunks);
    const transfer = [joined.bytes.buffer as ArrayBuffer];
    const givenBack = giveBack ? (bytes.buffer as ArrayBuffer) : undefined;
    if (givenBack !== undefined) transfer.push(givenBack);
    return { result: { ...joined, givenBack }, transfer };
  }

  close(): void {
    // Nothing is held open.
  }
}

function join(chunks: readonly Uint8Array[]): { bytes: Uint8Array; ends: number[] } {
  const ends: number[] = [];
  let byteLength = 0;
  for (const chunk of chunks) {
    byteLength += chunk.byteLength;
    ends.push(byteLength);
  }
  if (chunks.length === 1) return { bytes: chunks[0] as Uint8Array, ends };
  const bytes = new Uint8Array(byteLength);
  chunks.forEach((chunk, i) => {
    bytes.set(chunk, (ends[i] as number) - chunk.byteLength);
  });
  return { bytes, ends };
}
