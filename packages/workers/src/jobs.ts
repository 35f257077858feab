/** The kinds of work that threads do. @module */
import { CompressJob, type CompressSpec } from "./compress-job.js";
import { DecodeJob, type DecodeSpec } from "./decode-job.js";
import { FillArrayJob, type FillArraySpec } from "./fill-array-job.js";
import { FillUnitsJob, type FillUnitsSpec } from "./fill-units-job.js";
import type { Job } from "./job.js";

/** Everything that a thread needs to know to set a job up. */
export type JobSpec =
  | { readonly kind: "decode"; readonly decoding: DecodeSpec }
  | { readonly kind: "compress"; readonly compressing: CompressSpec }
  | { readonly kind: "fill-units"; readonly fill: FillUnitsSpec }
  | { readonly kind: "fill-array"; readonly fill: FillArraySpec };

/**
 * Sets a job up in this thread. Its tasks are of the kind that `spec` says.
 *
 * @param thread number of this thread in its pool, from 1 on; 0 for the thread that has the pool
 */
export function openJob(spec: JobSpec, thread: number): Promise<Job<never, unknown>> {
  switch (spec.kind) {
    case "decode":
      return DecodeJob.open(spec.decoding, thread);
    case "compress":
      return Promise.resolve(CompressJob.open(spec.compressing, thread));
    case "fill-units":
      return FillUnitsJob.open(spec.fill, thread);
    case "fill-array":
      return FillArrayJob.open(spec.fill, thread);
  }
}
