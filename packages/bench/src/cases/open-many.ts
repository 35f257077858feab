/** Opening a frame that has many chunks. @module */
import { SChunk } from "@b2frame/core";
import type { BenchCase } from "../bench-case.js";
import type { BenchContext } from "../bench-context.js";
import { fileContenders } from "../contenders.js";
import { writeFrame } from "../frames.js";
import { randomIndices } from "./random-reads.js";

const CHUNKS = 100_000;
const CHUNKSIZE = 1024;
const OPENS = 20;

/** The time goes into what is read to find one item. */
export const openMany: BenchCase = {
  name: "open-many",
  title: "Open a frame of 100,000 chunks, read one item, close; 20 times",
  async *trials(context: BenchContext) {
    const dataset = context.dataset("int32");
    const nchunks = Math.min(context.count(CHUNKS), Math.floor(dataset.bytes.byteLength / CHUNKSIZE));
    const path = context.newPath();
    // By b2frame even where C-Blosc2 takes part, whose appends take long after so many chunks.
    writeFrame(context, path, "stdio", { dataset, chunksize: CHUNKSIZE, nchunks });
    const items = randomIndices(10, OPENS, (nchunks * CHUNKSIZE) / dataset.typesize);
    await context.shareIndices(items);
    yield {
      data: dataset.name,
      parameters: { chunksize: CHUNKSIZE, nchunks, opens: OPENS },
      unit: "op/s",
      contenders: fileContenders(context, {
        amount: OPENS,
        paths: { ours: path, theirs: path },
        ours: (file, backend) => {
          const target = new Uint8Array(dataset.typesize);
          for (const item of items) {
            using frame = SChunk.open(file, backend);
            frame.getSlice(item, item + 1, { target });
          }
          return target;
        },
        theirs: (driver, file) => driver.openMany(file),
      }),
    };
    context.remove(path);
  },
};
