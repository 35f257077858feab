/** What the main thread and the fuzzing thread tell each other. @module */
import type { TargetName } from "./targets/targets.js";

/** What a thread is started with. */
export interface Job {
  readonly target: TargetName;
  /** The good files' single changes, or random damage. */
  readonly part: "changes" | "search" | "replay";
  readonly quick: boolean;
  readonly seed: number;
  /** Processor time of a search. */
  readonly milliseconds: number;
  /** Files to replay. */
  readonly paths: readonly string[];
  readonly progress: SharedArrayBuffer;
}

/** What a thread says. */
export type Report =
  | { readonly kind: "finding"; readonly problem: string; readonly input: Uint8Array }
  | { readonly kind: "done"; readonly runs: number; readonly found: readonly Uint8Array[]; readonly covered: number };

const HEADER_BYTES = 8;
const MAX_INPUT_BYTES = 2 ** 20;

/**
 * The input that is being read, where the main thread sees it even if the reading never ends.
 */
export class Progress {
  readonly buffer: SharedArrayBuffer;
  /** The number of inputs begun, and the length of the one. */
  readonly #counters: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(HEADER_BYTES + MAX_INPUT_BYTES)) {
    this.buffer = buffer;
    this.#counters = new Int32Array(buffer, 0, 2);
    this.#bytes = new Uint8Array(buffer, HEADER_BYTES);
  }

  /** Inputs begun. */
  get count(): number {
    return Atomics.load(this.#counters, 0);
  }

  /** The encoded input begun last. */
  get current(): Uint8Array {
    return this.#bytes.slice(0, Atomics.load(this.#counters, 1));
  }

  begin(input: Uint8Array): void {
    this.#bytes.set(input);
    Atomics.store(this.#counters, 1, input.byteLength);
    Atomics.add(this.#counters, 0, 1);
  }
}
