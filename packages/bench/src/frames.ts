/** The frames that cases read. @module */
import { type Durability, type IoBackend, SChunk, type SChunkCreateOptions } from "@b2frame/core";
import { appendChunks, type WorkerPool } from "@b2frame/workers";
import type { BenchContext } from "./bench-context.js";
import type { Dataset } from "./datasets.js";
import type { FrameContent } from "./frame-content.js";
import { CPARAMS } from "./parameters.js";

/** The most whole chunks that a data set has. */
export function chunkCount(dataset: Dataset, chunksize: number): number {
  return Math.floor(dataset.bytes.byteLength / chunksize);
}

function* chunkData({ dataset, chunksize, nchunks }: FrameContent): Generator<Uint8Array> {
  for (let i = 0; i < nchunks; i++) yield dataset.bytes.subarray(i * chunksize, (i + 1) * chunksize);
}

/** Appends chunks by b2frame. */
export function appendContent(out: SChunk, content: FrameContent): void {
  for (const chunk of chunkData(content)) out.appendData(chunk);
}

/** A new frame for such content, with no chunk yet. */
export function createFrame(
  backend: IoBackend,
  path: string,
  { chunksize, dataset }: FrameContent,
  layout: Pick<SChunkCreateOptions, "contiguous" | "meta" | "durability"> = {},
): SChunk {
  const { typesize } = dataset;
  return SChunk.create({ urlpath: path, io: backend, typesize, chunksize, cparams: CPARAMS, ...layout });
}

/** Writes a frame by b2frame. */
export function writeFrame(
  context: BenchContext,
  path: string,
  backend: "stdio" | "mmap",
  content: FrameContent,
  durability?: Durability,
): void {
  using out = createFrame(context.backends[backend], path, content, { durability });
  appendContent(out, content);
}

/** The same with the chunks compressed on worker threads. Gives the number of chunks. */
export async function writeFrameOn(
  context: BenchContext,
  path: string,
  backend: "stdio" | "mmap",
  content: FrameContent,
  pool: WorkerPool,
  durability?: Durability,
): Promise<number> {
  using out = createFrame(context.backends[backend], path, content, { durability });
  return await appendChunks(out, chunkData(content), { pool });
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
