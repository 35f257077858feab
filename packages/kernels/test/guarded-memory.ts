/** Memory for kernel calls in which every byte outside the buffers is watched. @module */
import { expect } from "vitest";
import { type Kernels, loadKernels } from "../src/index.js";

const GUARD = 64;
const ROOM = 4 * 1024 * 1024;

/** Hands out buffers with guard bytes around them. */
export class GuardedMemory {
  readonly kernels: Kernels = loadKernels();
  readonly #base: number;
  #used = 0;
  readonly #writable: [number, number][] = [];
  #before: Uint8Array = new Uint8Array(0);

  constructor() {
    this.kernels.arena.reserve(0, ROOM);
    this.#base = this.kernels.arena.staging;
  }

  /** Forgets all buffers. */
  reset(): void {
    this.#used = 0;
    this.#writable.length = 0;
  }

  /** A read-only buffer with the given content. */
  input(content: Uint8Array): number {
    const at = this.#place(content.length);
    this.kernels.bytes.set(content, at);
    return at;
  }

  /** A buffer that the call may write. */
  output(byteLength: number): number {
    const at = this.#place(byteLength);
    this.#writable.push([at, at + byteLength]);
    return at;
  }

  bytes(at: number, byteLength: number): Uint8Array {
    return this.kernels.bytes.slice(at, at + byteLength);
  }

  /** Runs a call and checks that nothing outside the output buffers changed. */
  run(call: () => unknown): number {
    const { bytes } = this.kernels;
    const end = this.#base + this.#used + GUARD;
    bytes.fill(0xa5, this.#base + this.#used, end);
    this.#before = bytes.slice(this.#base, end);
    const result = call();
    const after = this.kernels.bytes.slice(this.#base, end);
    for (const [from, to] of this.#writable)
      this.#before.set(after.subarray(from - this.#base, to - this.#base), from - this.#base);
    expect(Buffer.compare(after, this.#before)).toBe(0);
    return typeof result === "number" ? result : 0;
  }

  #place(byteLength: number): number {
    const at = this.#base + this.#used + GUARD;
    if (this.#used + byteLength + 2 * GUARD > ROOM) throw new Error("the test needs more memory");
    this.kernels.bytes.fill(0xa5, at - GUARD, at + byteLength);
    this.#used += GUARD + byteLength;
    return at;
  }
}
