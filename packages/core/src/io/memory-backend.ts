/** Files in memory: the reference implementation of the I/O contract. @module */
import { checkOptionNames } from "../checks/option-names.js";
import { ArgumentError, IoError } from "../errors.js";
import type { IoBackend, IoCapabilities, IoHandle, IoLock, OpenMode } from "./backend.js";
import { type CheckedHandle, checkHandle, requireOpenable } from "./checked-handle.js";
import { shortRead } from "./io-failure.js";
import { MemoryLocks } from "./memory-lock.js";

/** Options of {@link memory}. */
export interface MemoryOptions {
  /** Largest size of one file in bytes, 0 to 2^53 - 1. Default 2^31 - 1. Past it a write throws `BLOSC2_LIMIT_EXCEEDED`. */
  readonly maxFileSize?: number;
}

/** 2^31 - 1: every runtime has buffers of this size. */
const DEFAULT_MAX_FILE_SIZE = 0x7fffffff;
const SMALLEST_STORAGE = 4096;

let filesMade = 0;

/** One file's bytes, shared by the handles that have it open. Bytes past `size` are zeros. */
class MemoryFile {
  /** Tells files apart whatever their names. */
  readonly identity: string = `memory:${filesMade++}`;
  buffer: Uint8Array;
  size: number;

  constructor(buffer: Uint8Array) {
    this.buffer = buffer;
    this.size = buffer.byteLength;
  }

  /** Makes room for `size` bytes, by doubling, so that appends cost O(1) each. */
  reserve(size: number, maxFileSize: number, facts: { operation: string; path: string }): void {
    if (size <= this.buffer.byteLength) return;
    const capacity = Math.min(maxFileSize, Math.max(size, 2 * this.buffer.byteLength, SMALLEST_STORAGE));
    let bigger: Uint8Array | undefined;
    let cause: unknown;
    if (size <= maxFileSize) {
      try {
        bigger = new Uint8Array(capacity);
      } catch (error) {
        cause = error;
      }
    }
    if (bigger === undefined) {
      throw new IoError(
        "BLOSC2_LIMIT_EXCEEDED",
        `${facts.path}: ${facts.operation}: a file in memory may have ${maxFileSize} bytes, ${size} are needed`,
        { ...facts, expected: maxFileSize, found: size },
        cause,
      );
    }
    bigger.set(this.buffer.subarray(0, this.size));
    this.buffer = bigger;
  }

  resize(size: number, maxFileSize: number, path: string): void {
    this.reserve(size, maxFileSize, { operation: "truncate", path });
    if (size < this.size) this.buffer.fill(0, size, this.size);
    this.size = size;
  }
}

class MemoryHandle implements IoHandle {
  #file: MemoryFile;
  /** That of the file that was opened, also when this handle has a copy of its own by now. */
  readonly #identity: string;
  readonly #path: string;
  readonly #maxFileSize: number;
  /** Mode `c`, or bytes of the caller's: the first change makes a copy of its own. */
  #borrowed: boolean;

  constructor(file: MemoryFile, path: string, maxFileSize: number, borrowed: boolean) {
    this.#file = file;
    this.#identity = file.identity;
    this.#path = path;
    this.#maxFileSize = maxFileSize;
    this.#borrowed = borrowed;
  }

  size(): number {
    return this.#file.size;
  }

  read(position: number, length: number): Uint8Array {
    const { buffer, size } = this.#file;
    if (position + length > size) {
      throw shortRead({ operation: "read", path: this.#path, position, length }, Math.max(0, size - position));
    }
    return buffer.subarray(position, position + length);
  }

  readInto(position: number, target: Uint8Array): void {
    target.set(this.read(position, target.byteLength));
  }

  write(position: number, bytes: Uint8Array): void {
    const file = this.#ownFile();
    const end = position + bytes.byteLength;
    file.reserve(end, this.#maxFileSize, { operation: "write", path: this.#path });
    file.buffer.set(bytes, position);
    file.size = Math.max(file.size, end);
  }

  truncate(size: number): void {
    this.#ownFile().resize(size, this.#maxFileSize, this.#path);
  }

  flush(): void {}

  identify(): string {
    return this.#identity;
  }

  close(): void {
    this.#file = new MemoryFile(new Uint8Array(0));
  }

  #ownFile(): MemoryFile {
    if (this.#borrowed) {
      const { buffer, size } = this.#file;
      this.#file = new MemoryFile(buffer.slice(0, size));
      this.#borrowed = false;
    }
    return this.#file;
  }
}

class MemoryBackend implements IoBackend {
  readonly name: string = "memory";
  readonly capabilities: IoCapabilities;
  readonly #files = new Map<string, MemoryFile>();
  readonly #locks = new MemoryLocks();
  readonly #maxFileSize: number;

  constructor(maxFileSize: number) {
    this.#maxFileSize = maxFileSize;
    this.capabilities = { write: true, zeroCopy: true, copyOnWrite: true, sparseFrames: false, maxFileSize };
  }

  open(path: string, mode: OpenMode): IoHandle {
    requireOpenable(this, path, mode);
    let file = this.#files.get(path);
    if (mode === "w+") {
      if (file === undefined) {
        file = new MemoryFile(new Uint8Array(0));
        this.#files.set(path, file);
      }
      file.resize(0, this.#maxFileSize, path);
    }
    if (file === undefined) throw this.#notFound("open", path);
    return checkHandle(new MemoryHandle(file, path, this.#maxFileSize, mode === "c"), { path, mode });
  }

  openNew(path: string): IoHandle {
    if (!this.#files.has(path)) return this.open(path, "w+");
    throw new IoError("BLOSC2_IO_EXISTS", `${path}: open: there is a file of this name in memory`, {
      operation: "open",
      path,
    });
  }

  identify(path: string): string | undefined {
    return this.#files.get(path)?.identity;
  }

  exists(path: string): boolean {
    return this.#files.has(path);
  }

  remove(path: string): void {
    if (!this.#files.delete(path)) throw this.#notFound("remove", path);
  }

  rename(from: string, to: string): void {
    const file = this.#files.get(from);
    if (file === undefined) throw this.#notFound("rename", from);
    if (from === to) return;
    this.#files.delete(from);
    this.#files.set(to, file);
  }

  openLock(path: string): IoLock {
    return this.#locks.open(path);
  }

  #notFound(operation: string, path: string): IoError {
    return new IoError("BLOSC2_IO_NOT_FOUND", `${path}: ${operation}: no file of this name in memory`, {
      operation,
      path,
    });
  }
}

/**
 * A backend that keeps its files in memory. Each call gives an empty one of its own; a file lives as long as its backend
 * or a handle on it. Files are contiguous, so `read` gives views without a copy.
 *
 * @throws ArgumentError `BLOSC2_ARGUMENT_INVALID` for a `maxFileSize` that can't be.
 *
 * @example
 * ```ts
 * const backend = memory();
 * using out = SChunk.create({ urlpath: "a.b2frame", backend });
 * ```
 */
export function memory(options: MemoryOptions = {}): IoBackend {
  checkOptionNames<MemoryOptions>({ maxFileSize: true }, options);
  const maxFileSize = options.maxFileSize ?? DEFAULT_MAX_FILE_SIZE;
  if (!Number.isSafeInteger(maxFileSize) || maxFileSize < 0) {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `maxFileSize: expected an integer from 0 to 2^53 - 1, found ${maxFileSize}`,
      { parameter: "maxFileSize", found: maxFileSize },
    );
  }
  return new MemoryBackend(maxFileSize);
}

/** Options of {@link memoryHandle}. */
export interface MemoryHandleOptions {
  /**
   * `"r"` (default): reading only. `"c"`: writable; the first change copies, so `bytes` never changes. `"r+"`: writes go into
   * `bytes` itself as long as the size fits it, and into a copy from the first write past its end on.
   */
  readonly mode?: "r" | "r+" | "c";
  /** For messages. Default `"memory"`. */
  readonly path?: string;
  /** As in {@link MemoryOptions}. */
  readonly maxFileSize?: number;
}

/**
 * A handle on bytes that the caller has, without copying them: a frame out of a network message or a database cell.
 *
 * @example
 * ```ts
 * using s = SChunk.openHandle(memoryHandle(cframe));
 * ```
 */
export function memoryHandle(bytes: Uint8Array, options: MemoryHandleOptions = {}): CheckedHandle {
  const { mode = "r", path = "memory", maxFileSize = DEFAULT_MAX_FILE_SIZE } = options;
  const inner = new MemoryHandle(new MemoryFile(bytes), path, Math.max(maxFileSize, bytes.byteLength), mode === "c");
  return checkHandle(inner, { path, mode });
}
