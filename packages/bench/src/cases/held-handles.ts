/** Files that stay open against files that are opened for each read. @module */
import { type IoBackend, SChunk } from "@b2frame/core";
import { createHandleBudget, handleBudgetState } from "@b2frame/io-stdio";
import type { BenchCase } from "../bench-case.js";
import type { BenchContext } from "../bench-context.js";
import type { FrameContent } from "../frame-content.js";
import { appendContent, chunkCount, createFrame } from "../frames.js";
import { stdioContender } from "../stdio-contender.js";
import type { Contender } from "../trial.js";
import { randomIndices } from "./random-reads.js";

const CHUNKS = 500;
const CHUNKSIZES: readonly number[] = [8 * 2 ** 10, 64 * 2 ** 10];
const READS = 8000;

function readChunks(path: string, backend: IoBackend, indices: Int32Array, chunksize: number): Uint8Array {
  using frame = SChunk.open(path, backend);
  const target = new Uint8Array(chunksize);
  for (const index of indices) frame.decompressChunk(index, { target });
  return target;
}

/** A sparse frame has a file for each chunk; the budget decides how many of them stay open. */
export const heldHandles: BenchCase = {
  name: "held-handles",
  title:
    "Open a sparse frame of 500 chunks, decompress 8,000 random ones, close: with files held, and with a budget of none",
  async *trials(context: BenchContext) {
    const dataset = context.dataset("int32");
    for (const chunksize of CHUNKSIZES) {
      const nchunks = Math.min(CHUNKS, chunkCount(dataset, chunksize));
      const content: FrameContent = { dataset, chunksize, nchunks };
      const path = context.newPath();
      {
        using out = createFrame(context.backends.stdio, path, content, { contiguous: false });
        appendContent(out, content);
      }
      const indices = randomIndices(8, context.count(READS), nchunks);
      await context.shareIndices(indices);
      const amount = indices.length;
      const work = (backend: IoBackend) => readChunks(path, backend, indices, chunksize);
      const contenders: Contender[] = [
        stdioContender({ name: "b2frame", amount, options: {}, work }),
        stdioContender({ name: "reopened", amount, options: { handleBudget: createHandleBudget(0) }, work }),
      ];
      const { driver } = context;
      if (driver !== undefined) {
        contenders.push({
          name: "c-blosc2",
          backend: "stdio",
          workers: 0,
          amount,
          warmUp: true,
          sample: () => driver.readChunks({ path, io: "stdio", threads: 1 }),
        });
      }
      const budget = handleBudgetState().limit;
      yield {
        data: dataset.name,
        parameters: { chunksize, nchunks, reads: amount, budget },
        unit: "op/s",
        contenders,
      };
      context.remove(path);
    }
  },
};
