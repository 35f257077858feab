/** Decompressing parts of chunks into one output, which other threads fill as well. @module */
import type { SChunk } from "@b2frame/core";
import { FillControl, type FillResult, type FillTask, fillUnits } from "./fill-control.js";
import type { Job, Outcome } from "./job.js";
import { type FrameSpec, openFrame } from "./open-frame.js";
import { UNIT_FIELDS } from "./plan-units.js";
import { openArea, type SharedArea } from "./shared-area.js";

/** See the module's description. */
export interface FillUnitsSpec {
  readonly frame: FrameSpec;
  readonly output: SharedArea;
  /** What `planUnits` made. */
  readonly units: Float64Array;
  readonly control: SharedArrayBuffer;
}

/** See the module's description. */
export class FillUnitsJob implements Job<FillTask, FillResult> {
  readonly #schunk: SChunk;
  readonly #spec: FillUnitsSpec;
  readonly #control: FillControl;
  readonly #output: Uint8Array;

  private constructor(schunk: SChunk, spec: FillUnitsSpec, thread: number) {
    this.#schunk = schunk;
    this.#spec = spec;
    this.#control = new FillControl(spec.control);
    this.#output = openArea(spec.output, thread);
  }

  static async open(spec: FillUnitsSpec, thread: number): Promise<FillUnitsJob> {
    return new FillUnitsJob(await openFrame(spec.frame), spec, thread);
  }

  run(task: FillTask): Outcome<FillResult> {
    const { units } = this.#spec;
    const output = this.#output;
    const result = fillUnits(this.#control, units.length / UNIT_FIELDS, task, (unit) => {
      const [chunkIndex, from, to, offset] = units.subarray(unit * UNIT_FIELDS, (unit + 1) * UNIT_FIELDS);
      const chunk = this.#schunk.openChunk(chunkIndex as number);
      chunk.readBytes(from as number, to as number, output, offset as number);
    });
    return { result, transfer: [] };
  }

  close(): void {
    this.#schunk.close();
  }
}
