/** The command line: all commands together. @module */
import { Command } from "commander";
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

/** The `b2frame` command; errors of the call come as commander's own. */
export function program(): Command {
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
