/** `b2frame verify`: is a frame or a store whole? @module */
import { ArgumentError, isBlosc2Error, type VerifyReport } from "@b2frame/core";
import type { StoreReport } from "@b2frame/stores";
import { Command } from "commander";
import {
  addExamples,
  addIoOption,
  addLockOption,
  type IoOptions,
  type LockOption,
  lockingOf,
  type ReportOptions,
} from "../command-line/common-options.js";
import { EXIT_BAD_CALL, EXIT_BAD_FILE, EXIT_GOOD, exitCodeOf } from "../command-line/exit-codes.js";
import { withSeekable } from "../command-line/input-frame.js";
import { startProgress } from "../command-line/progress.js";
import { relabel } from "../command-line/relabel-error.js";
import { reportError } from "../command-line/report-error.js";
import { writeJson, writeStandardOutput } from "../command-line/standard-output.js";
import { labelOf } from "../command-line/stream-paths.js";
import { addRemoteOptions, backendOf, type RemoteInputOptions } from "../remote/remote-inputs.js";
import { renderVerdict } from "../render/verdict.js";
import { verify } from "../verify.js";

interface VerifyCommandOptions extends IoOptions, RemoteInputOptions, LockOption, ReportOptions {
  readonly decode: boolean;
}

/** What is said of a file that could not be looked at. */
interface Failure {
  readonly path: string;
  readonly ok: false;
  readonly error: { readonly code: string; readonly message: string };
}

type Report = VerifyReport | StoreReport;

/** The command. */
export function verifyCommand(): Command {
  const command = new Command("verify")
    .description(
      "Checks each FILE: header, index and trailer; that chunks lie inside the file and share no bytes; that every chunk " +
        "and metalayer decodes; checksums where there are some; that an array's shapes fit its chunks. Of a store, all of this " +
        "for every member, and the list of members and all sums of a ZIP file. Nothing is changed.",
    )
    .argument("<files...>", "frames, contiguous or sparse, or stores, or its URL; - is standard input")
    .option("--no-decode", "check the structure only, which is much faster");
  addLockOption(addRemoteOptions(addIoOption(command)))
    .option("--json", "the reports, as a JSON array")
    .option(
      "-q, --quiet",
      "nothing but the exit code: 0 if all are whole, 1 if one is damaged, 2 if one can't be checked here",
    );
  addExamples(command, [
    ["verify *.b2nd", "several"],
    ["verify run.b2z", "a store with all its members"],
    ["verify log.b2frame --json | jq '.[0].problems'", "for programs"],
    ["verify log.b2frame --quiet || b2frame repair log.b2frame new.b2frame", "in a script"],
  ]);
  return command.action(verifyAll);
}

async function verifyAll(paths: readonly string[], options: VerifyCommandOptions): Promise<void> {
  const results: (Report | Failure)[] = [];
  let exitCode = EXIT_GOOD;
  for (const path of paths) {
    try {
      const report = await withSeekable(
        path,
        (seekable) => Promise.resolve(verifyOne(seekable, labelOf(path, "input"), options)),
        options,
      );
      results.push(report);
      exitCode = worse(exitCode, exitCodeOfReport(report));
      if (options.json !== true && options.quiet !== true) await writeStandardOutput(renderVerdict(report));
    } catch (error) {
      // The others are looked at all the same.
      if (!isBlosc2Error(error)) throw error;
      reportError(error);
      results.push({ path, ok: false, error: { code: error.code, message: error.message } });
      exitCode = worse(exitCode, exitCodeOf(error));
    }
  }
  if (options.json === true) await writeJson(results);
  process.exitCode = exitCode;
}

/** Damage is worse than what could not be looked at. */
const SEVERITY: readonly number[] = [EXIT_GOOD, EXIT_BAD_CALL, EXIT_BAD_FILE];

function worse(first: number, second: number): number {
  return SEVERITY.indexOf(second) > SEVERITY.indexOf(first) ? second : first;
}

function exitCodeOfReport(report: Report): number {
  const parts = report.kind === "store" ? [report, ...report.members] : [report];
  if (parts.some(({ problems }) => problems.length > 0)) return EXIT_BAD_FILE;
  return report.ok ? EXIT_GOOD : EXIT_BAD_CALL;
}

function verifyOne(path: string, label: string, options: VerifyCommandOptions): Report {
  const { io, decode, quiet = false } = options;
  // How much there is to check is known only once the first of it has been.
  const bar: { progress?: ReturnType<typeof startProgress> } = {};
  try {
    const onProgress = (done: number, total: number, unit: "chunks" | "bytes"): void => {
      const noun = unit === "chunks" ? unit : undefined;
      bar.progress ??= startProgress({ title: "verify", total, noun, quiet });
      bar.progress.update(done);
    };
    return labelled(
      verify(path, { io: backendOf(path) ?? io, decode, locking: lockingOf(options), onProgress }),
      path,
      label,
    );
  } catch (error) {
    if (!isBlosc2Error(error, "BLOSC2_ARGUMENT_INVALID") || error.details.parameter !== "locking") throw error;
    const message = `${label}: is a store; --lock is for frames`;
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter: "lock", path: label }, error);
  } finally {
    bar.progress?.stop();
  }
}

type Findings = Pick<Report, "problems" | "unsupported">;

/** A report on a copy that names the original. */
function labelled(report: Report, path: string, label: string): Report {
  const named = <T extends Findings>(part: T): T => ({
    ...part,
    problems: part.problems.map((problem) => ({ ...problem, message: relabel(problem.message, path, label) })),
    unsupported: part.unsupported.map((problem) => ({ ...problem, message: relabel(problem.message, path, label) })),
  });
  if (report.kind !== "store") return { ...named(report), path: label };
  return { ...named(report), path: label, members: report.members.map(named) };
}
