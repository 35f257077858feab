/** Options that several commands share. @module */
import { ArgumentError, type Durability, type Locking } from "@b2frame/core";
import { type Command, Option } from "commander";
import { IO_NAMES, type IoName } from "../io-choice.js";
import { parseInteger } from "./parse-values.js";

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

/** The option of {@link addLockOption}. */
export interface LockOption {
  readonly lock?: number;
}

/** Lets the command take the frame's advisory lock. */
export function addLockOption(command: Command): Command {
  return command.option(
    "--lock <seconds>",
    "take the lock that python-blosc2 takes with locking=True; wait at most so long for others",
    parseInteger(0),
  );
}

/** As the library takes it. */
export function lockingOf({ lock }: LockOption): Locking {
  return lock === undefined ? false : { wait: 1000 * lock };
}

/** The option of {@link addDurabilityOption}. */
export interface DurabilityOption {
  readonly durability: Durability;
}

/** Lets the command choose whether it waits for the disk. `written` names what it writes. */
export function addDurabilityOption(command: Command, written: string): Command {
  return command.addOption(
    new Option(
      "--durability <what>",
      `what ${written} outlives: a power cut (disk), or, without waiting for the disk, programs (process)`,
    )
      .choices(["disk", "process"])
      .default("disk"),
  );
}

/** The option of {@link addWorkersOption}. */
export interface WorkersOption {
  readonly workers: number;
}

/** Lets the command use worker threads. `whatFor` says what they do. */
export function addWorkersOption(command: Command, whatFor: string): Command {
  return command.addOption(
    new Option("--workers <n>", `${whatFor}; the result is the same`).argParser(parseInteger(0)).default(0),
  );
}

/** For `--workers` where nothing can be shared out. */
export function onlyForSuperChunks(why: string): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", `--workers is for the chunks of super-chunks; ${why}`, {
    parameter: "workers",
  });
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
