/** The stdio backend. @module */
import { ArgumentError, type IoBackend, type OpenMode } from "@b2frame/core";
import {
  type CheckedHandle,
  checkHandle,
  checkOptionNames,
  type IoCapabilities,
  type IoDirectories,
  type IoLock,
  type IoLockOptions,
  ioFailure,
  type NameChange,
  type OptionNames,
  requireOpenable,
} from "@b2frame/core/backend";
import { FrameLock } from "@b2frame/file-lock";
import {
  type FileSystemCalls,
  fileExists,
  identityAt,
  NODE_FILE_SYSTEM,
  removeFile,
  renameFile,
  resolveLinks,
} from "@b2frame/io-files";
import { type FilePlace, newFiles } from "./descriptor.js";
import { budgetOn, shareHandleBudget } from "./handle-budget.js";
import { StdioDirectories } from "./stdio-directories.js";
import { StdioHandle, type StdioSettings } from "./stdio-handle.js";

/** Size of the read buffer and of the write buffer unless asked otherwise, in bytes. */
export const DEFAULT_BUFFER_SIZE: number = 32 * 1024;

/** The largest buffer that may be asked for, in bytes. */
export const MAX_BUFFER_SIZE: number = 2 ** 30;

/** Options of {@link stdio}. */
export interface StdioOptions {
  /** Bytes read ahead for each open file, 0 (none) to 2^30. Default 32 KiB. Reads as large go past the buffer. */
  readonly readBufferSize?: number;
  /** Bytes of small writes collected for each open file, 0 (none) to 2^30. Default 32 KiB. Writes as large go past the buffer. */
  readonly writeBufferSize?: number;
  /** Count of held files to use instead of the process's; see `createHandleBudget`. */
  readonly handleBudget?: SharedArrayBuffer;
  /** System calls to use instead of Node's, for tests and measurements. */
  readonly fs?: FileSystemCalls;
}

const STDIO_NAMES: OptionNames<StdioOptions> = {
  readBufferSize: true,
  writeBufferSize: true,
  handleBudget: true,
  fs: true,
};

function bufferSize(parameter: string, value: number | undefined): number {
  if (value === undefined) return DEFAULT_BUFFER_SIZE;
  if (!Number.isInteger(value) || value < 0 || value > MAX_BUFFER_SIZE) {
    const expected = `an integer from 0 to ${MAX_BUFFER_SIZE}`;
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${parameter}: expected ${expected}, found ${value}`, {
      parameter,
      expected,
      found: String(value),
    });
  }
  return value;
}

class StdioBackend implements IoBackend {
  readonly name: string = "stdio";
  readonly capabilities: IoCapabilities = { write: true, zeroCopy: false, copyOnWrite: false, sparseFrames: true };
  readonly directories: IoDirectories;
  readonly #settings: StdioSettings;
  readonly #calls: FileSystemCalls;

  constructor(settings: StdioSettings) {
    this.#settings = settings;
    this.#calls = settings.calls;
    this.directories = new StdioDirectories(settings.calls);
  }

  open(path: string, mode: OpenMode): CheckedHandle {
    requireOpenable(this, path, mode);
    return this.#opened({ path, mode });
  }

  openNew(path: string, like?: string): CheckedHandle {
    requireOpenable(this, path, "w+");
    return this.#opened({ path, mode: "w+", isNew: true, like });
  }

  resolveLinks(path: string): string {
    return resolveLinks(this.#calls, path);
  }

  identify(path: string): string | undefined {
    return identityAt(this.#calls, path);
  }

  exists(path: string): boolean {
    return fileExists(this.#calls, path);
  }

  remove(path: string): void {
    removeFile(this.#calls, path);
  }

  rename(from: string, to: string, change?: NameChange): void {
    renameFile(this.#calls, from, to, change);
    newFiles.renamed(from, to);
  }

  openLock(path: string, options: IoLockOptions): IoLock {
    return new FrameLock(path, options);
  }

  #opened(place: FilePlace): CheckedHandle {
    try {
      return checkHandle(new StdioHandle(this.#settings, place), place);
    } catch (error) {
      throw ioFailure(error, { operation: "open", path: place.path });
    }
  }
}

/**
 * A backend on the file system, with positioned reads and writes on held descriptors. Keeps contiguous and sparse frames.
 *
 * - Files stay open while their frame is, within a budget for the whole process (`B2FRAME_MAX_HELD_HANDLES`, else half the
 *   soft limit on open files). Past it a file is opened for each operation.
 * - Small reads are served from a read buffer, small writes are collected; files are the same whatever the sizes.
 * - A file that is cut, removed or replaced while it is open gives the old bytes or `BLOSC2_IO_STALE`, never a mix.
 *
 * @throws ArgumentError `BLOSC2_ARGUMENT_INVALID` for an option that can't be, or a value of `B2FRAME_MAX_HELD_HANDLES` that is
 * no count.
 *
 * @example
 * ```ts
 * using s = openUdio("t.b2frame", stdio({ readBufferSize: 128 * 1024 }));
 * ```
 */
export function stdio(options: StdioOptions = {}): IoBackend {
  checkOptionNames(STDIO_NAMES, options);
  return new StdioBackend({
    calls: options.fs ?? NODE_FILE_SYSTEM,
    budget: budgetOn(options.handleBudget ?? shareHandleBudget()),
    readBufferSize: bufferSize("readBufferSize", options.readBufferSize),
    writeBufferSize: bufferSize("writeBufferSize", options.writeBufferSize),
  });
}
