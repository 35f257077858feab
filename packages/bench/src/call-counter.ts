/** Counting of the system calls that b2frame's stdio backend makes. @module */
import * as fs from "node:fs";
import type { FileSystemCalls } from "@b2frame/io-stdio";

/** How many calls of each kind: `open`, `read`, `write`, `close` and so on. */
export type CallCounts = Readonly<Record<string, number>>;

/** Hands calls on to Node, each of which makes one system call, and counts them. */
export class CallCounter {
  readonly #counts = new Map<string, number>();
  /** For `stdio({ fs })`. */
  readonly fs: FileSystemCalls = new Proxy(fs as FileSystemCalls, {
    get: (target, name: keyof FileSystemCalls) => {
      const call = target[name] as (...args: unknown[]) => unknown;
      const kind = name.replace(/Sync$/, "");
      return (...args: unknown[]) => {
        this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
        return call(...args);
      };
    },
  });

  /** The calls so far. */
  counts(): CallCounts {
    return Object.fromEntries(this.#counts);
  }
}

/** All calls, of whatever kind. */
export function sumOfCalls(counts: CallCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
