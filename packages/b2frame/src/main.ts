#!/usr/bin/env node
/** The `b2frame` command. What a call does not need is not loaded. @module */
import { takeOutputErrors } from "./command-line/output-errors.js";
import { ReaderGone, Stopped } from "./command-line/stop-request.js";
import { packageVersion } from "./package-version.js";

const VERSION_FLAGS: readonly string[] = ["-V", "--version"];

/** Runs the command line and gives the exit code, or the signal by which to end. */
async function run(argv: readonly string[]): Promise<number | NodeJS.Signals> {
  const [, , first = "", second] = argv;
  if (VERSION_FLAGS.includes(first)) {
    const { describeInstallation } = second === "--verbose" ? await import("./installation.js") : {};
    process.stdout.write(describeInstallation?.() ?? `${packageVersion()}\n`);
    return 0;
  }
  try {
    const { runProgram } = await import("./program.js");
    return await runProgram(argv);
  } catch (thrown) {
    const [{ firstErrorOf, reportError }, { exitCodeOf }] = await Promise.all([
      import("./command-line/report-error.js"),
      import("./command-line/exit-codes.js"),
    ]);
    const error = firstErrorOf(thrown);
    if (error instanceof Stopped) return error.signal;
    if (error instanceof ReaderGone) return 0;
    reportError(error);
    return exitCodeOf(error);
  }
}

takeOutputErrors((error) => {
  process.stderr.write(`b2frame: standard output: ${error.message}\n`);
  process.exitCode = 2;
});
void run(process.argv).then((result) => {
  if (typeof result === "number") process.exitCode ||= result;
  else process.kill(process.pid, result);
});
