/** Paths that stand for a stream of bytes rather than a file: `-`, pipes, devices. @module */
import { createReadStream, statSync } from "node:fs";
import { ArgumentError } from "@b2frame/core";
import { ioFailure } from "@b2frame/core/backend";

/** Standard input or standard output. */
export const DASH = "-";

/** What a path is called in messages. */
export function labelOf(path: string, direction: "input" | "output"): string {
  return path === DASH ? `standard ${direction}` : path;
}

/** @throws ArgumentError if a frame and a summary as JSON are both to go to standard output */
export function requireOneStandardOutput(output: string, { json = false }: { readonly json?: boolean }): void {
  if (!json || output !== DASH) return;
  throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", "--json and OUT can't both be standard output", {
    parameter: "json",
  });
}

/** Whether there is something at `path` that is neither a file nor a directory, or it is `-`. */
export function isStream(path: string): boolean {
  if (path === DASH) return true;
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat !== undefined && !stat.isFile() && !stat.isDirectory();
  } catch (error) {
    throw ioFailure(error, { operation: "look up", path });
  }
}

/** The size of a file in bytes; `undefined` if it is none. */
export function fileSize(path: string): number | undefined {
  if (path === DASH) return undefined;
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true ? stat.size : undefined;
}

/** Bytes read at a time. */
const READ_SIZE = 1 << 20;

/** The bytes of a file or stream, a piece at a time. @throws IoError */
export async function* readPieces(path: string): AsyncGenerator<Uint8Array> {
  if (path === DASH && process.stdin.isTTY) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", "standard input is a terminal; pipe something into it", {
      parameter: "IN",
    });
  }
  const stream: AsyncIterable<Uint8Array> =
    path === DASH ? process.stdin : createReadStream(path, { highWaterMark: READ_SIZE });
  try {
    yield* stream;
  } catch (error) {
    throw ioFailure(error, { operation: "read", path: path === DASH ? "standard input" : path });
  }
}
