/** Output that appears at its path only when it is whole. @module */
import { randomBytes } from "node:crypto";
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ArgumentError, type Durability, IoError, ioFailure } from "@b2frame/core";
import { stdio } from "@b2frame/io-stdio";
import { requireOtherFile } from "./file-identity.js";
import { relabelling } from "./relabel-error.js";
import { writeStandardOutput } from "./standard-output.js";
import { DASH, isStream, labelOf } from "./stream-paths.js";

/** The file by which a directory is known as a sparse frame. */
const SPARSE_INDEX_NAME = "chunks.b2frame";

/** Folders and files of this process that must not outlive it, should it end by an uncaught error. */
const pending = new Set<string>();
process.once("exit", () => {
  for (const path of pending) rmSync(path, { recursive: true, force: true });
});

/** Gives `use` a path that is removed afterwards, in a folder of its own. */
export async function withTemporary<T>(name: string, use: (path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "b2frame-"));
  return await removingAfterwards(folder, () => use(join(folder, name)));
}

async function removingAfterwards<T>(path: string, use: () => Promise<T>): Promise<T> {
  pending.add(path);
  try {
    return await use();
  } finally {
    rmSync(path, { recursive: true, force: true });
    pending.delete(path);
  }
}

/** The path itself, behind a symbolic link that leads somewhere. */
function resolved(path: string): string {
  try {
    return existsSync(path) ? realpathSync(path) : path;
  } catch (error) {
    throw ioFailure(error, { operation: "look up", path });
  }
}

/** @throws IoError if there is no directory to write into */
function requireFolder(path: string): void {
  const folder = dirname(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new IoError("BLOSC2_IO_NOT_FOUND", `${path}: there is no directory ${folder}`, { operation: "create", path });
}

/** @throws ArgumentError if a directory at the path is something else than a sparse frame */
function requireReplaceable(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true || existsSync(join(path, SPARSE_INDEX_NAME))) return;
  throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${path}: is a directory, and no sparse frame to be replaced`, {
    parameter: "OUT",
    path,
  });
}

/** Where output goes, and what it is made of. */
export interface OutputPlace {
  readonly input: string;
  readonly output: string;
  /** Whether the output may take the input's place, because it is of the same kind. */
  readonly replaces?: boolean;
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
  { input, output: path, replaces = false }: OutputPlace,
  write: (temporary: string) => Promise<T>,
  durability: Durability,
): Promise<T> {
  requireOtherFile(input, path, replaces);
  if (isStream(path)) {
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
  const target = resolved(path);
  requireFolder(target);
  requireReplaceable(target);
  // Short, so that it fits wherever the output's own name does, and not to be guessed.
  const temporary = join(dirname(target), `.b2frame-${randomBytes(8).toString("hex")}.tmp`);
  return await removingAfterwards(temporary, async () => {
    const result = await withModeOf(target, () => relabelling(temporary, path, () => write(temporary)));
    try {
      // A file replaces a file at once; a directory can't replace anything, nor be replaced.
      const isThere = statSync(target, { throwIfNoEntry: false });
      const isFile = isThere?.isFile() === true && statSync(temporary).isFile();
      if (isThere !== undefined && !isFile) rmSync(target, { recursive: true });
      renameSync(temporary, target);
    } catch (error) {
      throw ioFailure(error, { operation: "rename", path });
    }
    if (durability === "disk") stdio().directories?.flush(dirname(target));
    return result;
  });
}

/** Runs `write` so that what it makes is open to nobody who could not open what it is going to replace. */
async function withModeOf<T>(target: string, write: () => Promise<T>): Promise<T> {
  const stat = statSync(target, { throwIfNoEntry: false });
  if (stat === undefined) return await write();
  const mode = stat.isDirectory() ? statSync(join(target, SPARSE_INDEX_NAME)).mode : stat.mode;
  const before = process.umask(~mode & 0o777 & ~(stat.isDirectory() ? 0o111 : 0));
  try {
    return await write();
  } finally {
    process.umask(before);
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
