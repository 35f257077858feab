/** Packing raw bytes, a `.npy` file or a NIfTI volume into a frame. @module */
import { ArgumentError, zeros } from "@b2frame/core";
import { FILE_HEAD_LENGTH, fileKindOf } from "@b2frame/core/backend";
import { stdio } from "@b2frame/io-stdio";
import { NpyReader } from "@b2frame/parts";
import { appendChunks } from "@b2frame/workers";
import { fillArray } from "../array/fill-array.js";
import {
  type DurabilityOption,
  type IoOptions,
  onlyForSuperChunks,
  type ReportOptions,
  type WorkersOption,
} from "../command-line/common-options.js";
import {
  type CompressionOptions,
  chosenCParams,
  requireNoShapes,
  requireNoSizes,
} from "../command-line/compression-options.js";
import { spool } from "../command-line/input-frame.js";
import { withTemporary, writeToPlace } from "../command-line/output-place.js";
import { PieceReader } from "../command-line/piece-reader.js";
import { startProgress } from "../command-line/progress.js";
import { relabelling } from "../command-line/relabel-error.js";
import type { StopRequest } from "../command-line/stop-request.js";
import { fileSize, isStream, labelOf, readPieces } from "../command-line/stream-paths.js";
import { type FrameSummary, factsOf } from "../command-line/summary.js";
import { createSChunk } from "../create.js";
import { packNifti } from "./pack-nifti.js";

const DEFAULT_CHUNKSIZE = 4 << 20;

/** How to pack. */
export interface PackOptions extends CompressionOptions, DurabilityOption, IoOptions, ReportOptions, WorkersOption {
  readonly typesize?: number;
  readonly format: "auto" | "raw" | "npy" | "nifti";
}

/** Packs one input; the output appears when it is whole. */
export async function packInput(
  { input, output }: { readonly input: string; readonly output: string },
  options: PackOptions,
  stopRequest: StopRequest,
): Promise<FrameSummary> {
  const reader = new PieceReader(readPieces(input));
  try {
    const packInto = async (temporary: string): Promise<Omit<FrameSummary, "path">> => {
      const job = { ...options, input, temporary, stopRequest };
      if (options.format === "nifti") return packNifti(input, job);
      const isNpy = options.format === "npy" || (options.format === "auto" && (await startsAsNpy(reader)));
      if (!isNpy) return packRaw(reader, job);
      if (!isStream(input)) return packNpy(input, job);
      return withTemporary("input.npy", async (copy) => {
        await spool(reader.rest(), copy);
        return relabelling(copy, labelOf(input, "input"), () => packNpy(copy, job));
      });
    };
    return { path: output, ...(await writeToPlace({ input, output }, packInto, options.durability)) };
  } finally {
    await reader.close();
  }
}

async function startsAsNpy(reader: PieceReader): Promise<boolean> {
  return fileKindOf(await reader.peek(FILE_HEAD_LENGTH)) === "npy";
}

/** What goes from where to where. */
export interface PackJob extends PackOptions {
  readonly input: string;
  readonly temporary: string;
  readonly stopRequest: StopRequest;
}

async function packRaw(reader: PieceReader, job: PackJob): Promise<Omit<FrameSummary, "path">> {
  requireNoShapes(job);
  const { input, temporary, stopRequest, quiet = false, typesize = 1, blocksize, sparse = false } = job;
  const { io, checksum, durability } = job;
  const chunksize = Math.max(1, Math.floor((job.chunksize ?? DEFAULT_CHUNKSIZE) / typesize)) * typesize;
  const cparams = { ...chosenCParams(job), ...(blocksize === undefined ? {} : { blocksize }) };
  const kept = { io, contiguous: !sparse, commit: false, checksum, durability };
  using out = createSChunk(temporary, { ...kept, typesize, chunksize, cparams });
  const progress = startProgress({ title: "pack", total: fileSize(input), quiet });
  try {
    await appendChunks(out, chunksOf(reader, chunksize, stopRequest), {
      workers: job.workers,
      onProgress: (done) => progress.update(done),
    });
  } finally {
    progress.stop();
  }
  out.flush();
  return factsOf(out);
}

/** The input in chunks, all in the same memory. */
async function* chunksOf(reader: PieceReader, chunksize: number, stopRequest: StopRequest): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(chunksize);
  for (let length = await reader.fill(chunk); length > 0; length = await reader.fill(chunk)) {
    yield chunk.subarray(0, length);
    await stopRequest.breathe();
  }
}

async function packNpy(path: string, job: PackJob): Promise<Omit<FrameSummary, "path">> {
  requireNoSizes(job);
  const { temporary, stopRequest, io, quiet = false, sparse = false, checksum, durability } = job;
  if (job.typesize !== undefined) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", "--typesize is for raw input; a .npy file states its own", {
      parameter: "typesize",
    });
  }
  if (job.workers > 0) throw onlyForSuperChunks("a .npy file is packed on one thread");
  using source = new NpyReader(path, stdio());
  using out = zeros(source.shape, {
    dtype: source.dtype.str,
    urlpath: temporary,
    io,
    cparams: chosenCParams(job),
    chunks: job.chunks,
    blocks: job.blocks,
    contiguous: !sparse,
    commit: false,
    checksum,
    durability,
  });
  const progress = startProgress({ title: "pack", total: out.nbytes, quiet });
  try {
    await fillArray(out, (start, stop) => source.read(start, stop), { progress, stopRequest });
  } finally {
    progress.stop();
  }
  out.flush();
  return factsOf(out);
}
