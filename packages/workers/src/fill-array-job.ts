/** Reading an array's selection into one output, which other threads fill as well. @module */
import { type DimIndex, NDArray } from "@b2frame/core";
import { FillControl, type FillResult, type FillTask } from "./fill-control.js";
import type { Job, Outcome } from "./job.js";
import { type FrameSpec, openFrame } from "./open-frame.js";

/** See the module's description. A unit of work is so many blocks, in the order in which the selection is walked. */
export interface FillArraySpec {
  readonly frame: FrameSpec;
  readonly index: readonly DimIndex[];
  readonly output: Uint8Array;
  readonly blocksPerUnit: number;
  readonly control: SharedArrayBuffer;
}

/** The array in a frame. */
export async function openArrayFrame(frame: FrameSpec): Promise<NDArray> {
  const schunk = await openFrame(frame);
  try {
    return NDArray.fromSChunk(schunk);
  } catch (error) {
    schunk.close();
    throw error;
  }
}

/** See the module's description. */
export class FillArrayJob implements Job<FillTask, FillResult> {
  readonly #array: NDArray;
  readonly #spec: FillArraySpec;
  readonly #control: FillControl;
  /** Taken and not finished. */
  #unit = -1;

  private constructor(array: NDArray, spec: FillArraySpec) {
    this.#array = array;
    this.#spec = spec;
    this.#control = new FillControl(spec.control);
  }

  static async open(spec: FillArraySpec): Promise<FillArrayJob> {
    return new FillArrayJob(await openArrayFrame(spec.frame), spec);
  }

  /** Every thread walks all of the selection, and reads the units that it has taken. */
  run({ lane, pause = Number.POSITIVE_INFINITY }: FillTask): Outcome<FillResult> {
    const { index, output, blocksPerUnit } = this.#spec;
    const control = this.#control;
    const deadline = performance.now() + pause;
    let finished = true;
    let visited = 0;
    if (this.#unit < 0) this.#unit = control.take();
    const claim = (): boolean => {
      const unit = Math.floor(visited / blocksPerUnit);
      const atStart = visited++ % blocksPerUnit === 0;
      if (!finished || control.stopped) return false;
      if (unit > this.#unit) {
        control.finish();
        this.#unit = control.take();
      }
      if (unit === this.#unit && atStart && performance.now() > deadline) finished = false;
      return finished && unit === this.#unit;
    };
    try {
      this.#array.getInto(index, output, claim);
    } catch (error) {
      control.fail(lane, this.#unit);
      throw error;
    }
    if (finished && this.#unit * blocksPerUnit < visited && !control.stopped) control.finish();
    return { result: { finished }, transfer: [] };
  }

  close(): void {
    this.#array.close();
  }
}
