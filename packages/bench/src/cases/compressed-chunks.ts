/** Getting at compressed bytes: into a buffer that is used again, into a new one, or in a map. @module */
import { SChunk } from "@b2frame/core";
import { openChecked } from "@b2frame/core/backend";
import type { BenchCase } from "../bench-case.js";
import type { BenchContext } from "../bench-context.js";
import { timed } from "../clock.js";
import { chunkCount, sharedFrame } from "../frames.js";
import type { Contender } from "../trial.js";
import { randomIndices } from "./random-reads.js";

const READS_BY_CHUNKSIZE: readonly (readonly [chunksize: number, reads: number])[] = [
  [8 * 2 ** 10, 20_000],
  [64 * 2 ** 10, 8000],
  [2 ** 20, 2000],
];

/** Every contender looks at a byte of each of the processor's cache lines, as a decoder would. */
const CACHE_LINE = 64;

function glanceAt(bytes: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < bytes.byteLength; i += CACHE_LINE) sum += bytes[i] as number;
  return sum;
}

/** Where the compressed chunks are in a frame's file. */
interface Places {
  readonly positions: readonly number[];
  readonly lengths: readonly number[];
}

function placesIn(context: BenchContext, path: string): Places {
  using frame = SChunk.open(path, context.backends.stdio);
  const positions: number[] = [];
  const lengths: number[] = [];
  for (const { position, cbytes } of frame.iterChunksInfo()) {
    positions.push(position ?? 0);
    lengths.push(position === undefined ? 0 : cbytes);
  }
  return { positions, lengths };
}

/** Nothing is decoded, so that only the ways to the bytes differ. */
export const compressedChunks: BenchCase = {
  name: "compressed-chunks",
  title: "Open a file, look at the compressed bytes of random chunks without decoding them, close",
  async *trials(context: BenchContext) {
    const dataset = context.dataset("int32");
    for (const [chunksize, reads] of READS_BY_CHUNKSIZE) {
      const nchunks = chunkCount(dataset, chunksize);
      const path = await sharedFrame(context, { dataset, chunksize, nchunks });
      const { positions, lengths } = placesIn(context, path);
      const indices = randomIndices(9, context.count(reads), nchunks);
      const contender = (name: "b2frame" | "fresh-buffer", backend: "stdio" | "mmap"): Contender => ({
        ...{ name, backend, workers: 0, amount: indices.length, warmUp: true },
        sample: () =>
          timed(() => {
            const handle = openChecked(context.backends[backend], path, "r");
            let sum = 0;
            for (const index of indices) {
              const position = positions[index] as number;
              const length = lengths[index] as number;
              if (name === "b2frame") sum += glanceAt(handle.read(position, length));
              else {
                const bytes = new Uint8Array(length);
                handle.readInto(position, bytes);
                sum += glanceAt(bytes);
              }
            }
            handle.close();
            return sum;
          }),
      });
      yield {
        data: dataset.name,
        parameters: { chunksize, nchunks, reads: indices.length },
        unit: "op/s",
        contenders: [contender("b2frame", "stdio"), contender("fresh-buffer", "stdio"), contender("b2frame", "mmap")],
      };
      context.remove(path);
    }
  },
};
