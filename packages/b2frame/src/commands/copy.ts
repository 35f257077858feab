/** `b2frame copy`: a copy of what others may be writing. @module */
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
  lockingOf,
  type ReportOptions,
} from "../command-line/common-options.js";
import { withSeekable } from "../command-line/input-frame.js";
import { writeToPlace } from "../command-line/output-place.js";
import { type Progress, startProgress } from "../command-line/progress.js";
import { StopRequest } from "../command-line/stop-request.js";
import { isStream, requireOneStandardOutput } from "../command-line/stream-paths.js";
import { summarise } from "../command-line/summary.js";
import { type CopyOptions, copyAndVerify } from "../copy.js";
import { addRemoteOptions, backendOf, isUrl, type RemoteInputOptions } from "../remote/remote-inputs.js";
import { printable } from "../render/printable.js";

interface CopyCommandOptions extends DurabilityOption, IoOptions, LockOption, RemoteInputOptions, ReportOptions {
  readonly decode: boolean;
}

/** The command. */
export function copyCommand(): Command {
  const command = new Command("copy")
    .description(
      "Copies SRC to DST, also while b2frame writes SRC: the copy is one commit, whole, and is verified before it gets its " +
        "name. Chunks are copied as they are; of a frame, superseded bytes are left out. Where C-Blosc2 or python-blosc2 may " +
        "write, use --lock.",
    )
    .argument("<src>", "a frame, contiguous or sparse, or a store, or its URL; - is standard input")
    .argument("<dst>", "the copy, which replaces a file or a sparse frame; - is standard output")
    .option("--no-decode", "verify the structure of the copy only, which is much faster");
  addLockOption(addDurabilityOption(addRemoteOptions(addIoOption(command)), "DST"));
  addReportOptions(command, "a summary as JSON on standard output");
  addExamples(command, [
    ["copy log.b2frame backup.b2frame", "while a writer goes on"],
    ["copy log.b2frame backup.b2frame --lock 60", "one that may be python-blosc2, with locking=True"],
    ["copy run.b2d run-backup.b2d", "a store"],
  ]);
  return command.action(copyToPlace);
}

/** The bar of the stage that is under way. */
class Bars {
  readonly #quiet: boolean;
  #stage = "";
  #bar: Progress | undefined;

  constructor(quiet: boolean) {
    this.#quiet = quiet;
  }

  readonly update: NonNullable<CopyOptions["onProgress"]> = (done, total, stage) => {
    if (stage !== this.#stage) {
      this.stop();
      this.#stage = stage;
      this.#bar = startProgress({
        title: stage,
        total,
        noun: stage === "verifying" ? "parts" : undefined,
        quiet: this.#quiet,
      });
    }
    this.#bar?.update(done);
  };

  stop(): void {
    this.#bar?.stop();
  }
}

async function copyToPlace(input: string, output: string, options: CopyCommandOptions): Promise<void> {
  requireOneStandardOutput(output, options);
  const started = performance.now();
  const { io, decode, durability, quiet = false } = options;
  using stopRequest = new StopRequest();
  const bars = new Bars(quiet);
  const copy = async (path: string, temporary: string) => {
    const copyOptions = { decode, durability, locking: lockingOf(options), onProgress: bars.update };
    const from = { ...copyOptions, io: backendOf(path) ?? io };
    return await copyAndVerify(path, temporary, from, () => stopRequest.breathe());
  };
  try {
    const place = { input, output, likeInput: !isUrl(input) && !isStream(input) };
    const copyFrom = (path: string) => writeToPlace(place, (temporary) => copy(path, temporary), durability);
    const report = await withSeekable(input, copyFrom, options);
    bars.stop();
    const { unsupported } = report;
    for (const { message } of quiet ? [] : unsupported) {
      process.stderr.write(`b2frame: copied, and not verified: ${printable(message)}\n`);
    }
    await summarise({ ...report, path: output }, started, options);
  } finally {
    bars.stop();
  }
}
