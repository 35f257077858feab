/** Writing a frame by appending chunks. @module */

import type { BenchCase } from "../bench-case.js";
import type { BenchContext } from "../bench-context.js";
import { fileContenders } from "../contenders.js";
import { DATA_NAMES, type DataName } from "../datasets.js";
import { type FrameContent, inSharedMemory } from "../frame-content.js";
import { chunkCount, writeFrame, writeFrameOn } from "../frames.js";
import { CHUNKSIZE, SCALING_CHUNKSIZES } from "../parameters.js";
import type { Trial } from "../trial.js";

const SMALL_CHUNKSIZE = 8 * 2 ** 10;
const SMALL_CHUNKS = 20_000;
/** One data set is enough where it is the number of chunks that counts. */
const SMALL_DATA: readonly DataName[] = ["int32", ...DATA_NAMES];

/** A trial of writing `content`; with `syncToo`, also against a C-Blosc2 whose file is made durable. */
async function appendTrial(context: BenchContext, content: FrameContent, syncToo: boolean): Promise<Trial> {
  const { dataset, chunksize, nchunks } = content;
  await context.sharedDataset(dataset.name);
  const shared = chunksize === CHUNKSIZE ? inSharedMemory(content) : undefined;
  const contenders = fileContenders(context, {
    amount: nchunks * chunksize,
    paths: { ours: context.newPath(), theirs: context.newPath() },
    writes: syncToo ? "with-sync" : "without-sync",
    prepare: (path) => context.remove(path),
    ours: (path, backend, durability) => {
      writeFrame(context, path, backend.name === "mmap" ? "mmap" : "stdio", content, durability);
      return nchunks;
    },
    ...(shared === undefined
      ? {}
      : { oursOnWorkers: (path, io, pool, durability) => writeFrameOn(context, path, io, shared, pool, durability) }),
    theirs: (driver, file, sync) => driver.append(file, { ...content, sync }),
    warmTheirs: chunksize !== SMALL_CHUNKSIZE,
  });
  return { data: dataset.name, parameters: { chunksize, nchunks }, unit: "MiB/s", contenders };
}

/** Every data set in 4 MiB chunks, and the first one in other chunks as well. */
export const append: BenchCase = {
  name: "append",
  title: "Create a frame, append all data chunk by chunk, close",
  async *trials(context: BenchContext) {
    const names = context.selectData(DATA_NAMES);
    for (const name of names) {
      for (const chunksize of name === names[0] ? SCALING_CHUNKSIZES : [CHUNKSIZE]) {
        const dataset = context.dataset(name);
        const nchunks = chunkCount(dataset, chunksize);
        if (nchunks > 0) yield await appendTrial(context, { dataset, chunksize, nchunks }, chunksize === CHUNKSIZE);
      }
    }
  },
};

/** Chunks so small that what is done for each one decides. */
export const appendSmall: BenchCase = {
  name: "append-small",
  title: "Create a frame, append 20,000 chunks of 8 KiB, close",
  async *trials(context: BenchContext) {
    for (const name of context.selectData(SMALL_DATA).slice(0, 1)) {
      const dataset = context.dataset(name);
      const nchunks = Math.min(context.count(SMALL_CHUNKS), chunkCount(dataset, SMALL_CHUNKSIZE));
      yield await appendTrial(context, { dataset, chunksize: SMALL_CHUNKSIZE, nchunks }, false);
    }
  },
};
