/** `b2frame repair`: make a sound frame of what is left of a damaged one. @module */
import type { RepairReport } from "@b2frame/core";
import { Command } from "commander";
import {
  addExamples,
  addIoOption,
  addReportOptions,
  type IoOptions,
  type ReportOptions,
} from "../command-line/common-options.js";
import { EXIT_BAD_FILE, EXIT_GOOD } from "../command-line/exit-codes.js";
import { withSeekable } from "../command-line/input-frame.js";
import { writeToPlace } from "../command-line/output-place.js";
import { relabel } from "../command-line/relabel-error.js";
import { writeJson, writeStandardOutput } from "../command-line/standard-output.js";
import { DASH, labelOf, requireOneStandardOutput } from "../command-line/stream-paths.js";
import { renderRepair } from "../render/repair-view.js";
import { repair } from "../repair.js";

interface RepairCommandOptions extends IoOptions, ReportOptions {
  readonly uncommitted: boolean;
}

/** The command. */
export function repairCommand(): Command {
  const command = new Command("repair")
    .description(
      "Writes to OUT a sound frame of all chunks of FILE that are whole: those of its last commit, or of an older index, or " +
        "in the order in which they lie in the file. FILE is not changed. Exit code 0 if nothing is lost, 1 if something is.",
    )
    .argument("<file>", "a damaged frame, contiguous or sparse; - is standard input")
    .argument("<out>", "the new frame, of the same kind; - is standard output")
    .option("--no-uncommitted", "leave out chunks that were stored after the last commit");
  addIoOption(command);
  addReportOptions(command, "the report, as JSON");
  addExamples(command, [["repair broken.b2frame whole.b2frame", "then: b2frame verify whole.b2frame"]]);
  return command.action(repairToPlace);
}

async function repairToPlace(input: string, output: string, options: RepairCommandOptions): Promise<void> {
  const { io, json = false, quiet = false } = options;
  requireOneStandardOutput(output, options);
  const uncommitted = options.uncommitted ? undefined : false;
  const report = await withSeekable(input, (path) => {
    const repairTo = (place: string) => Promise.resolve(repair(path, place, { io, uncommitted }));
    return writeToPlace({ input, output }, repairTo, "disk");
  });
  const problems = report.problems.map((problem) => ({
    ...problem,
    message: relabel(problem.message, report.path, labelOf(input, "input")),
  }));
  const labelled = { ...report, path: labelOf(input, "input"), outPath: labelOf(output, "output"), problems };
  if (json) await writeJson(labelled);
  else if (!quiet && output !== DASH) await writeStandardOutput(renderRepair(labelled));
  process.exitCode = isComplete(report) ? EXIT_GOOD : EXIT_BAD_FILE;
}

/** Whether nothing is lost and nothing had to be made up. */
function isComplete(report: RepairReport): boolean {
  const { chunksLost, headerKept, metalayersKept, vlmetalayersLost, lastCommitKept } = report;
  return chunksLost === 0 && headerKept && metalayersKept && vlmetalayersLost === 0 && lastCommitKept;
}
