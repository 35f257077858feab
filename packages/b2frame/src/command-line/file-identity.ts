/** Whether two names stand for one file, by any spelling or link. @module */
import { type BigIntStats, fstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { ArgumentError } from "@b2frame/core";
import { ioFailure } from "@b2frame/core/backend";
import { DASH } from "./stream-paths.js";

const STANDARD_INPUT = 0;
const STANDARD_OUTPUT = 1;

/** What is there, behind links; `undefined` if nothing is. `-` is what the descriptor is open on. */
function statOf(path: string, descriptor: number): BigIntStats | undefined {
  try {
    return path === DASH
      ? fstatSync(descriptor, { bigint: true })
      : statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    // A stream that was closed is no file, and a path through a file leads nowhere.
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EBADF" || code === "ENOTDIR") return undefined;
    throw ioFailure(error, { operation: "look up", path });
  }
}

/** The path without links, as far as it exists: of a file that is still to be made, that of its folder and its name. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    try {
      return join(realpathSync(dirname(path)), basename(path));
    } catch {
      // There is no such folder, so nothing can be in it; writing will say so.
      return path;
    }
  }
}

/** Whether `path` lies somewhere below `folder`. */
function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`);
}

/** How an output relates to the input. `"inside"`: one is a directory and the other lies in it. */
export type Overlap = "same" | "inside" | undefined;

/** Compares an input with an output; either may be `-`. @throws IoError */
export function overlapOf(input: string, output: string): Overlap {
  const from = statOf(input, STANDARD_INPUT);
  const to = statOf(output, STANDARD_OUTPUT);
  if (from === undefined) return undefined;
  if (to !== undefined && (from.isFile() || from.isDirectory()) && from.dev === to.dev && from.ino === to.ino) {
    return "same";
  }
  if (input === DASH || output === DASH) return undefined;
  const inside = from.isDirectory() && isBelow(realPath(output), realPath(input));
  const around = to?.isDirectory() === true && isBelow(realPath(input), realPath(output));
  return inside || around ? "inside" : undefined;
}

/**
 * Refuses an output that is the input, or lies in it, or around it.
 *
 * @param replaces whether the output may take the input's place, because it is of the same kind.
 * @throws ArgumentError; IoError
 */
export function requireOtherFile(input: string, output: string, replaces = false): void {
  const overlap = overlapOf(input, output);
  if (overlap === undefined || (overlap === "same" && replaces)) return;
  const why =
    overlap === "same" ? "is the input itself, which would be lost" : "and the input lie one inside the other";
  throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${output}: ${why}; write to another place`, {
    parameter: "OUT",
    path: output,
  });
}
