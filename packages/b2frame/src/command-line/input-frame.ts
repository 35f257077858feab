/** Frames that come through a pipe or from a URL. @module */
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { ioFailure } from "@b2frame/core/backend";
import { isUrl, type RemoteInputOptions, withUrl } from "../remote/remote-inputs.js";
import { withTemporary } from "./output-place.js";
import { relabelling } from "./relabel-error.js";
import { isStream, labelOf, readPieces } from "./stream-paths.js";

/**
 * Gives `use` a path at which the bytes of `path` can be read at any position: itself, or, for a stream, a copy that is removed
 * afterwards. A URL is opened as if it were a path, where that is allowed for.
 */
export async function withSeekable<T>(
  path: string,
  use: (seekable: string) => Promise<T>,
  remote?: RemoteInputOptions,
): Promise<T> {
  if (remote !== undefined && isUrl(path)) return await withUrl(path, remote, () => use(path));
  if (!isStream(path)) return await use(path);
  return await withTemporary("input", async (copy) => {
    await spool(readPieces(path), copy);
    return relabelling(copy, labelOf(path, "input"), () => use(copy));
  });
}

/** Writes pieces to a new file. @throws IoError */
export async function spool(pieces: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  try {
    await pipeline(pieces, createWriteStream(path, { flags: "wx" }));
  } catch (error) {
    throw ioFailure(error, { operation: "write", path });
  }
}
