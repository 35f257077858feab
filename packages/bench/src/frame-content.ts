/** What a frame is to hold. @module */
import type { Dataset } from "./datasets.js";

/** The first `nchunks` chunks of a data set. */
export interface FrameContent {
  readonly dataset: Dataset;
  readonly chunksize: number;
  readonly nchunks: number;
}

/** The same content in memory that all threads see, from where worker threads take it without a copy. */
export function inSharedMemory(content: FrameContent): FrameContent {
  const { dataset } = content;
  const bytes = new Uint8Array(new SharedArrayBuffer(dataset.bytes.byteLength));
  bytes.set(dataset.bytes);
  return { ...content, dataset: { ...dataset, bytes } };
}
