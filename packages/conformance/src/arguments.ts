/** The command line. @module */
import { parseArgs } from "node:util";

/** The engines that a run can ask for. */
export const ENGINES = ["portable", "kernels"] as const;

/** The backends that a run can ask for. */
export const BACKENDS = ["stdio", "mmap", "memory"] as const;

/** One of {@link ENGINES}. */
export type EngineName = (typeof ENGINES)[number];

/** One of {@link BACKENDS}. */
export type BackendName = (typeof BACKENDS)[number];

/** What the command line asks for. */
export interface RunRequest {
  readonly directory: string;
  readonly engines: readonly EngineName[];
  readonly backends: readonly BackendName[];
  readonly only: readonly string[];
}

export const USAGE = `usage: pnpm conformance DIR [--engine portable|kernels|all] [--io stdio|mmap|memory|all] [--only PATTERN,...]

Checks every entry of DIR/manifest.json through each engine and each I/O backend that applies.

  --engine E   the block engine to use (default: all)
  --io B       the I/O backend to read through (default: all)
  --only P,... only entries whose folder (chunks, frames, ...) or kind (cframe, ...) is P, or whose id contains P

Prints each failure, then what was refused as unsupported, and ends with "N passed, N failed".
Exit code: 0 nothing failed, 1 something failed, 2 the call or the corpus is unusable.`;

/** A command line that makes no sense. */
export class UsageError extends Error {}

function choose<T extends string>(option: string, value: string, names: readonly T[]): readonly T[] {
  if (value === "all") return names;
  const found = names.filter((name) => name === value);
  if (found.length === 0) throw new UsageError(`${option}: expected ${[...names, "all"].join(", ")}; found ${value}`);
  return found;
}

/**
 * Decodes the command line.
 *
 * @returns what it asks for, or `"help"`.
 * @throws UsageError
 */
export function parseCommandLine(args: readonly string[]): RunRequest | "help" {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const { values, positionals } = parsed;
  if (values.help) return "help";
  const [directory] = positionals;
  if (directory === undefined || positionals.length > 1) throw new UsageError("give one DIR");
  return {
    directory,
    engines: choose("--engine", values.engine, ENGINES),
    backends: choose("--io", values.io, BACKENDS),
    only: values.only.split(",").filter((pattern) => pattern !== ""),
  };
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: args.filter((argument) => argument !== "--"),
    allowPositionals: true,
    options: {
      engine: { type: "string", default: "all" },
      io: { type: "string", default: "all" },
      only: { type: "string", default: "" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
}
