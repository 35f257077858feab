/** `b2frame pack-all`: a whole folder of arrays. @module */
import { availableParallelism } from "node:os";
import { ArgumentError } from "@b2frame/core";
import { Command } from "commander";
import {
  addDurabilityOption,
  addExamples,
  addIoOption,
  addReportOptions,
  type DurabilityOption,
  type IoOptions,
  type ReportOptions,
} from "../command-line/common-options.js";
import { addCompressionOptions, type CompressionOptions } from "../command-line/compression-options.js";
import { EXIT_BAD_FILE, EXIT_GOOD } from "../command-line/exit-codes.js";
import { parseInteger, parseWords } from "../command-line/parse-values.js";
import { startProgress } from "../command-line/progress.js";
import { writeJson, writeStandardOutput } from "../command-line/standard-output.js";
import { StopRequest } from "../command-line/stop-request.js";
import { type FileToPack, findFiles, isPacked, shardOf } from "../pack-all/find-files.js";
import { packFiles } from "../pack-all/pack-files.js";
import { type FailedFile, type PackReport, renderPackReport } from "../pack-all/pack-report.js";

interface PackAllOptions extends CompressionOptions, DurabilityOption, IoOptions, ReportOptions {
  readonly workers?: number;
  readonly raw?: readonly string[];
  readonly typesize?: number;
  readonly shard?: readonly [number, number];
  readonly again?: boolean;
  readonly dryRun?: boolean;
}

/** The command. */
export function packAllCommand(): Command {
  const command = new Command("pack-all")
    .description(
      "Packs the .npy, .nii and .nii.gz files under DIR into .b2nd files under OUT, with the same names in the same folders. " +
        "What OUT has already, and no older than its input, is left; so a call that was stopped goes on when it is made again. " +
        "A file that can't be packed is named in the report and does not hold up the others.",
    )
    .argument("<dir>", "the folder to pack, with the folders in it")
    .argument("<out>", "the folder for what is packed; made if it is not there")
    .option("--workers <n>", "processes that pack (default: one for each processor)", parseInteger(1))
    .option("--raw <ends>", "pack files with names that end so, too, as raw bytes: .raw,.bin", parseWords)
    .option("--typesize <n>", "bytes per item of raw files (default: 1)", parseInteger(1))
    .option("--shard <i/n>", "pack only every nth file, from the ith on, counted from 0: for n machines", parseShard)
    .option("--again", "pack what is there, too")
    .option("--dry-run", "say what would be packed");
  addCompressionOptions(command, "C-Blosc2's defaults");
  addDurabilityOption(addIoOption(command), "what is packed");
  addReportOptions(command, "the report as JSON");
  addExamples(command, [
    ["pack-all scans packed --codec zstd", "all arrays and volumes in scans"],
    ["pack-all scans packed --raw .raw --typesize 2 --dry-run", "what would be done"],
    ["pack-all /shared/scans /shared/packed --shard 0/8 --json", "the first of eight machines"],
  ]);
  return command.action(packAll);
}

function parseShard(text: string): readonly [number, number] {
  const [, part, of] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  if (part !== undefined && of !== undefined && Number(part) < Number(of)) return [Number(part), Number(of)];
  const message = `--shard: expected I/N with I from 0 to N-1, found ${text}`;
  throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter: "shard" });
}

async function packAll(folder: string, out: string, options: PackAllOptions): Promise<void> {
  const started = performance.now();
  const { raw = [], shard = [0, 1], again = false, dryRun = false, json = false, quiet = false } = options;
  const found = findFiles(folder, out, raw);
  const own = shardOf(found.files, shard);
  const unchanged = again ? [] : own.filter(isPacked);
  const skipped = new Set(unchanged);
  const todo = own.filter((file) => !skipped.has(file));
  const counts = { unchanged: unchanged.map(({ path }) => path), others: found.others };
  const { packed, failed }: Outcome = dryRun ? { packed: todo, failed: [] } : await packThem(todo, options);
  const report: PackReport = {
    ...{ folder, out, dryRun, failed, ...counts },
    packed: packed.map(({ path, nbytes, cbytes }) => ({ path, nbytes, ...(cbytes === undefined ? {} : { cbytes }) })),
    nbytes: packed.reduce((sum, { nbytes }) => sum + nbytes, 0),
    cbytes: packed.reduce((sum, { cbytes = 0 }) => sum + cbytes, 0),
    seconds: Number(((performance.now() - started) / 1000).toFixed(3)),
  };
  if (json) await writeJson(report);
  else if (!quiet || failed.length > 0) await writeStandardOutput(renderPackReport(report));
  process.exitCode = failed.length === 0 ? EXIT_GOOD : EXIT_BAD_FILE;
}

type PackedFile = Pick<FileToPack, "path" | "nbytes"> & { readonly cbytes?: number };

interface Outcome {
  readonly packed: readonly PackedFile[];
  readonly failed: readonly FailedFile[];
}

async function packThem(files: readonly FileToPack[], options: PackAllOptions): Promise<Outcome> {
  const { workers = availableParallelism(), quiet = false, raw, shard, again, dryRun, json, ...rest } = options;
  const packed: PackedFile[] = [];
  const failed: FailedFile[] = [];
  const progress = startProgress({ title: "pack-all", total: files.length, noun: "files", quiet });
  using stopRequest = new StopRequest();
  try {
    await packFiles({
      files,
      workers,
      stopRequest,
      options: { ...rest, workers: 0 },
      onPacked: ({ path }, answer) => {
        if ("message" in answer) failed.push({ path, ...answer });
        else packed.push({ path, ...answer });
        progress.update(packed.length + failed.length);
      },
    });
  } finally {
    progress.stop();
  }
  // Whoever is done first is not first for those who read the report.
  const byPath = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : 1);
  return { packed: packed.sort(byPath), failed: failed.sort(byPath) };
}
