/** Which code ran, by V8's block coverage: no instrumented build is needed. @module */
import { type Profiler, Session } from "node:inspector";

/** Code whose coverage counts: this workspace's packages, and the libraries that parse input. */
const COUNTED = /\/packages\/(?!fuzz\/)[^/]+\/dist\/|\/node_modules\/(?:@msgpack|fflate|lz4js)\//;

/** Coverage of the thread that makes it. */
export class BlockCoverage {
  readonly #session: Session = new Session();
  /** Per function, which of its characters have been covered so far. */
  readonly #seen = new Map<string, Uint8Array>();

  constructor() {
    this.#session.connect();
    this.#session.post("Profiler.enable");
    this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /** Characters of source text that have been covered. */
  get size(): number {
    let size = 0;
    for (const covered of this.#seen.values()) for (const flag of covered) size += flag;
    return size;
  }

  /**
   * Whether code ran since the last call that had not run before. With `keep` it counts as seen from now on.
   */
  sawNew(keep: boolean): boolean {
    let isNew = false;
    for (const { scriptId, url, functions } of this.#take()) {
      if (!COUNTED.test(url)) continue;
      for (const each of functions) {
        if (this.#addsTo(`${scriptId} ${each.ranges[0]?.startOffset}`, each.ranges, keep)) {
          isNew = true;
          if (!keep) return true;
        }
      }
    }
    return isNew;
  }

  close(): void {
    this.#session.disconnect();
  }

  #take(): Profiler.ScriptCoverage[] {
    let result: Profiler.ScriptCoverage[] = [];
    // In the thread's own session the answer comes before `post` returns.
    this.#session.post("Profiler.takePreciseCoverage", (error, answer) => {
      if (error !== null) throw error;
      result = answer.result;
    });
    return result;
  }

  /** Ranges are nested, outer ones first. */
  #addsTo(key: string, ranges: readonly Profiler.CoverageRange[], keep: boolean): boolean {
    const [whole] = ranges;
    if (whole === undefined || whole.count === 0) return false;
    const now = new Uint8Array(whole.endOffset - whole.startOffset);
    for (const { startOffset, endOffset, count } of ranges) {
      now.fill(count > 0 ? 1 : 0, startOffset - whole.startOffset, endOffset - whole.startOffset);
    }
    const seen = this.#seen.get(key);
    if (seen === undefined) {
      if (keep) this.#seen.set(key, now);
      return true;
    }
    let isNew = false;
    for (let at = 0; at < now.length; at += 1) {
      if (now[at] === 0 || seen[at] === 1) continue;
      isNew = true;
      if (!keep) return true;
      seen[at] = 1;
    }
    return isNew;
  }
}
