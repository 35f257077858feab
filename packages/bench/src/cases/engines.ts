/** The kernels engine against the portable one. @module */

import type { BenchCase } from "../bench-case.js";
import type { BenchContext } from "../bench-context.js";
import { timed } from "../clock.js";
import { DATA_NAMES } from "../datasets.js";
import { chunkCount, sharedFrame } from "../frames.js";
import { CHUNKSIZE } from "../parameters.js";
import type { Contender } from "../trial.js";
import { decompressAll } from "./read-all.js";

/** Both read the same frame. */
export const engines: BenchCase = {
  name: "engines",
  title: "Decompress every chunk of a frame with the kernels engine, and with the portable one",
  async *trials(context: BenchContext) {
    for (const name of context.selectData(DATA_NAMES)) {
      const dataset = context.dataset(name);
      const nchunks = chunkCount(dataset, CHUNKSIZE);
      const path = await sharedFrame(context, { dataset, chunksize: CHUNKSIZE, nchunks });
      const shared = { backend: "stdio", workers: 0, amount: nchunks * CHUNKSIZE, warmUp: true } as const;
      const { stdio } = context.backends;
      const contenders: Contender[] = [
        { ...shared, name: "b2frame", sample: () => timed(() => decompressAll(path, stdio, CHUNKSIZE)) },
        { ...shared, name: "portable", sample: () => timed(() => decompressAll(path, stdio, CHUNKSIZE, "portable")) },
      ];
      yield { data: name, parameters: { chunksize: CHUNKSIZE, nchunks }, unit: "MiB/s", contenders };
      context.remove(path);
    }
  },
};
