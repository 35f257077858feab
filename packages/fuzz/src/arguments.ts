/** The command line. @module */
import { parseArgs } from "node:util";
import { TARGET_NAMES, type TargetName } from "./targets/targets.js";

export const USAGE: string = `usage: pnpm fuzz [--target ${TARGET_NAMES.join("|")}] [--minutes N] [--seed N] [--quick] [--keep] [FILE...]
       pnpm fuzz --streams N [--seed N]

Reads every single-byte change and every truncation of small good files, of every kind or of one, with both engines. Then damages
them at random for N minutes of processor time a kind (default 0), guided by the code that they reach. Each must give a value
or a Blosc2Error, within a second and bounded memory. FILEs are read again instead: inputs that a run has saved.

With --streams the zlib decoder of the kernels reads N streams of all levels and strategies, about half of them damaged, and must make
of each what zlib makes of it.

  --quick  one single-byte change and one truncation at every 13th byte only
  --keep   add inputs that reached new code to the corpus`;

/** What to do. */
export interface Request {
  readonly targets: readonly TargetName[];
  readonly minutes: number;
  readonly seed: number;
  readonly quick: boolean;
  readonly keep: boolean;
  readonly paths: readonly string[];
  /** How many streams of codecs to read instead of files; 0 for none. */
  readonly streams: number;
}

/** The command line can't be understood. */
export class UsageError extends Error {}

function numberOf(option: string, text: string, pattern: RegExp): number {
  if (!pattern.test(text)) throw new UsageError(`--${option}: expected a number, found "${text}"`);
  return Number(text);
}

function targetOf(text: string): TargetName {
  const target = TARGET_NAMES.find((name) => name === text);
  if (target === undefined)
    throw new UsageError(`--target: expected one of ${TARGET_NAMES.join(", ")}, found "${text}"`);
  return target;
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      target: { type: "string", multiple: true },
      minutes: { type: "string", default: "0" },
      seed: { type: "string", default: "1" },
      quick: { type: "boolean", default: false },
      streams: { type: "string", default: "0" },
      keep: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
}

/** The request in `args`. @throws UsageError */
export function parseCommandLine(args: readonly string[]): Request | "help" {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const { values, positionals } = parsed;
  if (values.help) return "help";
  const targets = values.target?.map(targetOf) ?? TARGET_NAMES;
  if (positionals.length > 0 && targets.length !== 1) throw new UsageError("FILEs need one --target");
  return {
    targets,
    minutes: numberOf("minutes", values.minutes, /^\d+(\.\d+)?$/),
    seed: numberOf("seed", values.seed, /^\d+$/),
    quick: values.quick,
    keep: values.keep,
    paths: positionals,
    streams: numberOf("streams", values.streams, /^\d+$/),
  };
}
