/** Opening what a command is given: a frame, a store, or a member of a store. @module */
import { ArgumentError, isBlosc2Error, NDArray, type RecipePolicy, SChunk } from "@b2frame/core";
import { Store } from "@b2frame/stores";
import type { Command } from "commander";
import { type OpenOptions, open } from "../open.js";
import { backendOf } from "../remote/remote-inputs.js";
import { arrayOfTensor } from "../tensor.js";
import { type IoOptions, type LockOption, lockingOf } from "./common-options.js";

/** The option of {@link addKeyOption}. */
export interface KeyOption {
  readonly key?: string;
}

/** Lets the command take a member of a store. */
export function addKeyOption(command: Command): Command {
  return command.option("--key <key>", "if it is a store (.b2z, .b2d, .b2e): the member of this key");
}

/** How a file is opened. */
export interface OpenInputOptions extends IoOptions, LockOption {
  /** `"describe"`: recipes of python-blosc2 open too, to be told about. */
  readonly recipes?: RecipePolicy;
}

/**
 * Opens what is there; a frame that is to be locked stays so until it is closed.
 *
 * @throws IoError, FormatError, UnsupportedError; ArgumentError for a store that is to be locked
 */
export function openAny(path: string, options: OpenInputOptions): NDArray | SChunk | Store {
  const { io, lock, recipes } = options;
  const file = openLocked(path, {
    io: backendOf(path) ?? io,
    locking: lockingOf(options),
    recipes,
  });
  if (lock !== undefined && !(file instanceof Store)) file.lock("shared");
  return file;
}

/** Opens it, and names the command's own option where there is nothing to lock. */
function openLocked(path: string, options: OpenOptions): ReturnType<typeof open> {
  try {
    return open(path, options);
  } catch (error) {
    if (!isBlosc2Error(error, "BLOSC2_ARGUMENT_INVALID") || error.details.parameter !== "locking") throw error;
    const message = `${path}: is a store; --lock is for frames`;
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter: "lock", path }, error);
  }
}

/** A tensor of python-blosc2 as the array that it is; any other super-chunk as it is. */
function asTensor(schunk: SChunk): NDArray | SChunk {
  const array = arrayOfTensor(schunk);
  if (array !== undefined) schunk.close();
  return array ?? schunk;
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
    if (key === undefined) return file instanceof NDArray ? file : asTensor(file);
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
