/** Opening what parts are written from, whatever it is. @module */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { type CParams, NDArray } from "@b2frame/core";
import { FILE_HEAD_LENGTH, fileKindOf, ioFailure } from "@b2frame/core/backend";
import { stdio } from "@b2frame/io-stdio";
import { arraySource, isZarr, npySource, type PartSource, rawSource, schunkSource, zarrSource } from "@b2frame/parts";
import type { IoOptions } from "../command-line/common-options.js";
import { type KeyOption, openFrame } from "../command-line/open-input.js";

/** A source, and how it is cut up and compressed itself, if it is. */
export interface OpenedSource {
  readonly source: PartSource;
  readonly chunks?: readonly number[];
  readonly blocks?: readonly number[];
  readonly typesize?: number;
  readonly chunksize?: number;
  readonly cparams?: CParams;
}

function headOf(path: string): Uint8Array | undefined {
  try {
    if (statSync(path).isDirectory()) return undefined;
    const fd = openSync(path, "r");
    try {
      const head = new Uint8Array(FILE_HEAD_LENGTH);
      return head.subarray(0, readSync(fd, head));
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw ioFailure(error, { operation: "open", path });
  }
}

/** Opens a `.npy` file, a frame, a member of a store, a Zarr array, or a file of raw bytes. @throws IoError, FormatError, UnsupportedError */
export async function openSource(path: string, options: IoOptions & KeyOption): Promise<OpenedSource> {
  const head = headOf(path);
  if (head === undefined && isZarr(path)) return { source: await zarrSource(path) };
  const kind = head === undefined ? "frame" : fileKindOf(head);
  if (kind === "npy") return { source: npySource(path, stdio()) };
  if (kind !== "frame" && kind !== "zip") return { source: rawSource(path, stdio()) };
  const file = openFrame(path, options);
  if (!(file instanceof NDArray)) {
    const { typesize, chunksize, cparams } = file;
    return { source: schunkSource(file), typesize, chunksize, cparams };
  }
  const { chunks, blocks } = file;
  return { source: arraySource(file), chunks, blocks, cparams: file.schunk.cparams };
}
