/** Reading a whole frame, chunk by chunk. @module */
import { type IoBackend, SChunk } from "@b2frame/core";
import { readChunks, type WorkerPool } from "@b2frame/workers";
import type { BenchCase } from "../bench-case.js";
import type { BenchContext } from "../bench-context.js";
import { DIGESTED_LENGTH } from "../clock.js";
import { fileContenders } from "../contenders.js";
import { DATA_NAMES } from "../datasets.js";
import { chunkCount, sharedFrame } from "../frames.js";
import { CHUNKSIZE, SCALING_CHUNKSIZES } from "../parameters.js";

/** Decompresses all chunks into one buffer, which holds the last one in the end. */
export function decompressAll(path: string, backend: IoBackend, chunksize: number, engine?: "portable"): Uint8Array {
  using frame = SChunk.open(path, backend, { engine });
  const target = new Uint8Array(chunksize);
  for (let i = 0; i < frame.nchunks; i++) frame.decompressChunk(i, { target });
  return target;
}

/** The same with chunks decompressed ahead on worker threads, into memory that is used again; gives the front of the last chunk. */
async function readOnWorkers(path: string, io: "stdio" | "mmap", pool: WorkerPool): Promise<Uint8Array> {
  let last = new Uint8Array(0);
  let left = 0;
  const chunks = readChunks(path, { io, pool, reuse: true, onProgress: (done, total = 0) => (left = total - done) });
  for await (const chunk of chunks) if (left === 0) last = chunk.slice(0, DIGESTED_LENGTH);
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
