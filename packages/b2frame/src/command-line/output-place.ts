/** Output that appears at its path only when it is whole. @module */
import { createReadStream, createWriteStream, lstatSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ArgumentError, type Durability, IoError } from "@b2frame/core";
import { firstFailure, ioFailure, newFileName } from "@b2frame/core/backend";
import { requireOtherFile } from "./file-identity.js";
import { relabelling } from "./relabel-error.js";
import { writeStandardOutput } from "./standard-output.js";
import { DASH, isStream, labelOf } from "./stream-paths.js";
import { outputTarget, takeOverFrom, takePlace } from "./take-place.js";

/** Folders and files of this process that must not outlive it, should it end by an uncaught error. */
const pending = new Set<string>();
process.once("exit", () => {
  for (const path of pending) {
    try {
      remove(path);
    } catch {
      // The process ends with an error already, and an exception here would hide it.
    }
  }
});

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
  pending.delete(path);
}

/** Gives `use` a path that is removed afterwards, in a folder of its own. */
export async function withTemporary<T>(name: string, use: (path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "b2frame-"));
  return await removingAfterwards(folder, () => use(join(folder, name)));
}

async function removingAfterwards<T>(path: string, use: () => Promise<T>): Promise<T> {
  pending.add(path);
  let result: T;
  try {
    result = await use();
  } catch (error) {
    throw firstFailure(error, () => remove(path));
  }
  remove(path);
  return result;
}

/** Where output goes, and what it is made of. */
export interface OutputPlace {
  readonly input: string;
  readonly output: string;
  /** Whether the output may take the input's place, because it is of the same kind. */
  readonly replaces?: boolean;
  /** `"x"`: nothing may be at the output's path. Default `"w"`. */
  readonly mode?: "w" | "x";
  /** Whether an output that replaces nothing gets the input's rights. */
  readonly likeInput?: boolean;
}

/**
 * Lets `write` make a file or a directory under another name beside `path`, and moves it to `path` when that is done. What
 * was there stays until then, and stays if `write` fails. For a stream, standard output among them, the finished file is copied
 * into it.
 *
 * @param write gets the path to write to, at which there is nothing, and makes what it writes as durable as it is to be.
 * @param durability of the move.
 * @throws IoError; ArgumentError if `path` is a directory of another kind, and if it is the input, by whatever name.
 */
export async function writeToPlace<T>(
  place: OutputPlace,
  write: (temporary: string) => Promise<T>,
  durability: Durability,
): Promise<T> {
  const { input, output: path, replaces = false } = place;
  if (isStream(path)) {
    requireOtherFile(input, path, replaces);
    return await withTemporary("output", async (temporary) => {
      const result = await relabelling(temporary, labelOf(path, "output"), () => write(temporary));
      if (statSync(temporary).isDirectory()) {
        throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", "a sparse frame is a directory; it can't go into a stream", {
          parameter: "OUT",
        });
      }
      await copyToStream(temporary, path);
      return result;
    });
  }
  return await writeFileToPlace(place, write, durability);
}

/** As {@link writeToPlace}, for paths that are no streams, whatever they look like. @throws also IoError `BLOSC2_IO_EXISTS` */
export async function writeFileToPlace<T>(
  { input, output: path, replaces = false, mode = "w", likeInput = false }: OutputPlace,
  write: (temporary: string) => Promise<T>,
  durability: Durability,
): Promise<T> {
  requireOtherFile(input, path, replaces);
  const target = outputTarget(path);
  if (mode === "x") requireNothingAt(path);
  // A folder of this user's alone: nobody can plant anything in it, nor read what may become a private file.
  const folder = join(dirname(target.path), newFileName());
  makePrivate(folder);
  return await removingAfterwards(folder, async () => {
    const temporary = join(folder, "output");
    const result = await relabelling(temporary, path, () => write(temporary));
    if (likeInput && target.kind === "nothing") takeOverFrom(temporary, input);
    if (mode === "x") requireNothingAt(path);
    takePlace(temporary, target, join(folder, "replaced"), durability);
    return result;
  });
}

function requireNothingAt(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  throw new IoError("BLOSC2_IO_EXISTS", `${path}: something is there already`, { operation: "create", path });
}

function makePrivate(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    throw ioFailure(error, { operation: "create", path: folder });
  }
}

async function copyToStream(from: string, path: string): Promise<void> {
  const pieces = createReadStream(from, { highWaterMark: 1 << 20 });
  if (path === DASH) {
    for await (const piece of pieces) await writeStandardOutput(piece);
    return;
  }
  try {
    await pipeline(pieces, createWriteStream(path));
  } catch (error) {
    throw ioFailure(error, { operation: "write", path });
  }
}

/** Takes bytes in order. */
export type ByteSink = (bytes: Uint8Array) => Promise<void>;

/** Lets `write` put bytes into a file, which appears when all are there, or straight into standard output. */
export async function writeBytesToPlace<T>(place: OutputPlace, write: (sink: ByteSink) => Promise<T>): Promise<T> {
  const { input, output: path } = place;
  requireOtherFile(input, path);
  if (path === DASH) return await write(writeStandardOutput);
  const writeFile = async (temporary: string): Promise<T> => {
    const file = await open(temporary, "wx");
    try {
      return await write(async (bytes) => {
        for (let at = 0; at < bytes.byteLength; ) at += (await file.write(bytes, at)).bytesWritten;
      });
    } catch (error) {
      throw isSystemError(error) ? ioFailure(error, { operation: "write", path }) : error;
    } finally {
      await file.close();
    }
  };
  return await writeToPlace(place, writeFile, "process");
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
