/** `b2frame unpack`: a frame back into raw bytes or `.npy`. @module */
import { ArgumentError, encodeNpyHeader, NDArray } from "@b2frame/core";
import { Command, Option } from "commander";
import { writeArrayItems, writeItems } from "../array/write-items.js";
import { addExamples, addIoOption, type IoOptions } from "../command-line/common-options.js";
import { withSeekable } from "../command-line/input-frame.js";
import { addKeyOption, type KeyOption, openFrame } from "../command-line/open-input.js";
import { writeBytesToPlace } from "../command-line/output-place.js";
import { startProgress } from "../command-line/progress.js";
import { StopRequest } from "../command-line/stop-request.js";

interface UnpackOptions extends IoOptions, KeyOption {
  readonly format: "auto" | "raw" | "npy";
  readonly quiet?: boolean;
}

/** The command. */
export function unpackCommand(): Command {
  const command = new Command("unpack")
    .summary("decompress to raw bytes or a .npy file")
    .description("Decompresses all of IN: the bytes of a super-chunk, or the items of an array in C order.")
    .argument("<in>", "a frame; - is standard input")
    .argument("<out>", "raw bytes, or a .npy file if its name ends so; - is standard output")
    .addOption(
      new Option("--format <format>", "what OUT is to be; auto goes by its name")
        .choices(["auto", "raw", "npy"])
        .default("auto"),
    );
  addKeyOption(addIoOption(command)).option("-q, --quiet", "no progress bar");
  addExamples(command, [
    ["unpack samples.b2frame samples.f64", "raw bytes"],
    ["unpack volume.b2nd volume.npy", "for NumPy"],
    ["unpack volume.b2nd - | sha256sum", "in a pipe"],
  ]);
  return command.action(unpack);
}

async function unpack(input: string, output: string, options: UnpackOptions): Promise<void> {
  const { quiet = false } = options;
  const asNpy = options.format === "npy" || (options.format === "auto" && output.endsWith(".npy"));
  using stopRequest = new StopRequest();
  await withSeekable(input, async (path) => {
    using file = openFrame(path, options);
    const isArray = file instanceof NDArray;
    if (asNpy && !isArray) {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_INVALID",
        `${input} holds no array, so there is no dtype for a .npy file; unpack it to raw bytes`,
        { parameter: "OUT" },
      );
    }
    const progress = startProgress({ title: "unpack", total: file.nbytes, quiet });
    try {
      await writeBytesToPlace(output, async (sink) => {
        const context = { progress, stopRequest };
        if (!isArray) return writeItems(file, sink, context);
        if (asNpy) await sink(encodeNpyHeader(file.dtype, file.shape));
        return writeArrayItems(file, sink, context);
      });
    } finally {
      progress.stop();
    }
  });
}
