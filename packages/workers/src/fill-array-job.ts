/** Reading an array's selection into one output, which other threads fill as well. @module */
import { type DimIndex, NDArray } from "@b2frame/core";
import { readBlocks } from "@b2frame/core/threads";
import { FillControl, type FillResult, type FillTask, fillUnits } from "./fill-control.js";
import type { Job, Outcome } from "./job.js";
import { type FrameSpec, openFrame } from "./open-frame.js";
import { openArea, type SharedArea } from "./shared-area.js";

/** See the module's description. A unit of work is so many blocks, in the order in which the selection is walked. */
export interface FillArraySpec {
  readonly frame: FrameSpec;
  readonly index: readonly DimIndex[];
  readonly output: SharedArea;
  readonly blocksPerUnit: number;
  readonly units: number;
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
  readonly #output: Uint8Array;

  private constructor(array: NDArray, spec: FillArraySpec, thread: number) {
    this.#array = array;
    this.#spec = spec;
    this.#control = new FillControl(spec.control);
    this.#output = openArea(spec.output, thread);
  }

  static async open(spec: FillArraySpec, thread: number): Promise<FillArrayJob> {
    return new FillArrayJob(await openArrayFrame(spec.frame), spec, thread);
  }

  run(task: FillTask): Outcome<FillResult> {
    const { index, blocksPerUnit, units } = this.#spec;
    const output = this.#output;
    const result = fillUnits(this.#control, units, task, (unit) => {
      const from = unit * blocksPerUnit;
      readBlocks(this.#array, index, output, { from, to: from + blocksPerUnit });
    });
    return { result, transfer: [] };
  }

  close(): void {
    this.#array.close();
  }
}
