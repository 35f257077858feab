/** Small writes on their way to the file, for backends' handles. @module */
import type { Blosc2Error } from "@b2frame/core";
import { ioFailure } from "@b2frame/core/backend";
import { giveBuffer, takeBuffer } from "./buffer-pool.js";

/** What a {@link WriteBuffer} writes to. */
export interface WriteBufferTarget {
  /** For messages. */
  readonly path: string;
  /** Writes all of `bytes` to the file; they are not kept. */
  write(position: number, bytes: Uint8Array): void;
}

/**
 * Collects writes that touch each other into one. Its memory comes with the first write. Its handle drains it before anything that
 * has to see or outlive them: a read of that part, a change of size, a flush, the end.
 */
export class WriteBuffer {
  readonly #target: WriteBufferTarget;
  readonly #capacity: number;
  #bytes: Uint8Array | undefined;
  #start = 0;
  #length = 0;
  /** Why pending bytes could not be written. They stay pending, so reads of that part go on failing. */
  #lost: Blosc2Error | undefined;

  /** @param capacity bytes to collect; writes as large go past the buffer. 0: all do. */
  constructor(target: WriteBufferTarget, capacity: number) {
    this.#target = target;
    this.#capacity = capacity;
  }

  /** Position after the last pending byte; 0 if nothing is pending. */
  get end(): number {
    return this.#length === 0 ? 0 : this.#start + this.#length;
  }

  /** Whether nothing is pending. */
  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** Writes, sooner or later. @throws IoError, also for what was pending before */
  write(position: number, bytes: Uint8Array): void {
    if (this.#take(position, bytes)) return;
    this.drain();
    if (!this.#take(position, bytes)) this.#target.write(position, bytes);
  }

  /** Takes a write over, or answers false: what is pending must be drained first, or the write is as large as the buffer. */
  #take(position: number, bytes: Uint8Array): boolean {
    const length = bytes.byteLength;
    if (length >= this.#capacity) return false;
    if (this.#length === 0) this.#start = position;
    const offset = position - this.#start;
    if (offset < 0 || offset > this.#length || offset + length > this.#capacity) return false;
    this.#bytes ??= takeBuffer(this.#capacity);
    this.#bytes.set(bytes, offset);
    this.#length = Math.max(this.#length, offset + length);
    return true;
  }

  /** Writes what is pending. @throws IoError, again each time, as long as it could not be written */
  drain(): void {
    if (this.#bytes === undefined || this.#length === 0) return;
    if (this.#lost !== undefined) throw this.#lost;
    const pending = this.#bytes.subarray(0, this.#length);
    try {
      this.#target.write(this.#start, pending);
    } catch (error) {
      const facts = { operation: "write", path: this.#target.path, position: this.#start, length: this.#length };
      this.#lost = ioFailure(error, facts);
      throw this.#lost;
    }
    this.#length = 0;
  }

  /** Writes what is pending, if a read up to `end` could meet it. @throws IoError */
  drainBefore(end: number): void {
    if (this.#length > 0 && end > this.#start) this.drain();
  }

  /** Writes what is pending, unless that failed before, and lets the memory go in any case. @throws IoError */
  close(): void {
    try {
      if (this.#lost === undefined) this.drain();
    } finally {
      this.#length = 0;
      giveBuffer(this.#bytes);
      this.#bytes = undefined;
    }
  }
}
