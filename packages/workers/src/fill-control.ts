/** How threads share the filling of one output: who does what next, and what has been done. @module */

const NEXT = 0;
const STOP = 1;
const DONE = 2;
const LANES = 3;
const NO_FAILURE = 2 ** 31 - 1;

/** Counters in memory that all threads see. Units of work are numbered from 0, and taken in that order. */
export class FillControl {
  readonly memory: SharedArrayBuffer;
  readonly #cells: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.#cells = new Int32Array(memory);
  }

  /** For so many threads. */
  static create(lanes: number): FillControl {
    const control = new FillControl(new SharedArrayBuffer((LANES + lanes) * Int32Array.BYTES_PER_ELEMENT));
    control.#cells.fill(NO_FAILURE, LANES);
    return control;
  }

  /** Takes the next unit. */
  take(): number {
    return Atomics.add(this.#cells, NEXT, 1);
  }

  /** Tells all threads to take no more. */
  stop(): void {
    Atomics.store(this.#cells, STOP, 1);
  }

  get stopped(): boolean {
    return Atomics.load(this.#cells, STOP) !== 0;
  }

  /** Counts a unit as done. */
  finish(): void {
    Atomics.add(this.#cells, DONE, 1);
  }

  /** Units done. */
  get done(): number {
    return Atomics.load(this.#cells, DONE);
  }

  /** Notes that a thread failed at a unit, and stops the others. */
  fail(lane: number, unit: number): void {
    Atomics.store(this.#cells, LANES + lane, unit);
    this.stop();
  }

  /** The unit that a thread failed at; a number above all units if it did not. */
  failedUnit(lane: number): number {
    return Atomics.load(this.#cells, LANES + lane);
  }
}

/** One thread's share of a filling. */
export interface FillTask {
  /** The thread's number. */
  readonly lane: number;
  /** Come back after about so many milliseconds, to be called again. Absent: when there is nothing left to take. */
  readonly pause?: number | undefined;
}

/** Whether nothing is left to take. */
export interface FillResult {
  readonly finished: boolean;
}

/**
 * Reads units until there are none left, another thread has failed, or the pause is over.
 *
 * @throws what `read` throws; the other threads are stopped then.
 */
export function fillUnits(
  control: FillControl,
  units: number,
  { lane, pause = Number.POSITIVE_INFINITY }: FillTask,
  read: (unit: number) => void,
): FillResult {
  const deadline = performance.now() + pause;
  while (!control.stopped) {
    if (performance.now() > deadline) return { finished: false };
    const unit = control.take();
    if (unit >= units) break;
    try {
      read(unit);
    } catch (error) {
      control.fail(lane, unit);
      throw error;
    }
    control.finish();
  }
  return { finished: true };
}
