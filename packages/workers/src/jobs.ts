/** The kinds of work that threads do. @module */
import { CompressJob, type CompressSpec } from "./compress-job.js";
import { DecodeJob } from "./decode-job.js";
import { FillArrayJob, type FillArraySpec } from "./fill-array-job.js";
import { FillUnitsJob, type FillUnitsSpec } from "./fill-units-job.js";
import type { Job } from "./job.js";
import type { FrameSpec } from "./open-frame.js";

/** Everything that a thread needs to know to set a job up. */
export type JobSpec =
  | { readonly kind: "decode"; readonly frame: FrameSpec }
  | { readonly kind: "compress"; readonly compression: CompressSpec }
  | { readonly kind: "fill-units"; readonly fill: FillUnitsSpec }
  | { readonly kind: "fill-array"; readonly fill: FillArraySpec };

/** Sets a job up in this thread. Its tasks are of the kind that `spec` says. */
export function openJob(spec: JobSpec): Promise<Job<never, unknown>> {
  switch (spec.kind) {
    case "decode":
      return DecodeJob.open(spec.frame);
    case "compress":
      return Promise.resolve(CompressJob.open(spec.compression));
    case "fill-units":
      return FillUnitsJob.open(spec.fill);
    case "fill-array":
      return FillArrayJob.open(spec.fill);
  }
}
