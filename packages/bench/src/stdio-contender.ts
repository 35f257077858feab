/** Contenders that differ in how b2frame's stdio backend is set up. @module */
import type { IoBackend } from "@b2frame/core";
import { type StdioOptions, stdio } from "@b2frame/io-stdio";
import { CallCounter } from "./call-counter.js";
import { timed } from "./clock.js";
import type { Contender, ContenderName } from "./trial.js";

/** What such a contender does. */
export interface StdioWork {
  readonly name: ContenderName;
  /** What one sample gets done. */
  readonly amount: number;
  readonly options: StdioOptions;
  /** Untimed, before each sample. */
  prepare?(): void;
  /** Gives the last output, or a number that stands for it. */
  work(backend: IoBackend): Uint8Array | number;
}

/** Its samples run on Node's own calls; they are counted in a run apart, so that counting costs no time. */
export function stdioContender({ name, amount, options, prepare, work }: StdioWork): Contender {
  const backend = stdio(options);
  return {
    name,
    backend: "stdio",
    workers: 0,
    amount,
    warmUp: true,
    ...(prepare === undefined ? {} : { prepare }),
    sample: () => timed(() => work(backend)),
    countCalls: () => {
      const counter = new CallCounter();
      work(stdio({ ...options, fs: counter.fs }));
      return counter.counts();
    },
  };
}
