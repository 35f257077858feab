/** `b2frame part`: a frame that several processes or machines write. @module */
import { resolve } from "node:path";
import { ArgumentError } from "@b2frame/core";
import { abortParts, finalizeParts, partStatus, partsPlanOf, planParts, writePart } from "@b2frame/parts";
import { Command } from "commander";
import {
  addExamples,
  addIoOption,
  addReportOptions,
  type IoOptions,
  type ReportOptions,
} from "../command-line/common-options.js";
import { addCompressionOptions, type CompressionOptions, chosenCParams } from "../command-line/compression-options.js";
import { EXIT_BAD_FILE, EXIT_GOOD } from "../command-line/exit-codes.js";
import { addKeyOption, type KeyOption } from "../command-line/open-input.js";
import { parseInteger, parseIntegers } from "../command-line/parse-values.js";
import { startProgress } from "../command-line/progress.js";
import { writeJson, writeStandardOutput } from "../command-line/standard-output.js";
import { StopRequest } from "../command-line/stop-request.js";
import { openSource } from "../parts/open-source.js";
import { partNumber } from "../parts/part-number.js";
import { renderStatus } from "../parts/status-view.js";
import { formatCount } from "../render/quantities.js";

interface InitOptions extends CompressionOptions, IoOptions, KeyOption, ReportOptions {
  readonly like?: string;
  readonly shape?: readonly number[];
  readonly dtype?: string;
  readonly nbytes?: number;
  readonly typesize?: number;
  readonly parts?: number;
  readonly boundaries?: readonly number[];
}

interface WriteOptions extends IoOptions, KeyOption, ReportOptions {
  readonly input?: string;
  readonly oneBased?: boolean;
  readonly again?: boolean;
}

interface FinalizeCommandOptions extends ReportOptions {
  readonly contiguous?: boolean;
  readonly sparse?: boolean;
  readonly keepParts?: boolean;
}

/** The command with its five steps. */
export function partCommand(): Command {
  const command = new Command("part").description(
    "Lets several processes or machines write one frame: plan it, write its parts in any order, join them. Parts are " +
      "frames of their own in TARGET.parts; TARGET appears when all are joined, with the bytes that one process would have written.",
  );
  for (const step of [initStep(), writeStep(), statusStep(), finalizeStep(), abortStep()]) command.addCommand(step);
  addExamples(command, [
    ["part init big.b2nd --like big.npy --parts 16 --codec zstd", "prints how many parts there are"],
    ["part write big.b2nd 3", "anywhere, for each of 0 to 15"],
    ["part status big.b2nd", "what is done, missing, damaged"],
    ["part finalize big.b2nd", "once all are there"],
  ]);
  return command;
}

function initStep(): Command {
  const command = new Command("init")
    .description(
      "Plans TARGET in TARGET.parts/plan.json, and prints the number of its parts. The same call again prints it again.",
    )
    .argument("<target>", "the frame to be; nothing may be there")
    .option(
      "--like <src>",
      "a .npy file, frame, Zarr array or raw file: its shape, dtype and layout; parts are written from it",
    )
    .option("--shape <shape>", "of an array", parseIntegers(1))
    .option("--dtype <dtype>", "of an array, as NumPy spells it (default: <f8)")
    .option("--nbytes <n>", "of a super-chunk: bytes in all", parseInteger(1))
    .option("--typesize <n>", "of a super-chunk: bytes per item (default: 1)", parseInteger(1))
    .option("--parts <n>", "how many parts, at most one for each chunk", parseInteger(1))
    .option(
      "--boundaries <at>",
      "where parts begin: rows of an array, bytes of a super-chunk, each at a chunk",
      parseIntegers(0),
    );
  addCompressionOptions(command, "C-Blosc2's defaults");
  addKeyOption(addIoOption(command));
  return addReportOptions(command, "plan id, parts and chunks as JSON").action(init);
}

async function init(target: string, options: InitOptions): Promise<void> {
  const { like, json = false, sparse, checksum, parts, boundaries, blocksize } = options;
  const opened = like === undefined ? undefined : await openSource(like, options);
  try {
    const { shape = opened?.source.shape, dtype = opened?.source.dtype?.str } = options;
    const isArray = shape !== undefined;
    const own = opened?.cparams;
    const chosen = chosenCParams(options);
    const blocksOf = blocksize ?? (isArray ? undefined : own?.blocksize);
    const cparams = { ...withoutSizes(own), ...chosen, ...(blocksOf === undefined ? {} : { blocksize: blocksOf }) };
    const size = isArray
      ? { shape, dtype, chunks: options.chunks ?? opened?.chunks, blocks: options.blocks ?? opened?.blocks }
      : {
          nbytes: options.nbytes ?? opened?.source.nbytes,
          typesize: options.typesize ?? opened?.typesize,
          chunksize: options.chunksize ?? (opened?.chunksize === 0 ? undefined : opened?.chunksize),
        };
    const source = like === undefined ? undefined : resolve(like);
    const plan = planParts(target, { ...size, cparams, sparse, checksum, parts, boundaries, source });
    const { id, nchunks } = plan;
    if (json) await writeJson({ target, plan: id, parts: plan.parts.length, nchunks });
    else await writeStandardOutput(`${plan.parts.length}\n`);
  } finally {
    opened?.source.close?.();
  }
}

/** What blocks and items come to follows from the layout of the new frame. */
function withoutSizes<T extends { blocksize: number; typesize: number }>(cparams: T | undefined): Partial<T> {
  if (cparams === undefined) return {};
  const { blocksize: _blocksize, typesize: _typesize, ...rest } = cparams;
  return rest as Partial<T>;
}

function writeStep(): Command {
  const command = new Command("write")
    .description(
      "Writes part J, unless it is there already, whole. It appears when it is complete. Running it twice, or at once, does no harm.",
    )
    .argument("<target>", "the planned frame")
    .argument("[part]", "the part, from 0; default: SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX", parseInteger(0))
    .option("--input <src>", "where the items come from (default: what --like named)")
    .option("--one-based", "parts count from 1")
    .option("--again", "write it even if it is there");
  addKeyOption(addIoOption(command));
  return addReportOptions(command, "what was written, as JSON").action(write);
}

async function write(target: string, given: number | undefined, options: WriteOptions): Promise<void> {
  const { oneBased = false, again, quiet = false, json = false } = options;
  const part = partNumber(given, oneBased, process.env);
  const input = options.input ?? sourceOf(target);
  const { source } = await openSource(input, options);
  using stopRequest = new StopRequest();
  const bar: { progress?: ReturnType<typeof startProgress> } = {};
  try {
    const written = await writePart(target, part, source, {
      again,
      onProgress: (done, total) => {
        bar.progress ??= startProgress({ title: `part ${part}`, total, noun: "chunks", quiet });
        bar.progress.update(done);
        return stopRequest.breathe();
      },
    });
    if (json) await writeJson({ target, ...written });
  } finally {
    bar.progress?.stop();
    source.close?.();
  }
}

function sourceOf(target: string): string {
  const { source } = partsPlanOf(target);
  if (source !== undefined) return source;
  const message = `${target}: the plan names no source; --input says where the items come from`;
  throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter: "input" });
}

function statusStep(): Command {
  const command = new Command("status")
    .description("Says which parts are done, missing and damaged. Exit code 0 if all are done, 1 if not.")
    .argument("<target>", "the planned frame")
    .option("--check", "read every chunk, and hold it against its checksum");
  return addReportOptions(command, "the status as JSON").action(status);
}

async function status(target: string, options: ReportOptions & { readonly check?: boolean }): Promise<void> {
  const found = partStatus(target, { check: options.check });
  if (options.json === true) await writeJson(found);
  else if (options.quiet !== true) await writeStandardOutput(renderStatus(found));
  process.exitCode = found.done.length === found.parts ? EXIT_GOOD : EXIT_BAD_FILE;
}

function finalizeStep(): Command {
  const command = new Command("finalize")
    .description(
      "Checks all parts, joins them without decoding, publishes TARGET at once, and removes the parts. It may be killed and run again; of two at once one publishes.",
    )
    .argument("<target>", "the planned frame")
    .option("--contiguous", "one file, whatever was planned")
    .option("--sparse", "a directory with a file for each chunk, whatever was planned")
    .option("--keep-parts", "leave plan and parts");
  return addReportOptions(command, "what became of it, as JSON").action(finalize);
}

async function finalize(target: string, options: FinalizeCommandOptions): Promise<void> {
  const { contiguous, sparse, keepParts, json = false, quiet = false } = options;
  if (contiguous === true && sparse === true) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", "--contiguous and --sparse exclude each other", {
      parameter: "sparse",
    });
  }
  const bar: { progress?: ReturnType<typeof startProgress> } = {};
  try {
    const onProgress = (done: number, total: number): void => {
      bar.progress ??= startProgress({ title: "finalize", total, noun: "parts", quiet });
      bar.progress.update(done);
    };
    const result = finalizeParts(target, { sparse: contiguous === true ? false : sparse, keepParts, onProgress });
    if (json) await writeJson(result);
    else if (!quiet && !result.published)
      await writeStandardOutput(`${result.target} is there already: nothing to do\n`);
  } finally {
    bar.progress?.stop();
  }
}

function abortStep(): Command {
  const command = new Command("abort")
    .description("Removes the plan and all parts. TARGET, if it has been published, stays.")
    .argument("<target>", "the planned frame");
  return addReportOptions(command, "what was removed, as JSON").action(abort);
}

async function abort(target: string, { json = false, quiet = false }: ReportOptions): Promise<void> {
  const result = abortParts(target);
  if (json) await writeJson(result);
  else if (!quiet) await writeStandardOutput(`${formatCount(result.removed, "file")} removed\n`);
}
