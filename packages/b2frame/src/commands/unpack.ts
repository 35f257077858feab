/** `b2frame unpack`: a frame back into raw bytes or `.npy`. @module */
import { ArgumentError, encodeNpyHeader, NDArray } from "@b2frame/core";
import { readChunks } from "@b2frame/workers";
import { Command, Option } from "commander";
import { type WriteContext, writeArrayItems, writeItems } from "../array/write-items.js";
import {
  addExamples,
  addIoOption,
  addLockOption,
  addWorkersOption,
  type IoOptions,
  type LockOption,
  onlyForSuperChunks,
  type WorkersOption,
} from "../command-line/common-options.js";
import { withSeekable } from "../command-line/input-frame.js";
import { addKeyOption, type KeyOption, openFrame } from "../command-line/open-input.js";
import { type ByteSink, writeBytesToPlace } from "../command-line/output-place.js";
import { startProgress } from "../command-line/progress.js";
import { StopRequest } from "../command-line/stop-request.js";
import { addRemoteOptions, type RemoteInputOptions, requirePathFor } from "../remote/remote-inputs.js";

interface UnpackOptions extends IoOptions, RemoteInputOptions, KeyOption, LockOption, WorkersOption {
  readonly format: "auto" | "raw" | "npy";
  readonly quiet?: boolean;
}

/** The command. */
export function unpackCommand(): Command {
  const command = new Command("unpack")
    .description("Decompresses all of IN: the bytes of a super-chunk, or the items of an array in C order.")
    .argument("<in>", "a frame, or its URL; - is standard input")
    .argument("<out>", "raw bytes, or a .npy file if its name ends so; - is standard output")
    .addOption(
      new Option("--format <format>", "what OUT is to be; auto goes by its name")
        .choices(["auto", "raw", "npy"])
        .default("auto"),
    );
  addWorkersOption(
    addLockOption(addKeyOption(addRemoteOptions(addIoOption(command)))),
    "threads that decompress a super-chunk",
  ).option("-q, --quiet", "no progress bar");
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
  await withSeekable(
    input,
    async (path) => {
      using file = openFrame(path, options);
      const isArray = file instanceof NDArray;
      if (asNpy && !isArray) {
        throw new ArgumentError(
          "BLOSC2_ARGUMENT_INVALID",
          `${input} holds no array, so there is no dtype for a .npy file; unpack it to raw bytes`,
          { parameter: "OUT" },
        );
      }
      if (options.workers > 0) requirePathFor(input, "--workers");
      if (options.workers > 0 && (isArray || options.key !== undefined)) {
        throw onlyForSuperChunks("arrays and members of stores are unpacked on one thread");
      }
      const progress = startProgress({ title: "unpack", total: file.nbytes, quiet });
      try {
        await writeBytesToPlace({ input, output }, async (sink) => {
          const context = { progress, stopRequest };
          if (options.workers > 0) return writeAhead(path, sink, { ...context, ...options });
          if (!isArray) return writeItems(file, sink, context);
          if (asNpy) await sink(encodeNpyHeader(file.dtype, file.shape));
          return writeArrayItems(file, sink, context);
        });
      } finally {
        progress.stop();
      }
    },
    options,
  );
}

/** Writes all bytes of a super-chunk, which other threads decompress. */
async function writeAhead(path: string, sink: ByteSink, context: WriteContext & UnpackOptions): Promise<void> {
  const { io, workers, progress, stopRequest } = context;
  let done = 0;
  for await (const chunk of readChunks(path, { io, workers })) {
    await sink(chunk);
    done += chunk.byteLength;
    progress.update(done);
    await stopRequest.breathe();
  }
}
