/** Moving a finished file or directory to where it was asked for, in the place of what is there. @module */
import { existsSync, lstatSync, readdirSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { ArgumentError, type Durability, IoError } from "@b2frame/core";
import { ioFailure, isNewFileName } from "@b2frame/core/backend";
import { NODE_FILE_SYSTEM, resolveLinks, takeOverRights } from "@b2frame/io-files";
import { stdio } from "@b2frame/io-stdio";

/** The file by which a directory is known as a sparse frame. */
const SPARSE_INDEX_NAME = "chunks.b2frame";
/** The other files that a sparse frame has: chunks, and its lock. */
const SPARSE_NAMES = /^(?:[0-9A-F]{8}\.chunk|\.b2lock)$/;

/** Where a finished output goes. */
export interface OutputTarget {
  /** The path itself, behind symbolic links. */
  readonly path: string;
  /** What is there. */
  readonly kind: "nothing" | "file" | "sparse-frame";
}

/** Name of what keeps a directory from being replaced: it is no sparse frame's, or is a link or the like. */
function foreignEntry(directory: string): string | undefined {
  return readdirSync(directory).find((name) => {
    const named = name === SPARSE_INDEX_NAME || SPARSE_NAMES.test(name) || isNewFileName(name);
    return !named || !lstatSync(join(directory, name)).isFile();
  });
}

/** @throws ArgumentError if a directory at the path is something else than a sparse frame, or has more in it */
function requireSparseFrame(path: string): void {
  if (!lstatSync(join(path, SPARSE_INDEX_NAME), { throwIfNoEntry: false })?.isFile()) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${path}: is a directory, and no sparse frame to be replaced`, {
      parameter: "OUT",
      path,
    });
  }
  const foreign = foreignEntry(path);
  if (foreign === undefined) return;
  throw new ArgumentError(
    "BLOSC2_ARGUMENT_INVALID",
    `${path}: is a sparse frame with something else in its directory, which would be lost: ${foreign}`,
    { parameter: "OUT", path, foreign },
  );
}

/**
 * Looks at where an output is to go, before anything is written.
 *
 * @throws IoError if there is no directory to write into; ArgumentError for a directory that can't be replaced
 */
export function outputTarget(given: string): OutputTarget {
  const path = resolveLinks(NODE_FILE_SYSTEM, given);
  const folder = dirname(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new IoError("BLOSC2_IO_NOT_FOUND", `${given}: there is no directory ${folder}`, {
      operation: "create",
      path: given,
    });
  }
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return { path, kind: "nothing" };
  if (!stat.isDirectory()) return { path, kind: "file" };
  requireSparseFrame(path);
  return { path, kind: "sparse-frame" };
}

/** Gives all that was written the rights of what it replaces. */
function takeOverAll(from: string, { path, kind }: OutputTarget): void {
  if (kind === "nothing") return;
  const model = kind === "file" ? path : join(path, SPARSE_INDEX_NAME);
  if (!statSync(from).isDirectory()) {
    takeOverRights(NODE_FILE_SYSTEM, from, model);
    return;
  }
  for (const name of readdirSync(from)) takeOverRights(NODE_FILE_SYSTEM, join(from, name), model);
  if (kind === "sparse-frame") takeOverRights(NODE_FILE_SYSTEM, from, path);
}

/** Gives all of a copy the rights of what it is a copy of: of the same name, or, as chunk files have other ones, of the frame. */
export function takeOverFrom(copy: string, original: string): void {
  if (statSync(copy).isDirectory()) {
    for (const name of readdirSync(copy)) {
      const same = join(original, name);
      takeOverFrom(join(copy, name), existsSync(same) ? same : join(original, SPARSE_INDEX_NAME));
    }
  }
  takeOverRights(NODE_FILE_SYSTEM, copy, original);
}

/**
 * Moves what was written to its target. A file replaces a file at once. A directory can neither replace something nor be replaced: what
 * was there is moved away first, and back if the rest fails.
 *
 * @param aside a path in a folder that is removed afterwards.
 * @throws IoError; ArgumentError if somebody has put something else into the directory meanwhile
 */
export function takePlace(from: string, target: OutputTarget, aside: string, durability: Durability): void {
  const { path, kind } = target;
  try {
    takeOverAll(from, target);
    const isFile = statSync(from).isFile();
    const moved = kind === "sparse-frame" || (kind === "file" && !isFile);
    if (kind === "sparse-frame") requireSparseFrame(path);
    if (moved) renameSync(path, aside);
    try {
      renameSync(from, path);
    } catch (error) {
      if (moved) renameSync(aside, path);
      throw error;
    }
    if (durability === "disk") stdio().directories?.flush(dirname(path));
  } catch (error) {
    throw ioFailure(error, { operation: "replace", path });
  }
}
