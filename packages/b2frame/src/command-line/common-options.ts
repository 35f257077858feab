/** Options that several commands share. @module */
import { type Command, Option } from "commander";
import { IO_NAMES, type IoName } from "../io-choice.js";

/** The options of {@link addIoOption}. */
export interface IoOptions {
  readonly io: IoName;
}

/** The options of {@link addReportOptions}. */
export interface ReportOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Lets the command choose how it reads and writes frames. */
export function addIoOption(command: Command): Command {
  return command.addOption(
    new Option("--io <backend>", "how frames are read and written").choices([...IO_NAMES]).default("stdio"),
  );
}

/** Lets the command be asked for JSON, and for silence. */
export function addReportOptions(command: Command, json: string): Command {
  return command.option("--json", json).option("-q, --quiet", "no progress bar and no summary");
}

/** Shows examples after a command's help: what to type, without `b2frame`, and what it does. */
export function addExamples(command: Command, examples: readonly (readonly [line: string, effect: string])[]): Command {
  const width = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, effect]) => `  $ b2frame ${line.padEnd(width)}  # ${effect}`);
  return command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}
