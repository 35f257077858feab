/** Whether b2frame took an input as it must: a value or a Blosc2Error, soon, with little memory, and the same from both engines. @module */
import { isBlosc2Error } from "@b2frame/core";
import { Content } from "./content.js";
import type { Input } from "./input.js";
import type { OpenOptions, Setup, Setups } from "./setups.js";
import type { FuzzTarget } from "./targets/target.js";

const MAX_MILLISECONDS = 1000;
/** Tries before slowness counts: other processes may have had the processor. */
const TIMED_TRIES = 3;
/** Node's codecs read one input in so many. */
const NODE_STRIDE = 5;
/** Sixteen times the largest allocation that the setups allow. */
const MAX_MEMORY_GROWTH = 2 ** 26;

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Reads inputs with every setup. */
export class Judge {
  readonly #target: FuzzTarget;
  readonly #setups: Setups;
  #count = 0;
  #memory: NodeJS.MemoryUsage = process.memoryUsage();

  constructor(target: FuzzTarget, setups: Setups) {
    this.#target = target;
    this.#setups = setups;
  }

  /** What is wrong with how `input` was taken; nothing, if all is well. */
  problems(input: Input): string[] {
    const problems: string[] = [];
    const { portable, kernels, node } = this.#setups;
    const expected = this.#readWithinLimits(portable, input, problems);
    const found = this.#readWithinLimits(kernels, input, problems);
    if (expected !== undefined && found !== undefined && expected !== found) {
      problems.push(`the engines differ:\n  ${expected}\n  ${found}`);
    }
    this.#count += 1;
    if (this.#count % NODE_STRIDE === 0) this.#readWithinLimits(node, input, problems);
    const memory = process.memoryUsage();
    const grown = Math.max(memory.arrayBuffers - this.#memory.arrayBuffers, memory.rss - this.#memory.rss);
    this.#memory = memory;
    if (grown > MAX_MEMORY_GROWTH) problems.push(`memory grew by ${grown} bytes`);
    return problems;
  }

  #readWithinLimits({ name, options }: Setup, input: Input, problems: string[]): string | undefined {
    let content: string | undefined;
    let elapsed = Number.POSITIVE_INFINITY;
    try {
      for (let tries = 0; tries < TIMED_TRIES && elapsed > MAX_MILLISECONDS; tries += 1) {
        const started = performance.now();
        content = this.#read(input, options);
        elapsed = Math.min(elapsed, performance.now() - started);
      }
    } catch (error) {
      problems.push(`${name} threw something else than a Blosc2Error: ${describe(error)}`);
      return undefined;
    }
    if (elapsed > MAX_MILLISECONDS) problems.push(`${name} took ${elapsed.toFixed(0)} ms`);
    return content;
  }

  #read(input: Input, options: OpenOptions): string {
    const content = new Content();
    try {
      this.#target.read(input, options, content);
    } catch (error) {
      if (!isBlosc2Error(error)) throw error;
      return `${content}; refused`;
    }
    return content.toString();
  }
}
