/** `b2frame convert`: another layout, other parameters. @module */
import { NDArray } from "@b2frame/core";
import { Command } from "commander";
import {
  addDurabilityOption,
  addExamples,
  addIoOption,
  addLockOption,
  addReportOptions,
  type DurabilityOption,
  type IoOptions,
  type LockOption,
  type ReportOptions,
} from "../command-line/common-options.js";
import {
  addCompressionOptions,
  type CompressionOptions,
  chosenCParams,
  requireNoShapes,
  requireNoSizes,
} from "../command-line/compression-options.js";
import { withSeekable } from "../command-line/input-frame.js";
import { addKeyOption, type KeyOption, openFrame } from "../command-line/open-input.js";
import { writeToPlace } from "../command-line/output-place.js";
import { type Progress, startProgress } from "../command-line/progress.js";
import { StopRequest } from "../command-line/stop-request.js";
import { requireOneStandardOutput } from "../command-line/stream-paths.js";
import { type FrameSummary, factsOf, summarise } from "../command-line/summary.js";
import { convertArray } from "../convert/convert-array.js";
import { convertSChunk } from "../convert/convert-schunk.js";

interface ConvertOptions
  extends CompressionOptions,
    DurabilityOption,
    IoOptions,
    KeyOption,
    LockOption,
    ReportOptions {}

/** The command. */
export function convertCommand(): Command {
  const command = new Command("convert")
    .description(
      "Copies IN to OUT: into a contiguous frame, or with --sparse into a sparse one. Metalayers come along. Chunks are " +
        "compressed again only if parameters or sizes are given. OUT appears when it is complete; it may be IN.",
    )
    .argument("<in>", "a frame, contiguous or sparse; - is standard input")
    .argument("<out>", "the copy; - is standard output");
  addCompressionOptions(command, "as in IN");
  addLockOption(addKeyOption(addDurabilityOption(addIoOption(command), "OUT")));
  addReportOptions(command, "a summary as JSON on standard output");
  addExamples(command, [
    ["convert volume.b2nd volume-dir.b2nd --sparse", "a directory with a file for each chunk"],
    ["convert volume-dir.b2nd volume.b2nd", "and back"],
    ["convert volume.b2nd small.b2nd --codec zstd --clevel 9", "compress harder"],
    ["convert volume.b2nd crops.b2nd --chunks 64,64,64 --blocks 16,16,16", "for reading crops"],
  ]);
  return command.action(convert);
}

async function convert(input: string, output: string, options: ConvertOptions): Promise<void> {
  requireOneStandardOutput(output, options);
  const started = performance.now();
  using stopRequest = new StopRequest();
  const written = await withSeekable(input, async (path) => {
    using file = openFrame(path, options);
    const progress = startProgress({ title: "convert", total: file.nbytes, quiet: options.quiet === true });
    try {
      const copyTo = (urlpath: string) => copy(file, { ...options, urlpath, progress, stopRequest });
      return await writeToPlace({ input, output, replaces: options.key === undefined }, copyTo, options.durability);
    } finally {
      progress.stop();
    }
  });
  await summarise({ path: output, ...written }, started, options);
}

interface CopyJob extends ConvertOptions {
  readonly urlpath: string;
  readonly progress: Progress;
  readonly stopRequest: StopRequest;
}

async function copy(file: ReturnType<typeof openFrame>, job: CopyJob): Promise<Omit<FrameSummary, "path">> {
  const { urlpath, io, sparse = false, checksum, durability, progress, stopRequest } = job;
  const { chunks, blocks, blocksize, chunksize } = job;
  const chosen = chosenCParams(job);
  const common = { urlpath, io, sparse, checksum, durability, progress, stopRequest };
  if (file instanceof NDArray) {
    requireNoSizes(job);
    if (chosen !== undefined || chunks !== undefined || blocks !== undefined) {
      using out = await convertArray(file, { ...common, cparams: chosen, chunks, blocks });
      return factsOf(out);
    }
  } else {
    requireNoShapes(job);
  }
  const schunk = file instanceof NDArray ? file.schunk : file;
  const cparams = blocksize === undefined ? chosen : { ...chosen, blocksize };
  using out = await convertSChunk(schunk, { ...common, cparams, chunksize });
  return { ...factsOf(out), nbytes: file.nbytes };
}
