/** `b2frame pack`: raw bytes or `.npy` into a frame. @module */
import { ArgumentError } from "@b2frame/core";
import { Command, Option } from "commander";
import {
  addDurabilityOption,
  addExamples,
  addIoOption,
  addReportOptions,
  addWorkersOption,
} from "../command-line/common-options.js";
import { addCompressionOptions } from "../command-line/compression-options.js";
import { parseInteger } from "../command-line/parse-values.js";
import { StopRequest } from "../command-line/stop-request.js";
import { DASH } from "../command-line/stream-paths.js";
import { summarise } from "../command-line/summary.js";
import { type PackOptions, packInput } from "../pack/pack-input.js";

/** The command. */
export function packCommand(): Command {
  const command = new Command("pack")
    .description(
      "Compresses IN into a Blosc2 frame at OUT: raw bytes into a super-chunk, a .npy file (or, with --format nifti, a .nii or .nii.gz file) into a B2ND array. " +
        "Either may be -. OUT appears when it is complete; what was there is replaced then.",
    )
    .argument("<in>", "raw bytes or a .npy file; - is standard input")
    .argument("<out>", "the frame; - is standard output")
    .option("--typesize <n>", "bytes per item of raw input (default: 1)", parseInteger(1))
    .addOption(new Option("--format <format>", "what IN is").choices(["auto", "raw", "npy", "nifti"]).default("auto"));
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
  if (options.json === true && output === DASH) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", "--json and OUT can't both be standard output", {
      parameter: "json",
    });
  }
  const started = performance.now();
  using stopRequest = new StopRequest();
  await summarise(await packInput({ input, output }, options, stopRequest), started, options);
}
