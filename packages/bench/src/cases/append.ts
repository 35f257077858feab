/** Writing a frame by appending chunks. @module */

import type { BenchCase } from "../bench-case.js";
import type { BenchContext } from "../bench-context.js";
import { fileContenders } from "../contenders.js";
import { DATA_NAMES, type DataName } from "../datasets.js";
import type { FrameContent } from "../frame-content.js";
import { chunkCount, writeFrame, writeFrameOn } from "../frames.js";
import { CHUNKSIZE, SCALING_CHUNKSIZES } from "../parameters.js";
import type { Contender, Trial } from "../trial.js";

const SMALL_CHUNKSIZE = 8 * 2 ** 10;
const SMALL_CHUNKS = 20_000;
/** One data set is enough where it is the number of chunks that counts. */
const SMALL_DATA: readonly DataName[] = ["int32", ...DATA_NAMES];

/** A trial of writing `content`; with `syncToo`, against a C-Blosc2 whose file is made durable as well. */
async function appendTrial(context: BenchContext, content: FrameContent, syncToo: boolean): Promise<Trial> {
  const { dataset, chunksize, nchunks } = content;
  await context.sharedDataset(dataset.name);
  const amount = nchunks * chunksize;
  const paths = { ours: context.newPath(), theirs: context.newPath() };
  const contenders: Contender[] = [];
  for (const sync of syncToo && context.driver !== undefined ? [false, true] : [false]) {
    const made = fileContenders(context, {
      amount,
      paths,
      prepare: (path) => context.remove(path),
      ours: (path, backend) => {
        writeFrame(context, path, backend.name === "mmap" ? "mmap" : "stdio", content);
        return nchunks;
      },
      ...(chunksize === CHUNKSIZE && !sync
        ? { oursOnWorkers: (path, io, pool) => writeFrameOn(context, path, io, content, pool) }
        : {}),
      theirs: (driver, file) => driver.append(file, { ...content, sync }),
      warmTheirs: chunksize !== SMALL_CHUNKSIZE,
    });
    if (!sync) contenders.push(...made);
    else {
      const synced = made.filter((contender) => contender.name !== "b2frame");
      contenders.push(...synced.map((contender) => ({ ...contender, variant: "fsync" })));
    }
  }
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
