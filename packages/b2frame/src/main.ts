#!/usr/bin/env node
/** The `b2frame` command. @module */
import { CommanderError } from "commander";
import { EXIT_BAD_CALL, EXIT_GOOD, exitCodeOf } from "./command-line/exit-codes.js";
import { firstErrorOf, reportError } from "./command-line/report-error.js";
import { ReaderGone, Stopped } from "./command-line/stop-request.js";
import { program } from "./program.js";
import "./register-codecs.js";

/** Runs the command line and gives the exit code, or the signal by which to end. */
async function run(argv: readonly string[]): Promise<number | NodeJS.Signals> {
  try {
    await program().parseAsync(argv);
    return EXIT_GOOD;
  } catch (thrown) {
    const error = firstErrorOf(thrown);
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_GOOD : EXIT_BAD_CALL;
    if (error instanceof Stopped) return error.signal;
    if (error instanceof ReaderGone) return EXIT_GOOD;
    reportError(error);
    return exitCodeOf(error);
  }
}

void run(process.argv).then((result) => {
  if (typeof result === "number") process.exitCode ||= result;
  else process.kill(process.pid, result);
});
