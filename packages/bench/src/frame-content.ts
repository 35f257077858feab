/** What a frame is to hold. @module */
import type { Dataset } from "./datasets.js";

/** The first `nchunks` chunks of a data set. */
export interface FrameContent {
  readonly dataset: Dataset;
  readonly chunksize: number;
  readonly nchunks: number;
}
