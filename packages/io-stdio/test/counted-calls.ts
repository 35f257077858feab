import * as fs from "node:fs";
import type { FileSystemCalls } from "../src/index.js";

/** Node's calls, each counted by name. `fail` may throw before a call is made. */
export function countedCalls(fail: (name: keyof FileSystemCalls, count: number) => void = () => {}): {
  calls: FileSystemCalls;
  counts: Partial<Record<keyof FileSystemCalls, number>>;
  reset(): void;
} {
  const counts: Partial<Record<keyof FileSystemCalls, number>> = {};
  const calls = new Proxy(fs as FileSystemCalls, {
    get(target, name: keyof FileSystemCalls) {
      const call = target[name] as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        const count = (counts[name] ?? 0) + 1;
        counts[name] = count;
        fail(name, count);
        return call(...args);
      };
    },
  });
  const reset = (): void => {
    for (const name of Object.keys(counts)) delete counts[name as keyof FileSystemCalls];
  };
  return { calls, counts, reset };
}

/** An error as the system gives it. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: simulated`), { code });
}
