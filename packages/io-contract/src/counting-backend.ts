/** Counting what the engine asks of a backend. @module */
import type { IoBackend } from "@b2frame/core";
import { type IoOperation, ObservedBackend } from "./observe-backend.js";

/** What was asked for, since the start or the last `reset`. */
export interface IoCounts {
  opens: number;
  closes: number;
  /** `read` and `readInto` calls. */
  reads: number;
  bytesRead: number;
  writes: number;
  bytesWritten: number;
  truncates: number;
  flushes: number;
  sizes: number;
  renames: number;
  removes: number;
}

/** A span of a file that was read. */
export interface ReadSpan {
  readonly path: string;
  readonly position: number;
  readonly byteLength: number;
}

/** A backend that counts; see {@link counting}. */
export interface CountingBackend extends IoBackend {
  readonly counts: Readonly<IoCounts>;
  /** Each read, in order. */
  readonly spans: readonly ReadSpan[];
  /** Sets all counts to 0 and forgets the spans. */
  reset(): void;
}

const NO_COUNTS: Readonly<IoCounts> = {
  opens: 0,
  closes: 0,
  reads: 0,
  bytesRead: 0,
  writes: 0,
  bytesWritten: 0,
  truncates: 0,
  flushes: 0,
  sizes: 0,
  renames: 0,
  removes: 0,
};

const COUNT_OF_KIND: Readonly<Partial<Record<IoOperation["kind"], keyof IoCounts>>> = {
  open: "opens",
  close: "closes",
  read: "reads",
  write: "writes",
  truncate: "truncates",
  flush: "flushes",
  size: "sizes",
  rename: "renames",
  remove: "removes",
};

class CountingObservedBackend extends ObservedBackend implements CountingBackend {
  readonly counts: IoCounts = { ...NO_COUNTS };
  readonly spans: ReadSpan[] = [];

  constructor(inner: IoBackend) {
    super(
      inner,
      (operation, run) => {
        this.#count(operation);
        return run();
      },
      "counting",
    );
  }

  reset(): void {
    Object.assign(this.counts, NO_COUNTS);
    this.spans.length = 0;
  }

  #count(operation: IoOperation): void {
    const count = COUNT_OF_KIND[operation.kind];
    if (count === undefined) return;
    this.counts[count]++;
    const { path, position = 0, byteLength = 0 } = operation;
    if (operation.kind === "write") this.counts.bytesWritten += byteLength;
    if (operation.kind !== "read") return;
    this.counts.bytesRead += byteLength;
    this.spans.push({ path, position, byteLength });
  }
}

/**
 * A backend that passes everything on and counts it: how many bytes does a slice read, how often is a file opened?
 *
 * @example
 * ```ts
 * const backend = counting(stdio());
 * using s = openUdio(path, backend);
 * backend.reset();
 * s.getSlice(10, 20);
 * expect(backend.counts.bytesRead).toBeLessThan(5000);
 * ```
 */
export function counting(backend: IoBackend): CountingBackend {
  return new CountingObservedBackend(backend);
}
