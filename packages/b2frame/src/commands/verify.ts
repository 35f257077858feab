/** `b2frame verify`: is a frame whole? @module */
import { statSync } from "node:fs";
import { isBlosc2Error, type VerifyProblem, type VerifyReport, verifyFrame } from "@b2frame/core";
import { chooseBackend } from "@b2frame/core/backend";
import { FrameLock } from "@b2frame/file-lock";
import { Command } from "commander";
import {
  addExamples,
  addIoOption,
  addLockOption,
  type IoOptions,
  type LockOption,
  type ReportOptions,
} from "../command-line/common-options.js";
import { EXIT_BAD_CALL, EXIT_BAD_FILE, EXIT_GOOD, exitCodeOf } from "../command-line/exit-codes.js";
import { withSeekable } from "../command-line/input-frame.js";
import { startProgress } from "../command-line/progress.js";
import { relabel } from "../command-line/relabel-error.js";
import { reportError } from "../command-line/report-error.js";
import { writeJson, writeStandardOutput } from "../command-line/standard-output.js";
import { labelOf } from "../command-line/stream-paths.js";
import { renderVerdict } from "../render/verdict.js";

interface VerifyCommandOptions extends IoOptions, LockOption, ReportOptions {
  readonly decode: boolean;
}

/** What is said of a file that could not be looked at. */
interface Failure {
  readonly path: string;
  readonly ok: false;
  readonly error: { readonly code: string; readonly message: string };
}

/** The command. */
export function verifyCommand(): Command {
  const command = new Command("verify")
    .description(
      "Checks each FILE: header, index and trailer; that chunks lie inside the file and share no bytes; that every chunk " +
        "and metalayer decodes; checksums where there are some; that an array's shapes fit its chunks. Nothing is changed.",
    )
    .argument("<files...>", "frames, contiguous or sparse; - is standard input")
    .option("--no-decode", "check the structure only, which is much faster");
  addLockOption(addIoOption(command))
    .option("--json", "the reports, as a JSON array")
    .option("-q, --quiet", "nothing but the exit code: 0 if all are whole, 1 if one is bad");
  addExamples(command, [
    ["verify *.b2nd", "several"],
    ["verify log.b2frame --json | jq '.[0].problems'", "for programs"],
    ["verify log.b2frame --quiet || b2frame repair log.b2frame new.b2frame", "in a script"],
  ]);
  return command.action(verify);
}

async function verify(paths: readonly string[], options: VerifyCommandOptions): Promise<void> {
  const results: (VerifyReport | Failure)[] = [];
  let exitCode = EXIT_GOOD;
  for (const path of paths) {
    try {
      const report = await withSeekable(path, (seekable) =>
        Promise.resolve(verifyOne(seekable, labelOf(path, "input"), options)),
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

function exitCodeOfReport({ problems, unsupported }: VerifyReport): number {
  if (problems.length > 0) return EXIT_BAD_FILE;
  return unsupported.length > 0 ? EXIT_BAD_CALL : EXIT_GOOD;
}

/** Locks what is there, however damaged. */
function lockToLook(path: string, seconds: number): FrameLock | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const lock = new FrameLock(path, { sparse: stat.isDirectory(), write: false });
  try {
    lock.acquire("shared", 1000 * seconds);
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

function verifyOne(path: string, label: string, options: VerifyCommandOptions): VerifyReport {
  const { io, lock, decode, quiet = false } = options;
  using _ = lock === undefined ? undefined : lockToLook(path, lock);
  // How many chunks there are is known only once the first one has been checked.
  const bar: { progress?: ReturnType<typeof startProgress> } = {};
  try {
    const onProgress = (done: number, total: number): void => {
      bar.progress ??= startProgress({ title: "verify", total, noun: "chunks", quiet });
      bar.progress.update(done);
    };
    const report = verifyFrame(path, chooseBackend({ io }), { decode, onProgress });
    const named = (problem: VerifyProblem): VerifyProblem => ({
      ...problem,
      message: relabel(problem.message, path, label),
    });
    return {
      ...report,
      path: label,
      problems: report.problems.map(named),
      unsupported: report.unsupported.map(named),
    };
  } finally {
    bar.progress?.stop();
  }
}
