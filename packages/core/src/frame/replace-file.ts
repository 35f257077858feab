/** Replacing a file at once by a new one. @module */
import { isBlosc2Error } from "../errors.js";
import type { IoBackend } from "../io/backend.js";
import type { CheckedHandle } from "../io/checked-handle.js";
import { newFileName, openNewChecked } from "../io/new-file.js";
import { type Durability, nameChange, settleNames } from "./durability.js";

/** The directory part of a path; `"."` if it has none. */
export function parentDirectory(path: string): string {
  const slash = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return slash < 0 ? "." : slash === 0 ? path.slice(0, 1) : path.slice(0, slash);
}

/** Lets `use` work with a handle and closes it. What `use` throws is thrown, and not what closing then complains about. */
export function useAndClose(handle: CheckedHandle, use: (handle: CheckedHandle) => void): void {
  try {
    use(handle);
  } catch (error) {
    throw firstFailure(error, () => handle.close());
  }
  handle.close();
}

/**
 * What to throw for a failure after which something has to be cleaned up: the failure itself, whatever the cleaning up complains
 * about. Of one that only says that a handle had failed before, that first failure.
 *
 * @param cleanUps each runs, also if those before it throw.
 */
export function firstFailure(error: unknown, ...cleanUps: readonly (() => void)[]): unknown {
  for (const cleanUp of cleanUps) {
    try {
      cleanUp();
    } catch {
      // A failed handle reports at its close what `error` says already.
    }
  }
  let first = error;
  while (isBlosc2Error(first, "BLOSC2_IO_HANDLE_FAILED") && isBlosc2Error(first.cause)) first = first.cause;
  return first;
}

/** How {@link Replacement} goes about it. */
export interface ReplacementOptions {
  /** Of the new name. */
  readonly durability?: Durability | undefined;
  /** Whether what a link leads to is replaced, and not the link. Default true. */
  readonly followLinks?: boolean;
}

/** A new file beside the one whose place it is to take. */
export class Replacement {
  /** Open for reading and writing, and empty. It stays open when the file gets its place. */
  readonly handle: CheckedHandle;
  /** What is replaced: what the path leads to, where that is a link. */
  readonly target: string;
  readonly #backend: IoBackend;
  readonly #temporary: string;
  readonly #durability: Durability | undefined;
  #pending = true;

  /** Begins to replace what is at `path`, or to make it. @throws what the backend throws. */
  constructor(backend: IoBackend, path: string, options: ReplacementOptions = {}) {
    const { durability, followLinks = true } = options;
    this.#backend = backend;
    this.#durability = durability;
    this.target = (followLinks ? backend.resolveLinks?.(path) : undefined) ?? path;
    const folder = parentDirectory(this.target);
    this.#temporary = folder === "." ? newFileName() : `${folder.replace(/[/\\]$/, "")}/${newFileName()}`;
    this.handle = openNewChecked(backend, this.#temporary, this.target);
  }

  /** Gives the file its place, at once. It is as durable as was made of it. @throws what the backend throws */
  finish(): void {
    this.#backend.rename(this.#temporary, this.target, nameChange(this.#durability));
    this.#pending = false;
    settleNames(this.#backend.directories, parentDirectory(this.target), this.#durability);
  }

  /** Closes and removes the new file, unless it has got its place. */
  abandon(): void {
    if (!this.#pending) return;
    this.#pending = false;
    try {
      this.handle.close();
    } catch (error) {
      // What failed was reported when it did, and the file is not wanted.
      if (!isBlosc2Error(error, "BLOSC2_IO_HANDLE_FAILED")) throw error;
    } finally {
      if (this.#backend.exists(this.#temporary)) this.#backend.remove(this.#temporary);
    }
  }
}

/**
 * Writes a new file beside `path` and renames it to `path`: at any instant there is the old one or the new one, whole. The new one has
 * the old one's rights; a link stays one, and what it leads to is replaced. Other names of the old file (hard links) keep that one.
 *
 * @param durability of the new name.
 * @param fill writes the file and makes it as durable.
 * @throws what `fill` or the backend throws; the old file is untouched then, and the new one is removed.
 */
export function replaceFile(
  backend: IoBackend,
  path: string,
  durability: Durability | undefined,
  fill: (handle: CheckedHandle) => void,
): void {
  const replacement = new Replacement(backend, path, { durability });
  try {
    useAndClose(replacement.handle, fill);
    replacement.finish();
  } catch (error) {
    throw firstFailure(error, () => replacement.abandon());
  }
}
