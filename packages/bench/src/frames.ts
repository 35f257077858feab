/** The frames that cases read. @module */
import { SChunk } from "@b2frame/core";
import type { BenchContext } from "./bench-context.js";
import type { Dataset } from "./datasets.js";
import type { FrameContent } from "./frame-content.js";
import { CPARAMS } from "./parameters.js";

/** The most whole chunks that a data set has. */
export function chunkCount(dataset: Dataset, chunksize: number): number {
  return Math.floor(dataset.bytes.byteLength / chunksize);
}

/** Appends chunks by b2frame. */
export function appendChunks(out: SChunk, { dataset, chunksize, nchunks }: FrameContent): void {
  for (let i = 0; i < nchunks; i++) out.appendData(dataset.bytes.subarray(i * chunksize, (i + 1) * chunksize));
}

/** Writes a frame by b2frame. */
export function writeFrame(
  context: BenchContext,
  path: string,
  backend: "stdio" | "mmap",
  content: FrameContent,
): void {
  const { chunksize, dataset } = content;
  const { typesize } = dataset;
  const options = { urlpath: path, backend: context.backends[backend], typesize, chunksize, cparams: CPARAMS };
  using out = SChunk.create(options);
  appendChunks(out, content);
}

/**
 * Writes a frame for all to read, by C-Blosc2 where that takes part.
 *
 * @returns its path.
 */
export async function sharedFrame(context: BenchContext, content: FrameContent): Promise<string> {
  const path = context.newPath();
  if (context.driver === undefined) writeFrame(context, path, "stdio", content);
  else {
    await context.sharedDataset(content.dataset.name);
    await context.driver.append({ path, io: "stdio", threads: 1 }, { ...content, sync: false });
  }
  return path;
}
