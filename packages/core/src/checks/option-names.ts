/** Refusing options whose names are not known: a misspelt option must not mean its default. @module */
import { ArgumentError } from "../errors.js";
import { describeValue } from "./describe-value.js";

/**
 * The names of all options of one kind; the compiler keeps it complete. An option that is itself a set of options has the names of
 * those in the place of `true`.
 */
export type OptionNames<T> = Readonly<Record<keyof T, true | NestedNames>>;

interface NestedNames {
  readonly [name: string]: true | NestedNames;
}

/** What python-blosc2 and the command call options whose names here are nothing like them. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["backend", "io"],
  ["blockshape", "blocks"],
  ["chunkshape", "chunks"],
  ["cname", "codec"],
  ["mmapmode", "io"],
  ["nthreads", "workers"],
]);

/** How alike two names must be, of 1, to be taken for each other. */
const ALIKE = 0.4;

/** Letters and digits only, in lower case: `chunk_size` is `chunkSize`. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function pairsOf(text: string): readonly string[] {
  const padded = ` ${text} `;
  return Array.from({ length: padded.length - 1 }, (_, i) => padded.slice(i, i + 2));
}

/** How alike two names are by the pairs of letters that they share (the Sørensen-Dice coefficient), 0 to 1. */
function likeness(a: string, b: string): number {
  const left = pairsOf(a);
  const rest = [...pairsOf(b)];
  const total = left.length + rest.length;
  let shared = 0;
  for (const pair of left) {
    const at = rest.indexOf(pair);
    if (at < 0) continue;
    rest.splice(at, 1);
    shared++;
  }
  return (2 * shared) / total;
}

/** All names, those of nested options with the way to them: `cparams.codec`. */
function allNames(names: NestedNames, prefix: string): readonly string[] {
  return Object.entries(names).flatMap(([name, inner]) => {
    const full = `${prefix}${name}`;
    return inner === true ? [full] : [full, ...allNames(inner, `${full}.`)];
  });
}

/** The known name that `name` is most like, if there is one that is like it. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = OTHER_NAMES.get(plain(name)) ?? plain(name);
  let best: string | undefined;
  let most = ALIKE;
  for (const candidate of known) {
    const found = likeness(wanted, plain(candidate.slice(candidate.lastIndexOf(".") + 1)));
    if (found > most) [best, most] = [candidate, found];
  }
  return best;
}

function unknownOption(full: string, name: string, known: readonly string[]): ArgumentError {
  const near = nearest(name, known);
  const hint = near === undefined ? `known are ${known.join(", ")}` : `the nearest known one is "${near}"`;
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", `unknown option "${full}"; ${hint}`, {
    parameter: full,
    expected: near ?? known.join(", "),
    found: full,
  });
}

/** The names that may be meant at `prefix`: those of that place first, for they are meant if others are as near. */
function meant(names: NestedNames, all: NestedNames, prefix: string): readonly string[] {
  return [...new Set([...Object.keys(names).map((name) => `${prefix}${name}`), ...allNames(all, "")])];
}

function check(names: NestedNames, all: NestedNames, options: object, prefix: string): void {
  for (const [name, value] of Object.entries(options)) {
    // An option that is undefined is as good as absent.
    if (value === undefined) continue;
    const inner = Object.hasOwn(names, name) ? names[name] : undefined;
    if (inner === undefined) throw unknownOption(`${prefix}${name}`, name, meant(names, all, prefix));
    if (inner !== true && typeof value === "object" && value !== null) check(inner, all, value, `${prefix}${name}.`);
  }
}

/**
 * Holds the names of the options that a caller gave against the known ones.
 *
 * @throws ArgumentError for an unknown one, which names the known one that is nearest to it; for options that are no object.
 * @example
 * ```ts
 * checkOptionNames<MyOptions>({ bufferSize: true }, options);
 * ```
 */
export function checkOptionNames<T extends object>(names: OptionNames<T>, options: T): void {
  if (typeof options !== "object" || options === null) {
    const found = describeValue(options);
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `options: expected an object, found ${found}`, {
      parameter: "options",
      expected: "an object",
      found,
    });
  }
  check(names, names, options, "");
}
