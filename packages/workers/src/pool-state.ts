/** What a pool keeps for the calls that use it. @module */
import { Blosc2Error, IoError } from "@b2frame/core";
import { allocate } from "@b2frame/core/codec";
import { allocateShared, sharingOf } from "@b2frame/core/threads";
import { shareHandleBudget } from "@b2frame/io-stdio";
import type { ModuleExport } from "./backend-spec.js";
import { InlineLane, type Lane } from "./lane.js";
import { PoolThread } from "./pool-thread.js";
import type { SharedArea } from "./shared-area.js";
import { SharedSlots } from "./shared-slots.js";
import { SpareBuffers } from "./spare-buffers.js";

/** Bytes of buffers that are kept for later work. */
const MAX_SPARE_BYTES = 64 * 1024 * 1024;
/** Bytes of address space for what goes between the threads; only what has been used takes memory. */
const SLOT_BYTES = 192 * 1024 * 1024;

/** Something goes another way than it should; the bytes are right all the same. */
export interface PoolDiagnostic {
  /** `"copied"`: there is no memory that the threads decompress into and compress from in place, so that they copy. */
  readonly kind: "copied";
  /** Why, for people. */
  readonly reason: string;
}

function plainShared(byteLength: number): Uint8Array {
  try {
    return new Uint8Array(new SharedArrayBuffer(byteLength));
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new Blosc2Error("BLOSC2_LIMIT_EXCEEDED", `no memory for ${byteLength} bytes`, { byteLength }, cause);
  }
}

/** The threads of a pool and its memory. */
export class PoolState {
  readonly workers: number;
  readonly diagnostics: PoolDiagnostic[] = [];
  /** Memory that tasks are done with. */
  readonly spare: SpareBuffers = new SpareBuffers(MAX_SPARE_BYTES);
  readonly #setup: { readonly module: string; readonly export: string } | undefined;
  readonly #threads: PoolThread[] = [];
  readonly #inline = new InlineLane();
  /** Memory that only this pool's threads work in: another's might have the same numbers at the same time. */
  readonly #own = new WeakSet<ArrayBufferLike>();
  #slots: SharedSlots | undefined;
  #closed = false;

  constructor(workers: number, setup: ModuleExport | undefined) {
    this.workers = workers;
    this.#setup = setup && { module: String(setup.module), export: setup.export };
  }

  /** Whether the threads run a module of the user's. */
  get hasSetup(): boolean {
    return this.#setup !== undefined;
  }

  /** Where tasks can run; threads that have failed are replaced. @throws IoError `BLOSC2_IO_CLOSED` */
  lanes(): readonly Lane[] {
    if (this.#closed) {
      throw new IoError("BLOSC2_IO_CLOSED", "the worker pool has been closed", { operation: "run in a worker thread" });
    }
    if (this.workers === 0) return [this.#inline];
    // Threads inherit the budget that exists when they start.
    shareHandleBudget();
    for (let i = 0; i < this.workers; i++) {
      if (this.#threads[i]?.dead !== false) this.#threads[i] = new PoolThread(i, { setup: this.#setup, thread: i + 1 });
    }
    return [...this.#threads];
  }

  /** Waits until all threads can work. @throws what the setup function throws */
  async ready(): Promise<void> {
    this.lanes();
    await Promise.all(this.#threads.map((thread) => thread.ready()));
  }

  /** See `WorkerPool.allocate`. */
  allocate(byteLength: number): Uint8Array {
    if (this.workers === 0) return allocate(byteLength);
    const allocation = allocateShared(byteLength, this.workers);
    if (allocation.bytes === undefined) {
      this.#report(allocation.reason);
      return plainShared(byteLength);
    }
    this.#own.add(allocation.bytes.buffer);
    return allocation.bytes;
  }

  /** What to tell this pool's threads of shared bytes. */
  areaOf(bytes: Uint8Array): SharedArea {
    return this.owns(bytes) ? (sharingOf(bytes) ?? bytes) : bytes;
  }

  /** Whether the pool's threads work in place in these bytes. */
  owns(bytes: Uint8Array): boolean {
    return this.#own.has(bytes.buffer);
  }

  /** What goes between the threads; kept for later calls. */
  get slots(): SharedSlots {
    this.#slots ??= new SharedSlots(this.allocate(SLOT_BYTES));
    return this.#slots;
  }

  #report(reason: string): void {
    if (!this.diagnostics.some((known) => known.reason === reason)) this.diagnostics.push({ kind: "copied", reason });
  }

  /** Ends the threads, after what they were given to do. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    this.spare.clear();
    this.#slots = undefined;
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }
}
