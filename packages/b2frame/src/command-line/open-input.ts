/** Opening what a command is given: a frame, a store, or a member of a store. @module */
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { ArgumentError, ioFailure, NDArray, SChunk } from "@b2frame/core";
import type { Store } from "@b2frame/stores";
import type { Command } from "commander";
import { open } from "../open.js";
import { openStore } from "../stores.js";
import { type IoOptions, type LockOption, lockingOf } from "./common-options.js";

/** The option of {@link addKeyOption}. */
export interface KeyOption {
  readonly key?: string;
}

/** Lets the command take a member of a store. */
export function addKeyOption(command: Command): Command {
  return command.option("--key <key>", "if it is a store (.b2z, .b2d, .b2e): the member of this key");
}

/** The file by which a directory is known as a store. */
const EMBED_NAME = "embed.b2e";
/** The metalayer by which a frame is known as one. */
const EMBED_METALAYER = "b2embed";
/** The first bytes of a ZIP file. */
const ZIP_MAGIC = "PK";

function beginsAsZip(path: string): boolean {
  const head = Buffer.alloc(ZIP_MAGIC.length);
  const descriptor = openSync(path, "r");
  try {
    return (
      readSync(descriptor, head, 0, head.byteLength, 0) === head.byteLength && head.toString("latin1") === ZIP_MAGIC
    );
  } finally {
    closeSync(descriptor);
  }
}

/** Whether a ZIP file or a directory with a store is there. */
function isStore(path: string): boolean {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return false;
    return stat.isDirectory() ? existsSync(join(path, EMBED_NAME)) : beginsAsZip(path);
  } catch (error) {
    throw ioFailure(error, { operation: "open", path });
  }
}

/** How a file is opened. */
export interface OpenInputOptions extends IoOptions, LockOption {
  /** Whether a frame's chunks are held against their checksums, where it keeps some. */
  readonly checkChecksums?: boolean;
}

/**
 * Opens what is there; a frame that is to be locked stays so until it is closed.
 *
 * @throws IoError, FormatError, UnsupportedError; ArgumentError for a store that is to be locked
 */
export function openAny(path: string, options: OpenInputOptions): NDArray | SChunk | Store {
  const { io, lock, checkChecksums } = options;
  if (isStore(path)) return openUnlockedStore(path, options);
  const file = open(path, { io, checksum: checkChecksums, locking: lockingOf(options) });
  if (!(file instanceof SChunk) || !file.meta.has(EMBED_METALAYER)) {
    if (lock !== undefined) file.lock("shared");
    return file;
  }
  file.close();
  return openUnlockedStore(path, options);
}

function openUnlockedStore(path: string, { io, lock }: IoOptions & LockOption): Store {
  if (lock === undefined) return openStore(path, { io });
  throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${path}: is a store; --lock is for frames`, {
    parameter: "lock",
    path,
  });
}

/**
 * Opens a frame, or a member of a store.
 *
 * @throws ArgumentError for a store without a key, and for a key that it does not have or without a store; else as {@link openAny}
 */
export function openFrame(path: string, options: OpenInputOptions & KeyOption): NDArray | SChunk {
  const { key } = options;
  const file = openAny(path, options);
  if (file instanceof NDArray || file instanceof SChunk) {
    if (key === undefined) return file;
    file.close();
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${path}: is no store, so it has no member "${key}"`, {
      parameter: "key",
      path,
    });
  }
  using store = file;
  if (key === undefined) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${path}: is a store; --key picks a member, and ls lists them`, {
      parameter: "key",
      path,
    });
  }
  return store.kind(key) === "array" ? store.openArray(key) : store.openSChunk(key);
}
