/** Reads here and there in a frame. @module */
import { SChunk } from "@b2frame/core";
import { SeededRandom } from "@b2frame/interop/seeded-random";
import type { BenchCase } from "../bench-case.js";
import type { BenchContext } from "../bench-context.js";
import { fileContenders } from "../contenders.js";
import type { DataName } from "../datasets.js";
import { chunkCount, sharedFrame } from "../frames.js";
import { CHUNKSIZE } from "../parameters.js";

const DATA: readonly DataName[] = ["float64", "int32"];
const RANDOM_CHUNKSIZE = 64 * 2 ** 10;
const RANDOM_CHUNKS = 4000;
const SCATTERED_READS = 20_000;
const SCATTERED_ITEMS = 50;

/** `count` numbers from 0 to `limit - 1`. */
export function randomIndices(seed: number, count: number, limit: number): Int32Array {
  const random = new SeededRandom(seed);
  return Int32Array.from({ length: count }, () => random.integer(0, limit - 1));
}

/** Whole chunks in random order. */
export const randomChunks: BenchCase = {
  name: "random-chunks",
  title: "Open a frame, decompress 4,000 random chunks of 64 KiB, close",
  async *trials(context: BenchContext) {
    for (const name of context.selectData(DATA)) {
      const dataset = context.dataset(name);
      const nchunks = chunkCount(dataset, RANDOM_CHUNKSIZE);
      const path = await sharedFrame(context, { dataset, chunksize: RANDOM_CHUNKSIZE, nchunks });
      const indices = randomIndices(4, context.count(RANDOM_CHUNKS), nchunks);
      await context.shareIndices(indices);
      yield {
        data: name,
        parameters: { chunksize: RANDOM_CHUNKSIZE, nchunks, reads: indices.length },
        unit: "op/s",
        contenders: fileContenders(context, {
          amount: indices.length,
          paths: { ours: path, theirs: path },
          ours: (file, backend) => {
            using frame = SChunk.open(file, backend);
            const target = new Uint8Array(RANDOM_CHUNKSIZE);
            for (const index of indices) frame.decompressChunk(index, { target });
            return target;
          },
          theirs: (driver, file) => driver.readChunks(file),
        }),
      };
      context.remove(path);
    }
  },
};

/** A few items at a time. */
export const scattered: BenchCase = {
  name: "scattered-50",
  title: "Open a frame, read 50 items at 20,000 random places, close",
  async *trials(context: BenchContext) {
    for (const name of context.selectData(DATA)) {
      const dataset = context.dataset(name);
      const nchunks = chunkCount(dataset, CHUNKSIZE);
      const path = await sharedFrame(context, { dataset, chunksize: CHUNKSIZE, nchunks });
      const itemCount = (nchunks * CHUNKSIZE) / dataset.typesize;
      const starts = randomIndices(5, context.count(SCATTERED_READS), itemCount - SCATTERED_ITEMS + 1);
      await context.shareIndices(starts);
      yield {
        data: name,
        parameters: { chunksize: CHUNKSIZE, nchunks, reads: starts.length },
        unit: "op/s",
        contenders: fileContenders(context, {
          amount: starts.length,
          paths: { ours: path, theirs: path },
          ours: (file, backend) => {
            using frame = SChunk.open(file, backend);
            const target = new Uint8Array(SCATTERED_ITEMS * dataset.typesize);
            for (const start of starts) frame.getSlice(start, start + SCATTERED_ITEMS, { target });
            return target;
          },
          theirs: (driver, file) => driver.readItems(file, SCATTERED_ITEMS),
        }),
      };
      context.remove(path);
    }
  },
};
