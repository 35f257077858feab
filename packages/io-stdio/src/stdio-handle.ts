/** An open file on positioned reads and writes. @module */
import type { Blosc2Error, IoHandle } from "@b2frame/core";
import { shortRead } from "@b2frame/core/backend";
import {
  type DroppedFile,
  type FileSystemCalls,
  forgetHandle,
  giveBuffer,
  identityText,
  readFully,
  staleFile,
  statusOf,
  takeBuffer,
  WriteBuffer,
  watchHandle,
  writeFully,
} from "@b2frame/io-files";
import { Descriptor, type FilePlace } from "./descriptor.js";
import type { HandleBudget } from "./handle-budget.js";
import { ReadBuffer } from "./read-buffer.js";
import { joinFile, leaveFile, type SharedFile } from "./shared-file.js";

/** What all handles of one backend have in common. */
export interface StdioSettings {
  readonly calls: FileSystemCalls;
  readonly budget: HandleBudget;
  readonly readBufferSize: number;
  readonly writeBufferSize: number;
}

/** What is to be done for a handle that is gone. */
function dropped(path: string, file: SharedFile, descriptor: Descriptor): DroppedFile {
  return {
    path,
    close: () => {
      leaveFile(file);
      descriptor.close();
    },
  };
}

/** The bare handle; {@link CheckedHandle} around it checks arguments and state. */
export class StdioHandle implements IoHandle {
  readonly #calls: FileSystemCalls;
  readonly #descriptor: Descriptor;
  readonly #file: SharedFile;
  readonly #readBuffer: ReadBuffer;
  readonly #writeBuffer: WriteBuffer;
  /** Reused by every `read` that is too large for the buffer. */
  #scratch: Uint8Array = new Uint8Array(0);
  /** The largest size that the file is known to have had, for telling a cut file from a short one. */
  #knownSize: number;
  /** Whether this handle may have made the file, so that its name must be made durable too. */
  #unsyncedName: boolean;

  constructor(settings: StdioSettings, place: FilePlace) {
    const { path, mode } = place;
    this.#calls = settings.calls;
    this.#readBuffer = new ReadBuffer(settings.readBufferSize);
    const target = { path, write: (position: number, bytes: Uint8Array) => this.#writeNow(position, bytes) };
    this.#writeBuffer = new WriteBuffer(target, settings.writeBufferSize);
    this.#descriptor = new Descriptor(settings.calls, settings.budget, place);
    this.#file = joinFile(this.#descriptor.identity);
    this.#knownSize = this.#descriptor.initialSize;
    this.#unsyncedName = mode === "w+";
    if (mode === "w+") this.#file.changes++;
    watchHandle(this, dropped(path, this.#file, this.#descriptor));
  }

  /** Asks the system each time, and forgets what was read ahead: another process may have written. */
  size(): number {
    this.#readBuffer.clear();
    return Math.max(this.#fileSize(), this.#writeBuffer.end);
  }

  read(position: number, length: number): Uint8Array {
    if (this.#readBuffer.serves(length)) return this.#readThroughBuffer(position, length);
    if (this.#scratch.byteLength < length) this.#growScratch(position, length);
    const target = this.#scratch.subarray(0, length);
    this.#readExactly(position, target);
    return target;
  }

  readInto(position: number, target: Uint8Array): void {
    if (this.#readBuffer.serves(target.byteLength)) {
      target.set(this.#readThroughBuffer(position, target.byteLength));
    } else {
      this.#readExactly(position, target);
    }
  }

  write(position: number, bytes: Uint8Array): void {
    this.#writeBuffer.write(position, bytes);
  }

  truncate(size: number): void {
    this.#writeBuffer.drain();
    const fd = this.#descriptor.acquire("truncate");
    try {
      this.#calls.ftruncateSync(fd, size);
    } finally {
      this.#file.changes++;
      this.#descriptor.release(fd);
    }
    this.#knownSize = size;
  }

  flush(): void {
    this.#writeBuffer.drain();
    const fd = this.#descriptor.acquire("flush");
    try {
      this.#calls.fdatasyncSync(fd);
    } finally {
      this.#descriptor.release(fd);
    }
    if (this.#unsyncedName) {
      this.#descriptor.syncParent();
      this.#unsyncedName = false;
    }
  }

  drain(): void {
    this.#writeBuffer.drain();
  }

  prepareFlush(): void {
    this.#writeBuffer.drain();
    this.#descriptor.syncInBackground();
  }

  identify(): string {
    return identityText(this.#descriptor.identity);
  }

  close(): void {
    forgetHandle(this);
    try {
      this.#writeBuffer.close();
    } finally {
      leaveFile(this.#file);
      giveBuffer(this.#scratch);
      this.#scratch = new Uint8Array(0);
      this.#readBuffer.free();
      this.#descriptor.close();
    }
  }

  #fileSize(): number {
    const fd = this.#descriptor.acquire("size");
    try {
      const { size } = statusOf(this.#calls, fd);
      this.#knownSize = Math.max(this.#knownSize, size);
      return size;
    } finally {
      this.#descriptor.release(fd);
    }
  }

  #readThroughBuffer(position: number, length: number): Uint8Array {
    const buffer = this.#readBuffer;
    this.#writeBuffer.drainBefore(position + length);
    const there = buffer.find(position, length, this.#file.changes);
    if (there !== undefined) return there;
    const room = buffer.room(position, length, this.#knownSize);
    const got = this.#readUpTo(position, room, length);
    buffer.filled(got, this.#file.changes);
    if (got < length) throw this.#cutOrShort(position, length, got);
    return room.subarray(0, length);
  }

  #readExactly(position: number, target: Uint8Array): void {
    const length = target.byteLength;
    this.#writeBuffer.drainBefore(position + length);
    // A header that was read before has mostly brought the front of what follows it along.
    const front = this.#readBuffer.findFront(position, length, this.#file.changes);
    const there = front?.byteLength ?? 0;
    if (front !== undefined) target.set(front);
    if (there === length) return;
    const got = there + this.#readUpTo(position + there, target.subarray(there), length - there);
    if (got < length) throw this.#cutOrShort(position, length, got);
  }

  /** Reads into `target` what there is; `needed` bytes of it must not be missed for being still pending. */
  #readUpTo(position: number, target: Uint8Array, needed: number): number {
    const fd = this.#descriptor.acquire("read");
    try {
      const got = readFully(this.#calls, fd, position, target);
      if (got >= needed || this.#writeBuffer.isEmpty) return got;
      // The file ends before the pending bytes begin: the gap between reads as zeros once they are written.
      this.#writeBuffer.drain();
      return got + readFully(this.#calls, fd, position + got, target.subarray(got));
    } finally {
      this.#descriptor.release(fd);
    }
  }

  /** Never allocates for a length that the file does not have. */
  #growScratch(position: number, length: number): void {
    const size = Math.max(this.#fileSize(), this.#writeBuffer.end);
    if (position + length > size) throw this.#cutOrShort(position, length, Math.max(0, size - position));
    giveBuffer(this.#scratch);
    this.#scratch = takeBuffer(Math.max(length, Math.min(2 * length, size - position)));
  }

  #cutOrShort(position: number, length: number, got: number): Blosc2Error {
    const path = this.#descriptor.path;
    const known = this.#knownSize;
    const size = this.#fileSize();
    if (size < known && position + length <= known) {
      return staleFile("read", path, `the file was cut from ${known} to ${size} bytes while it was open`);
    }
    return shortRead({ operation: "read", path, position, length }, got);
  }

  #writeNow(position: number, bytes: Uint8Array): void {
    const fd = this.#descriptor.acquire("write");
    try {
      writeFully(this.#calls, fd, position, bytes);
    } finally {
      this.#file.changes++;
      this.#descriptor.release(fd);
    }
    this.#knownSize = Math.max(this.#knownSize, position + bytes.byteLength);
  }
}
