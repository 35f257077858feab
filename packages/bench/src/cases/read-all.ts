/** Reading a whole frame, chunk by chunk. @module */
import { type IoBackend, SChunk } from "@b2frame/core";
import { readAhead, type WorkerPool } from "@b2frame/workers";
import type { BenchCase } from "../bench-case.js";
import type { BenchContext } from "../bench-context.js";
import { fileContenders } from "../contenders.js";
import { DATA_NAMES } from "../datasets.js";
import { chunkCount, sharedFrame } from "../frames.js";
import { CHUNKSIZE, SCALING_CHUNKSIZES } from "../parameters.js";

/** Decompresses all chunks into one buffer, which holds the last one in the end. */
export function decompressAll(path: string, backend: IoBackend, chunksize: number, engine?: "portable"): Uint8Array {
  using frame = SChunk.open(path, backend, { engine });
  const target = new Uint8Array(chunksize);
  for (let i = 0; i < frame.nchunks; i++) frame.decompressChunk(i, target);
  return target;
}

/** The same with the chunks decompressed on worker threads; they come one after another, in order. */
async function readOnWorkers(path: string, io: "stdio" | "mmap", pool: WorkerPool): Promise<Uint8Array> {
  const chunks = readAhead(path, { io }, { pool });
  let last: Uint8Array = new Uint8Array(0);
  for await (const chunk of chunks) {
    chunks.release(last);
    last = chunk;
  }
  return last;
}

/** Every data set in 4 MiB chunks, and the first one in other chunks as well. */
export const readAll: BenchCase = {
  name: "read-all",
  title: "Open a frame, decompress every chunk, close",
  async *trials(context: BenchContext) {
    const names = context.selectData(DATA_NAMES);
    for (const name of names) {
      for (const chunksize of name === names[0] ? SCALING_CHUNKSIZES : [CHUNKSIZE]) {
        const dataset = context.dataset(name);
        const nchunks = chunkCount(dataset, chunksize);
        if (nchunks === 0) continue;
        const path = await sharedFrame(context, { dataset, chunksize, nchunks });
        yield {
          data: name,
          parameters: { chunksize, nchunks },
          unit: "MiB/s",
          contenders: fileContenders(context, {
            amount: nchunks * chunksize,
            paths: { ours: path, theirs: path },
            ours: (file, backend) => decompressAll(file, backend, chunksize),
            ...(chunksize === CHUNKSIZE ? { oursOnWorkers: readOnWorkers } : {}),
            theirs: (driver, file) => driver.readAll(file),
          }),
        };
        context.remove(path);
      }
    }
  },
};
