/** The command line: all commands together. @module */
import { Command, CommanderError } from "commander";
import { packageVersion } from "./package-version.js";

/** A command that is loaded when it is called, or its help is asked for. */
interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** @param all gives the program with all its commands loaded. */
  readonly load: (all: () => Promise<Command>) => Promise<Command>;
}

/** In the order of the help. */
const COMMANDS: readonly CommandEntry[] = [
  {
    name: "info",
    summary: "show shape, sizes, compression and metalayers",
    load: async () => (await import("./commands/info.js")).infoCommand(),
  },
  {
    name: "ls",
    summary: "list the chunks of a frame, or the members of a store",
    load: async () => (await import("./commands/ls.js")).lsCommand(),
  },
  {
    name: "cat",
    summary: "print an array, or write item bytes to standard output",
    load: async () => (await import("./commands/cat.js")).catCommand(),
  },
  {
    name: "stats",
    summary: "extremes, mean, deviation and a histogram of all items",
    load: async () => (await import("./commands/stats.js")).statsCommand(),
  },
  {
    name: "plot",
    summary: "paint a plane of an array into a PNG file",
    load: async () => (await import("./commands/plot.js")).plotCommand(),
  },
  {
    name: "view",
    summary: "look at frames in a browser",
    load: async () => (await import("./commands/view.js")).viewCommand(),
  },
  {
    name: "pack",
    summary: "compress raw bytes or a .npy file",
    load: async () => (await import("./commands/pack.js")).packCommand(),
  },
  {
    name: "pack-all",
    summary: "pack all .npy and NIfTI files of a folder",
    load: async () => (await import("./commands/pack-all.js")).packAllCommand(),
  },
  {
    name: "unpack",
    summary: "decompress to raw bytes or a .npy file",
    load: async () => (await import("./commands/unpack.js")).unpackCommand(),
  },
  {
    name: "slice",
    summary: "copy a part of an array to a .npy file",
    load: async () => (await import("./commands/slice.js")).sliceCommand(),
  },
  {
    name: "convert",
    summary: "copy a frame with another layout or other parameters",
    load: async () => (await import("./commands/convert.js")).convertCommand(),
  },
  {
    name: "copy",
    summary: "copy a frame or store that may be being written, and verify the copy",
    load: async () => (await import("./commands/copy.js")).copyCommand(),
  },
  {
    name: "verify",
    summary: "check that frames are whole",
    load: async () => (await import("./commands/verify.js")).verifyCommand(),
  },
  {
    name: "repair",
    summary: "save what is left of a damaged frame",
    load: async () => (await import("./commands/repair.js")).repairCommand(),
  },
  {
    name: "compact",
    summary: "give back the bytes that updates and deletions left behind",
    load: async () => (await import("./commands/compact.js")).compactCommand(),
  },
  {
    name: "part",
    summary: "let several processes or machines write one frame",
    load: async () => (await import("./commands/part.js")).partCommand(),
  },
  {
    name: "completion",
    summary: "write a script that lets a shell complete calls",
    load: async (all) => (await import("./commands/completion.js")).completionCommand(all),
  },
  {
    name: "help",
    summary: "show the help of a command, or of a topic",
    load: async (all) => (await import("./commands/help.js")).helpCommand(all),
  },
];

const PREFIX = /^error: /;

/** Exit codes of a call that was carried out, or that asks for help, and of one that is wrong. */
const EXIT_GOOD = 0;
const EXIT_WRONG_CALL = 2;

async function commandOf({ name, summary, load }: CommandEntry, words: readonly string[]): Promise<Command> {
  // A word of the call that is the name may be a file's as well; then too much is loaded, and nothing else happens.
  if (!words.includes(name)) return new Command(name).summary(summary).argument("[arguments...]");
  const [command] = await Promise.all([load(wholeProgram), import("./register-defaults.js")]);
  return command.summary(summary);
}

/** With all commands loaded. */
function wholeProgram(): Promise<Command> {
  return program(COMMANDS.map(({ name }) => name));
}

/** The `b2frame` command for a call of it; errors of the call come as commander's own. */
async function program(words: readonly string[]): Promise<Command> {
  const root = new Command("b2frame")
    .description("Looks into, makes and mends Blosc2 files: super-chunks (.b2frame) and arrays (.b2nd).")
    .version(packageVersion(), "-V, --version")
    .helpCommand(false)
    .addHelpText(
      "after",
      "\n`b2frame COMMAND --help` shows a command's options and examples, `b2frame help` also topics.\n" +
        "Exit code: 0 good, 1 the file is bad, 2 the call can't be done.\n" +
        "B2FRAME_DEBUG=1 shows where an error comes from.",
    );
  for (const command of await Promise.all(COMMANDS.map((entry) => commandOf(entry, words)))) root.addCommand(command);
  for (const command of [root, ...root.commands, ...root.commands.flatMap((inner) => inner.commands)]) {
    command.exitOverride().configureOutput({
      outputError: (text, write) => write(`b2frame: ${text.replace(PREFIX, "")}`),
    });
  }
  return root;
}

/** Runs a call; gives its exit code. @throws what the command throws */
export async function runProgram(argv: readonly string[]): Promise<number> {
  try {
    await (await program(argv.slice(2))).parseAsync(argv);
    return EXIT_GOOD;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_GOOD : EXIT_WRONG_CALL;
    throw error;
  }
}
