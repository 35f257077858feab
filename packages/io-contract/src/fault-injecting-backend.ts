/** A backend whose operations fail when a test says so. @module */
import { type IoBackend, IoError } from "@b2frame/core";
import { type IoOperation, type IoOperationKind, ObservedBackend } from "./observe-backend.js";
import { type LoggedOperation, OperationLog } from "./operation-log.js";

/** One failure. */
export interface Fault {
  /** Which kind of operation fails; `"any"`: whatever comes, `size` and `exists` included. */
  readonly kind: IoOperationKind | "any";
  /** The how manyeth of that kind, from 1. */
  readonly at: number;
  /** The operating system's name for the error: `"EIO"`, `"ENOSPC"`, `"EMFILE"`, ... */
  readonly errno: string;
  /** Of a write: so many bytes reach the file before it fails. Default 0. */
  readonly writtenBytes?: number;
  /** Whether all later operations of that kind fail as well, as on a disk that stays full. Default false. */
  readonly lasting?: boolean;
}

/** What {@link faultInjecting} does. */
export interface FaultPlan {
  readonly faults?: readonly Fault[];
  /** Whether to keep the log of changes. Default false: it holds a copy of every byte written. */
  readonly record?: boolean;
  /**
   * After so many changes (opens in mode `w+`, writes, truncations, flushes, renames, removals, directory changes) nothing
   * reaches the files any more, as if the process had been killed: changes fail with `EIO`.
   */
  readonly freezeAfter?: number;
  /** Of the first change that no longer gets through, if it is a write: so many bytes still do. Default 0. */
  readonly freezeWrittenBytes?: number;
}

/** A backend that fails on demand; see {@link faultInjecting}. */
export interface FaultInjectingBackend extends IoBackend {
  /** Operations asked for so far, by kind; a run without faults tells how many places there are to fail at. */
  readonly counts: ReadonlyMap<IoOperationKind, number>;
  /** All operations asked for so far. */
  readonly total: number;
  /** Changes asked for so far, as `freezeAfter` counts them. */
  readonly changes: number;
  /** Handles opened and not closed. */
  readonly openHandles: number;
  /** Changes carried out, if the plan records them. */
  readonly log: readonly LoggedOperation[];
  /** From now on no change reaches the files. */
  freeze(): void;
}

const CHANGING_KINDS: ReadonlySet<IoOperationKind> = new Set([
  "write",
  "truncate",
  "flush",
  "rename",
  "remove",
  "make-directory",
  "remove-directory",
  "flush-directory",
]);

function isChange(operation: IoOperation): boolean {
  return CHANGING_KINDS.has(operation.kind) || (operation.kind === "open" && operation.mode === "w+");
}

function injectedError(operation: IoOperation, errno: string, why: string): IoError {
  const cause = Object.assign(new Error(`${errno}: injected, ${operation.kind} '${operation.path}'`), { code: errno });
  return new IoError(
    "BLOSC2_IO_FAILED",
    `${operation.path}: ${operation.kind} failed: ${errno} (${why})`,
    { operation: operation.kind, path: operation.path, position: operation.position, errno },
    cause,
  );
}

class FaultInjectingObservedBackend extends ObservedBackend implements FaultInjectingBackend {
  readonly counts: Map<IoOperationKind, number> = new Map<IoOperationKind, number>();
  readonly #plan: FaultPlan;
  readonly #backend: IoBackend;
  readonly #log: OperationLog | undefined;
  #total = 0;
  #changes = 0;
  #openHandles = 0;
  #frozen = false;

  constructor(backend: IoBackend, plan: FaultPlan) {
    super(backend, (operation, run) => this.#pass(operation, run), "fault-injecting");
    this.#backend = backend;
    this.#plan = { ...plan };
    this.#log = plan.record === true ? new OperationLog() : undefined;
  }

  get total(): number {
    return this.#total;
  }

  get changes(): number {
    return this.#changes;
  }

  get openHandles(): number {
    return this.#openHandles;
  }

  get log(): readonly LoggedOperation[] {
    return this.#log?.entries ?? [];
  }

  freeze(): void {
    this.#frozen = true;
  }

  #pass<T>(operation: IoOperation, run: (byteLength?: number) => T): T {
    const { kind } = operation;
    this.#total++;
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    if (isChange(operation)) this.#requireThawed(operation, run);
    const fault = this.#plan.faults?.find((each) => {
      const index = each.kind === "any" ? this.#total : each.kind === kind ? count : 0;
      return each.lasting === true ? index >= each.at : index === each.at;
    });
    if (kind === "close") return this.#close(operation, run, fault);
    if (fault !== undefined) {
      this.#cutShort(operation, run, fault.writtenBytes ?? 0);
      throw injectedError(operation, fault.errno, `injected at ${kind} ${count}`);
    }
    if (kind === "open") this.#log?.beforeOpen(operation, this.#backend);
    const result = run();
    if (kind === "open") this.#openHandles++;
    this.#log?.add(operation);
    return result;
  }

  /** Closing always releases the file, whatever it reports. */
  #close<T>(operation: IoOperation, run: () => T, fault: Fault | undefined): T {
    this.#openHandles--;
    const result = run();
    if (fault !== undefined) throw injectedError(operation, fault.errno, "injected");
    return result;
  }

  #requireThawed<T>(operation: IoOperation, run: (byteLength?: number) => T): void {
    const { freezeAfter, freezeWrittenBytes = 0 } = this.#plan;
    this.#changes++;
    if (!this.#frozen && freezeAfter !== undefined && this.#changes > freezeAfter) {
      this.#frozen = true;
      this.#cutShort(operation, run, freezeWrittenBytes);
    }
    if (this.#frozen) throw injectedError(operation, "EIO", "the files are frozen");
  }

  #cutShort<T>(operation: IoOperation, run: (byteLength?: number) => T, writtenBytes: number): void {
    if (operation.kind !== "write" || writtenBytes === 0) return;
    run(writtenBytes);
    this.#log?.add(operation, Math.min(writtenBytes, operation.byteLength ?? 0));
  }
}

/**
 * A backend that passes everything on to `backend`, but fails where the plan says so, and can keep a log of every change for
 * {@link materialise}. To see that software survives any failure, run it once without faults, then once for each operation
 * that it made.
 *
 * Where every change must reach the files at once (freezing, recording), put it around a backend that holds nothing back:
 * `memory()`, or `stdio({ writeBufferSize: 0 })`.
 *
 * @example
 * ```ts
 * const dry = faultInjecting(memory(), {});
 * work(dry);
 * for (let at = 1; at <= (dry.counts.get("write") ?? 0); at++) {
 *   const files = memory();
 *   expect(() => work(faultInjecting(files, { faults: [{ kind: "write", at, errno: "ENOSPC" }] }))).toThrow();
 *   check(files);
 * }
 * ```
 */
export function faultInjecting(backend: IoBackend, plan: FaultPlan): FaultInjectingBackend {
  return new FaultInjectingObservedBackend(backend, plan);
}
