/** One open file that several frames read. @module */
import type { IoBackend, IoHandle } from "@b2frame/core";
import { type CheckedHandle, shortRead } from "@b2frame/core/backend";

/**
 * A file that stays open until everyone who reads it has closed. Reads are borrowed as those of any handle: valid until the
 * next call on the file, through whichever window.
 */
export class SharedFile {
  readonly handle: CheckedHandle;
  #users = 1;

  constructor(handle: CheckedHandle) {
    this.handle = handle;
  }

  /** A handle to read the file through, as if it ended at `end`. Closing it releases the file only when it is the last. */
  window(end: number): IoHandle {
    this.#users += 1;
    return new WindowHandle(this, end);
  }

  /** Releases it; the last user's call closes the file. */
  close(): void {
    this.#users -= 1;
    if (this.#users === 0) this.handle.close();
  }
}

/** Reads a shared file up to a position. The engine opens it with mode `"r"`, which refuses changes before they come here. */
class WindowHandle implements IoHandle {
  readonly #file: SharedFile;
  readonly #end: number;

  constructor(file: SharedFile, end: number) {
    this.#file = file;
    this.#end = end;
  }

  size(): number {
    return Math.min(this.#end, this.#file.handle.size());
  }

  read(position: number, length: number): Uint8Array {
    this.#requireInside(position, length);
    return this.#file.handle.read(position, length);
  }

  readInto(position: number, target: Uint8Array): void {
    this.#requireInside(position, target.byteLength);
    this.#file.handle.readInto(position, target);
  }

  write(position: number, bytes: Uint8Array): void {
    this.#file.handle.write(position, bytes);
  }

  truncate(size: number): void {
    this.#file.handle.truncate(size);
  }

  flush(): void {
    this.#file.handle.flush();
  }

  close(): void {
    this.#file.close();
  }

  #requireInside(position: number, length: number): void {
    if (position + length <= this.#end) return;
    const { path } = this.#file.handle;
    throw shortRead({ operation: "read", path, position, length }, Math.max(0, this.#end - position));
  }
}

/**
 * A backend that knows one file, which is open already: what is appended through it goes to that handle, and is neither
 * closed nor made durable frame by frame.
 */
export function appendingBackend(handle: CheckedHandle): IoBackend {
  const open: IoHandle = {
    size: () => handle.size(),
    read: (position, length) => handle.read(position, length),
    readInto: (position, target) => handle.readInto(position, target),
    write: (position, bytes) => handle.write(position, bytes),
    truncate: (size) => handle.truncate(size),
    flush: () => {},
    close: () => {},
  };
  const unused = (): never => {
    throw new Error("not used for appending");
  };
  return {
    name: "store",
    capabilities: { write: true, zeroCopy: false, copyOnWrite: false, sparseFrames: false },
    open: () => open,
    exists: () => true,
    remove: unused,
    rename: unused,
  };
}
