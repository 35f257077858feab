#!/usr/bin/env node
/** The `b2frame` command. @module */
import { Command, CommanderError } from "commander";
import { EXIT_BAD_CALL, EXIT_GOOD, exitCodeOf } from "./command-line/exit-codes.js";
import { reportError } from "./command-line/report-error.js";
import { ReaderGone, Stopped } from "./command-line/stop-request.js";
import { catCommand } from "./commands/cat.js";
import { compactCommand } from "./commands/compact.js";
import { convertCommand } from "./commands/convert.js";
import { infoCommand } from "./commands/info.js";
import { lsCommand } from "./commands/ls.js";
import { packCommand } from "./commands/pack.js";
import { repairCommand } from "./commands/repair.js";
import { sliceCommand } from "./commands/slice.js";
import { unpackCommand } from "./commands/unpack.js";
import { verifyCommand } from "./commands/verify.js";
import { packageVersion } from "./package-version.js";
import "./register-codecs.js";

/** In the order of the help. */
const COMMANDS: readonly (() => Command)[] = [
  infoCommand,
  lsCommand,
  catCommand,
  packCommand,
  unpackCommand,
  sliceCommand,
  convertCommand,
  verifyCommand,
  repairCommand,
  compactCommand,
];

const PREFIX = /^error: /;

function program(): Command {
  const root = new Command("b2frame")
    .description("Looks into, makes and mends Blosc2 files: super-chunks (.b2frame) and arrays (.b2nd).")
    .version(packageVersion(), "-V, --version")
    .addHelpText(
      "after",
      "\n`b2frame COMMAND --help` shows a command's options and examples.\n" +
        "Exit code: 0 good, 1 the file is bad, 2 the call can't be done.\n" +
        "B2FRAME_DEBUG=1 shows where an error comes from.",
    );
  for (const make of COMMANDS) root.addCommand(make());
  for (const command of [root, ...root.commands]) {
    command.exitOverride().configureOutput({
      outputError: (text, write) => write(`b2frame: ${text.replace(PREFIX, "")}`),
    });
  }
  return root;
}

/** Runs the command line and gives the exit code, or the signal by which to end. */
async function run(argv: readonly string[]): Promise<number | NodeJS.Signals> {
  try {
    await program().parseAsync(argv);
    return EXIT_GOOD;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_GOOD : EXIT_BAD_CALL;
    if (error instanceof Stopped) return error.signal;
    if (error instanceof ReaderGone) return EXIT_GOOD;
    reportError(error);
    return exitCodeOf(error);
  }
}

const result = await run(process.argv);
if (typeof result === "number") process.exitCode ||= result;
else process.kill(process.pid, result);
