/** The command line. @module */
import { parseArgs } from "node:util";
import { DATA_DESCRIPTIONS, DATA_NAMES, type DataName } from "./datasets.js";
import { CASE_NAMES, type CaseName } from "./trial.js";

/** The peers that `--peers` knows. */
export const PEERS = ["c-blosc2", "numcodecs"] as const;

/** One of {@link PEERS}. */
export type Peer = (typeof PEERS)[number];

/** What the command line asks for. */
export interface BenchRequest {
  readonly cases: readonly CaseName[];
  readonly dataNames: readonly DataName[];
  readonly peers: readonly Peer[];
  /** Whether a peer that can't be had is an error. */
  readonly peersRequired: boolean;
  readonly mib: number;
  readonly samples: number;
  readonly seconds: number;
  readonly directory: string | undefined;
  readonly json: string | undefined;
  readonly html: string | undefined;
}

/** The value of an option that takes a list, when it is not given. */
const ALL = "all";

export const USAGE: string = `usage: pnpm bench [--only CASE,...] [--mib N] [--json FILE] [--html FILE] [more options]

Times b2frame through stdio and mmap, against each other and against C-Blosc2 and numcodecs, on the same data with the same
parameters. All contenders of a case are sampled in turn; what counts is the ratio of speeds in each round.

  --only CASE,...  of ${CASE_NAMES.slice(0, 7).join(", ")},
                   ${CASE_NAMES.slice(7, 13).join(", ")},
                   ${CASE_NAMES.slice(13, 16).join(", ")},
                   ${CASE_NAMES.slice(16).join(", ")},
                   or arrays for the four that begin with array-
  --data NAME,...  of these data sets, where a case uses them (default: all)
${DATA_NAMES.map((name) => `                     ${name.padEnd(15)}${DATA_DESCRIPTIONS[name]}`).join("\n")}
  --mib N          size of the data, 1 to 1024 (default 256); counts of operations shrink with it
  --samples N      rounds (default 7)
  --seconds N      start no further round of a trial after so long (default 60)
  --peers P,...    ${PEERS.join(", ")} or none; without it, those that can be had. C-Blosc2 comes from python-blosc2's
                   wheel, in a virtual environment that is made on first use, and needs a C compiler (CC, else cc)
  --dir DIR        where to make the scratch folder (default: the system's temporary folder)
  --json FILE      write environment and results, every sample included
  --html FILE      write a page with plots
  --smoke          a quick run to see that everything works: --mib 4 --samples 3

Exit code: 0 good, 1 a case failed, 2 the call is bad.`;

/** A command line that makes no sense. */
export class UsageError extends Error {}

function listed<T extends string>(option: string, value: string, names: readonly T[]): readonly T[] {
  if (value === ALL) return names;
  return value.split(",").map((word) => {
    const found = names.find((name) => name === word);
    if (found === undefined) throw new UsageError(`${option}: expected some of ${names.join(", ")}; found ${word}`);
    return found;
  });
}

/** `arrays` stands for the cases on arrays. */
function listedCases(value: string): readonly CaseName[] {
  const arrays = CASE_NAMES.filter((name) => name.startsWith("array-"));
  const words = value.split(",").flatMap((word) => (word === "arrays" ? arrays : word));
  return listed("--only", words.join(","), CASE_NAMES);
}

function integer(option: string, value: string, low: number, high: number): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= low && number <= high) return number;
  throw new UsageError(`${option}: expected an integer from ${low} to ${high}, found ${value}`);
}

/**
 * Decodes the command line.
 *
 * @returns what it asks for, or `"help"`.
 * @throws UsageError
 */
export function parseCommandLine(args: readonly string[]): BenchRequest | "help" {
  let values: ReturnType<typeof parse>["values"];
  try {
    ({ values } = parse(args));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  if (values.help) return "help";
  const { peers, smoke } = values;
  return {
    cases: listedCases(values.only),
    dataNames: listed("--data", values.data, DATA_NAMES),
    peers: peers === "none" ? [] : listed("--peers", peers, PEERS),
    peersRequired: peers !== ALL,
    mib: integer("--mib", values.mib ?? (smoke ? "4" : "256"), 1, 1024),
    samples: integer("--samples", values.samples ?? (smoke ? "3" : "7"), 1, 1000),
    seconds: integer("--seconds", values.seconds, 1, 3600),
    directory: values.dir,
    json: values.json,
    html: values.html,
  };
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: args.filter((argument) => argument !== "--"),
    options: {
      only: { type: "string", default: ALL },
      data: { type: "string", default: ALL },
      peers: { type: "string", default: ALL },
      mib: { type: "string" },
      samples: { type: "string" },
      seconds: { type: "string", default: "60" },
      dir: { type: "string" },
      json: { type: "string" },
      html: { type: "string" },
      smoke: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
}
