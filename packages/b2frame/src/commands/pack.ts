/** `b2frame pack`: raw bytes or `.npy` into a frame. @module */
import { ArgumentError, zeros } from "@b2frame/core";
import { FILE_HEAD_LENGTH, fileKindOf } from "@b2frame/core/backend";
import { stdio } from "@b2frame/io-stdio";
import { NpyReader } from "@b2frame/parts";
import { appendChunks } from "@b2frame/workers";
import { Command, Option } from "commander";
import { fillArray } from "../array/fill-array.js";
import {
  addDurabilityOption,
  addExamples,
  addIoOption,
  addReportOptions,
  addWorkersOption,
  type DurabilityOption,
  type IoOptions,
  onlyForSuperChunks,
  type ReportOptions,
  type WorkersOption,
} from "../command-line/common-options.js";
import {
  addCompressionOptions,
  type CompressionOptions,
  chosenCParams,
  requireNoShapes,
  requireNoSizes,
} from "../command-line/compression-options.js";
import { spool } from "../command-line/input-frame.js";
import { withTemporary, writeToPlace } from "../command-line/output-place.js";
import { parseInteger } from "../command-line/parse-values.js";
import { PieceReader } from "../command-line/piece-reader.js";
import { startProgress } from "../command-line/progress.js";
import { relabelling } from "../command-line/relabel-error.js";
import { StopRequest } from "../command-line/stop-request.js";
import { fileSize, isStream, labelOf, readPieces, requireOneStandardOutput } from "../command-line/stream-paths.js";
import { type FrameSummary, factsOf, summarise } from "../command-line/summary.js";
import { createSChunk } from "../create.js";

const DEFAULT_CHUNKSIZE = 4 << 20;

interface PackOptions extends CompressionOptions, DurabilityOption, IoOptions, ReportOptions, WorkersOption {
  readonly typesize?: number;
  readonly format: "auto" | "raw" | "npy";
}

/** The command. */
export function packCommand(): Command {
  const command = new Command("pack")
    .description(
      "Compresses IN into a Blosc2 frame at OUT: raw bytes into a super-chunk, a .npy file into a B2ND array. " +
        "Either may be -. OUT appears when it is complete; what was there is replaced then.",
    )
    .argument("<in>", "raw bytes or a .npy file; - is standard input")
    .argument("<out>", "the frame; - is standard output")
    .option("--typesize <n>", "bytes per item of raw input (default: 1)", parseInteger(1))
    .addOption(new Option("--format <format>", "what IN is").choices(["auto", "raw", "npy"]).default("auto"));
  addCompressionOptions(command, "C-Blosc2's defaults");
  addDurabilityOption(addIoOption(command), "OUT");
  addWorkersOption(command, "threads that compress raw input");
  addReportOptions(command, "a summary as JSON on standard output");
  addExamples(command, [
    ["pack samples.f64 samples.b2frame --typesize 8 --codec zstd", "raw bytes"],
    ["pack volume.npy volume.b2nd --chunks 16,128,128", "a NumPy array"],
    ["pack - - --typesize 4 < in > out", "in a pipe"],
  ]);
  return command.action(pack);
}

async function pack(input: string, output: string, options: PackOptions): Promise<void> {
  requireOneStandardOutput(output, options);
  const started = performance.now();
  const reader = new PieceReader(readPieces(input));
  try {
    using stopRequest = new StopRequest();
    const packInto = async (temporary: string): Promise<Omit<FrameSummary, "path">> => {
      const isNpy = options.format === "npy" || (options.format === "auto" && (await startsAsNpy(reader)));
      const job = { ...options, input, temporary, stopRequest };
      if (!isNpy) return packRaw(reader, job);
      if (!isStream(input)) return packNpy(input, job);
      return withTemporary("input.npy", async (copy) => {
        await spool(reader.rest(), copy);
        return relabelling(copy, labelOf(input, "input"), () => packNpy(copy, job));
      });
    };
    const summary = await writeToPlace({ input, output }, packInto, options.durability);
    await summarise({ path: output, ...summary }, started, options);
  } finally {
    await reader.close();
  }
}

async function startsAsNpy(reader: PieceReader): Promise<boolean> {
  return fileKindOf(await reader.peek(FILE_HEAD_LENGTH)) === "npy";
}

interface PackJob extends PackOptions {
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
