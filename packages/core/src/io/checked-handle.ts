/**
 * Argument and state checks, once for all backends: what a caller may not do is refused here, so a backend holds only
 * the real work.
 *
 * @module
 */
import { ArgumentError, type Blosc2Error, IoError, UnsupportedError } from "../errors.js";
import type { IoBackend, IoHandle, MappedPart, OpenMode } from "./backend.js";
import { ioFailure, shortRead } from "./io-failure.js";

/** What a checked handle knows about the handle inside. */
export interface CheckedHandleFacts {
  /** For messages. */
  readonly path: string;
  readonly mode: OpenMode;
}

const OPEN_MODES: readonly string[] = ["r", "r+", "w+", "c"] satisfies readonly OpenMode[];
/** What `mapInto` works in: a page of WebAssembly, which no system's pages exceed. */
const MAPPED_PAGE = 65_536;
const EMPTY: Uint8Array = new Uint8Array(0);

function invalidArgument(parameter: string, expected: string, found: unknown): ArgumentError {
  const shown = typeof found === "string" ? JSON.stringify(found) : String(found);
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${parameter}: expected ${expected}, found ${shown}`, {
    parameter,
    expected,
    found: shown,
  });
}

function requireCount(parameter: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0)
    throw invalidArgument(parameter, "an integer from 0 to 2^53 - 1", value);
}

function requireBytes(parameter: string, value: Uint8Array): void {
  if (!(value instanceof Uint8Array)) throw invalidArgument(parameter, "a Uint8Array", typeof value);
}

function requireMultiple(parameter: string, value: number): void {
  if (value % MAPPED_PAGE !== 0) throw invalidArgument(parameter, `a multiple of ${MAPPED_PAGE}`, value);
}

/** Whether what a read met is the failure of a write that had been put off until then. */
function isLostWrite(error: Blosc2Error): boolean {
  const operation = error.details.operation;
  return operation === "write" || operation === "truncate" || operation === "flush";
}

/**
 * An `IoHandle` that checks its arguments and its state and leaves the rest to the handle inside.
 *
 * - Positions and sizes are integers from 0 to 2^53 - 1; a read or write of length 0 succeeds and touches nothing.
 * - Mode `r`: `write` and `truncate` throw `BLOSC2_IO_READ_ONLY`. Modes `r` and `c`: `flush` has nothing to do.
 * - After `close()` everything but `close()` throws `BLOSC2_IO_CLOSED`.
 * - A `write`, `truncate` or `flush` that fails leaves the handle failed: every later one throws `BLOSC2_IO_HANDLE_FAILED`
 *   with the first failure as cause, and so does `close()`, once, after releasing the file. Reads go on working.
 * - Foreign errors become `IoError`s with path, operation, position and length.
 */
export class CheckedHandle implements IoHandle {
  readonly path: string;
  readonly mode: OpenMode;
  readonly mapInto?: (position: number, target: Uint8Array) => MappedPart | undefined;
  readonly mappableSize?: () => number;
  readonly #inner: IoHandle;
  #closed = false;
  #failure: Blosc2Error | undefined;

  constructor(inner: IoHandle, facts: CheckedHandleFacts) {
    this.#inner = inner;
    this.path = facts.path;
    this.mode = facts.mode;
    if (inner.mapInto !== undefined) this.mapInto = (position, target) => this.#mapInto(position, target);
    if (inner.mappableSize !== undefined) this.mappableSize = () => this.#mappableSize();
  }

  /** Whether `close()` was called. */
  get closed(): boolean {
    return this.#closed;
  }

  size(): number {
    this.#requireOpen("size");
    try {
      return this.#inner.size();
    } catch (error) {
      throw ioFailure(error, { operation: "size", path: this.path });
    }
  }

  read(position: number, length: number): Uint8Array {
    this.#requireOpen("read");
    requireCount("position", position);
    requireCount("length", length);
    requireCount("position + length", position + length);
    if (length === 0) return EMPTY;
    let bytes: Uint8Array;
    try {
      bytes = this.#inner.read(position, length);
    } catch (error) {
      throw this.#readFailure(error, position, length);
    }
    if (bytes.byteLength !== length) {
      throw shortRead({ operation: "read", path: this.path, position, length }, bytes.byteLength);
    }
    return bytes;
  }

  readInto(position: number, target: Uint8Array): void {
    this.#requireOpen("read");
    requireCount("position", position);
    requireBytes("target", target);
    requireCount("position + length", position + target.byteLength);
    if (target.byteLength === 0) return;
    try {
      this.#inner.readInto(position, target);
    } catch (error) {
      throw this.#readFailure(error, position, target.byteLength);
    }
  }

  write(position: number, bytes: Uint8Array): void {
    this.#requireWritable("write");
    requireCount("position", position);
    requireBytes("bytes", bytes);
    requireCount("position + length", position + bytes.byteLength);
    if (bytes.byteLength === 0) return;
    try {
      this.#inner.write(position, bytes);
    } catch (error) {
      throw this.#fail(error, "write", position, bytes.byteLength);
    }
  }

  truncate(size: number): void {
    this.#requireWritable("truncate");
    requireCount("size", size);
    try {
      this.#inner.truncate(size);
    } catch (error) {
      throw this.#fail(error, "truncate", undefined, size);
    }
  }

  flush(): void {
    this.#writeBack("flush");
  }

  drain(): void {
    this.#writeBack("drain");
  }

  prepareFlush(): void {
    this.#requireWritable("prepare flush");
    try {
      this.#inner.prepareFlush?.();
    } catch (error) {
      throw this.#fail(error, "prepare flush");
    }
  }

  identify(): string | undefined {
    this.#requireOpen("identify");
    try {
      return this.#inner.identify?.();
    } catch (error) {
      throw ioFailure(error, { operation: "identify", path: this.path });
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    try {
      this.#inner.close();
    } catch (error) {
      if (this.#failure === undefined) throw ioFailure(error, { operation: "close", path: this.path });
    }
    this.#requireSound("close");
  }

  #mapInto(position: number, target: Uint8Array): MappedPart | undefined {
    this.#requireOpen("read");
    requireCount("position", position);
    requireBytes("target", target);
    requireMultiple("position", position);
    requireMultiple("target.byteOffset", target.byteOffset);
    requireMultiple("target.byteLength", target.byteLength);
    try {
      return this.#inner.mapInto?.(position, target);
    } catch (error) {
      throw this.#readFailure(error, position, target.byteLength);
    }
  }

  #mappableSize(): number {
    this.#requireOpen("size");
    try {
      return this.#inner.mappableSize?.() ?? 0;
    } catch (error) {
      throw this.#readFailure(error);
    }
  }

  /** In modes `r` and `c` there is nothing to bring to the file. */
  #writeBack(operation: "flush" | "drain"): void {
    this.#requireOpen(operation);
    if (this.mode === "r" || this.mode === "c") return;
    this.#requireSound(operation);
    try {
      this.#inner[operation]?.();
    } catch (error) {
      throw this.#fail(error, operation);
    }
  }

  #requireOpen(operation: string): void {
    if (this.#closed) {
      throw new IoError("BLOSC2_IO_CLOSED", `${this.path}: ${operation}: the handle has been closed`, {
        operation,
        path: this.path,
      });
    }
  }

  #requireSound(operation: string): void {
    if (this.#failure !== undefined) {
      throw new IoError(
        "BLOSC2_IO_HANDLE_FAILED",
        `${this.path}: ${operation}: an earlier operation on this handle failed: ${this.#failure.message}`,
        { operation, path: this.path, errno: this.#failure.details.errno },
        this.#failure,
      );
    }
  }

  #requireWritable(operation: string): void {
    this.#requireOpen(operation);
    if (this.mode === "r") {
      throw new IoError("BLOSC2_IO_READ_ONLY", `${this.path}: ${operation}: the handle was opened for reading only`, {
        operation,
        path: this.path,
        mode: this.mode,
      });
    }
    this.#requireSound(operation);
  }

  #fail(error: unknown, operation: string, position?: number, length?: number): Blosc2Error {
    this.#failure = ioFailure(error, { operation, path: this.path, position, length });
    return this.#failure;
  }

  #readFailure(error: unknown, position?: number, length?: number): Blosc2Error {
    const failure = ioFailure(error, { operation: "read", path: this.path, position, length });
    if (isLostWrite(failure)) this.#failure ??= failure;
    return failure;
  }
}

/** Wraps a handle in a {@link CheckedHandle}; one that is checked already comes back as it is. */
export function checkHandle(handle: IoHandle, facts: CheckedHandleFacts): CheckedHandle {
  return handle instanceof CheckedHandle ? handle : new CheckedHandle(handle, facts);
}

/**
 * Throws unless `path` can be a path and `mode` is a mode that the backend has.
 *
 * @throws ArgumentError, or UnsupportedError `BLOSC2_UNSUPPORTED_BACKEND`.
 */
export function requireOpenable(backend: Pick<IoBackend, "name" | "capabilities">, path: string, mode: OpenMode): void {
  if (typeof path !== "string" || path === "" || path.includes("\0")) {
    throw invalidArgument("path", "a non-empty string without NUL characters", path);
  }
  if (!OPEN_MODES.includes(mode)) throw invalidArgument("mode", OPEN_MODES.join(", "), mode);
  const { write, copyOnWrite } = backend.capabilities;
  const there = mode === "r" || (mode === "c" ? copyOnWrite : write);
  if (!there) {
    throw new UnsupportedError(
      "BLOSC2_UNSUPPORTED_BACKEND",
      `${path}: the ${backend.name} backend has no mode "${mode}"`,
      { feature: `mode ${mode}`, backend: backend.name, path },
    );
  }
}

/**
 * Opens a file through a backend with every check in place. The engine opens files only this way.
 *
 * @throws ArgumentError for a path or mode that can't be; UnsupportedError `BLOSC2_UNSUPPORTED_BACKEND` for a mode that the
 * backend lacks; IoError `BLOSC2_IO_NOT_FOUND`, `BLOSC2_IO_FAILED`.
 */
export function openChecked(backend: IoBackend, path: string, mode: OpenMode): CheckedHandle {
  requireOpenable(backend, path, mode);
  let handle: IoHandle;
  try {
    handle = backend.open(path, mode);
  } catch (error) {
    throw ioFailure(error, { operation: "open", path });
  }
  return checkHandle(handle, { path, mode });
}
