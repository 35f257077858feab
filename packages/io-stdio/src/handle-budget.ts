/**
 * How many files may be held open at once, counted over all frames of the process and over its worker threads.
 *
 * @module
 */
import { getEnvironmentData, isMainThread, setEnvironmentData } from "node:worker_threads";
import { ArgumentError } from "@b2frame/core";
import { softOpenFileLimit } from "./open-file-limit.js";

/** Environment variable: the process's budget. */
export const MAX_HELD_HANDLES_VARIABLE = "B2FRAME_MAX_HELD_HANDLES";

/** Under this key a thread's budget reaches the worker threads that it starts. */
const ENVIRONMENT_DATA_KEY = "b2frame.handleBudget";

// The shared memory's 32-bit cells.
const HELD = 0;
const LIMIT = 1;
const PEAK = 2;
const MARK = 3;
const CELLS = 4;
const MARK_VALUE = 0xb2f0;

const MAX_BUDGET = 2 ** 31 - 1;

/** What {@link handleBudgetState} tells. */
export interface HandleBudgetState {
  /** Files held open now, by all threads that share the budget. */
  readonly held: number;
  /** The most that may be. */
  readonly limit: number;
  /** The most that ever were. */
  readonly peak: number;
}

/** Held handles of this thread by budget, given back when the thread ends with handles open. */
const heldByThisThread = new Map<HandleBudget, number>();

function giveBackAtThreadEnd(): void {
  for (const [budget, count] of heldByThisThread) for (let i = 0; i < count; i++) budget.release();
}

/** Counts held files in shared memory. */
export class HandleBudget {
  readonly #cells: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.#cells = new Int32Array(memory);
  }

  /** Counts one more held file if the budget allows it. */
  tryAcquire(): boolean {
    const cells = this.#cells;
    let held = Atomics.load(cells, HELD);
    for (;;) {
      if (held >= Atomics.load(cells, LIMIT)) return false;
      const seen = Atomics.compareExchange(cells, HELD, held, held + 1);
      if (seen === held) break;
      held = seen;
    }
    this.#raisePeak(held + 1);
    this.#countInThread(1);
    return true;
  }

  /** Counts one less. */
  release(): void {
    Atomics.sub(this.#cells, HELD, 1);
    this.#countInThread(-1);
  }

  state(): HandleBudgetState {
    return {
      held: Atomics.load(this.#cells, HELD),
      limit: Atomics.load(this.#cells, LIMIT),
      peak: Atomics.load(this.#cells, PEAK),
    };
  }

  #raisePeak(held: number): void {
    let peak = Atomics.load(this.#cells, PEAK);
    while (peak < held) {
      const seen = Atomics.compareExchange(this.#cells, PEAK, peak, held);
      if (seen === peak) return;
      peak = seen;
    }
  }

  #countInThread(change: 1 | -1): void {
    if (isMainThread) return;
    if (heldByThisThread.size === 0) process.once("exit", giveBackAtThreadEnd);
    heldByThisThread.set(this, (heldByThisThread.get(this) ?? 0) + change);
  }
}

function invalid(parameter: string, expected: string, found: string): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${parameter}: expected ${expected}, found ${found}`, {
    parameter,
    expected,
    found,
  });
}

/**
 * Makes a budget of its own, for programs that want another than the process's: give it to every `stdio({ handleBudget })`
 * that shall share it, in worker threads too (through `workerData`).
 *
 * @param limit - Files held open at most, 0 to 2^31 - 1; with 0 a file is opened for each operation.
 * @throws ArgumentError `BLOSC2_ARGUMENT_INVALID`
 */
export function createHandleBudget(limit: number): SharedArrayBuffer {
  if (!Number.isInteger(limit) || limit < 0 || limit > MAX_BUDGET) {
    throw invalid("limit", `an integer from 0 to ${MAX_BUDGET}`, String(limit));
  }
  const memory = new SharedArrayBuffer(4 * CELLS);
  const cells = new Int32Array(memory);
  cells[LIMIT] = limit;
  cells[MARK] = MARK_VALUE;
  return memory;
}

/** The budget that a process begins with: from the environment variable, else half the soft limit on open files. */
function initialLimit(): number {
  const wanted = process.env[MAX_HELD_HANDLES_VARIABLE];
  if (wanted === undefined || wanted === "") return Math.floor(softOpenFileLimit() / 2);
  const limit = Number(wanted);
  if (!/^\d+$/.test(wanted) || limit > MAX_BUDGET) {
    throw invalid(MAX_HELD_HANDLES_VARIABLE, `an integer from 0 to ${MAX_BUDGET}`, JSON.stringify(wanted));
  }
  return limit;
}

let processBudget: SharedArrayBuffer | undefined;

/**
 * The process's budget, which every `stdio()` uses unless it is given another: `B2FRAME_MAX_HELD_HANDLES`, else half the soft
 * limit on open files. It is made at the first call and from then on handed to each worker thread that this thread
 * starts, so a pool of workers shares one count. A worker that was started before has a count of its own, unless it is
 * given this one: call `shareHandleBudget()` (or `stdio()`) before you start workers.
 *
 * @throws ArgumentError `BLOSC2_ARGUMENT_INVALID` if the environment variable is no count.
 *
 * @example
 * ```ts
 * new Worker(file, { workerData: { handleBudget: shareHandleBudget() } });   // in the worker: stdio(workerData)
 * ```
 */
export function shareHandleBudget(): SharedArrayBuffer {
  if (processBudget === undefined) {
    const inherited: unknown = getEnvironmentData(ENVIRONMENT_DATA_KEY);
    processBudget = isBudget(inherited) ? inherited : createHandleBudget(initialLimit());
    setEnvironmentData(ENVIRONMENT_DATA_KEY, processBudget);
  }
  return processBudget;
}

/** How many files are held, and how many may be. */
export function handleBudgetState(handleBudget: SharedArrayBuffer = shareHandleBudget()): HandleBudgetState {
  return budgetOn(handleBudget).state();
}

function isBudget(value: unknown): value is SharedArrayBuffer {
  return (
    value instanceof SharedArrayBuffer && value.byteLength === 4 * CELLS && new Int32Array(value)[MARK] === MARK_VALUE
  );
}

const budgets = new WeakMap<SharedArrayBuffer, HandleBudget>();

/** The counter on that memory; one in each thread. */
export function budgetOn(memory: SharedArrayBuffer): HandleBudget {
  if (!isBudget(memory))
    throw invalid("handleBudget", "what createHandleBudget or shareHandleBudget gave", typeof memory);
  let budget = budgets.get(memory);
  if (budget === undefined) {
    budget = new HandleBudget(memory);
    budgets.set(memory, budget);
  }
  return budget;
}
