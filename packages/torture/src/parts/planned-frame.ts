/** A small frame that is planned, its items, and the file that one writer of all of it makes. @module */
import { asarray, SChunk, zeros } from "@b2frame/core";
import { registerZstd } from "@b2frame/core/zstd";
import type { SeededRandom } from "@b2frame/interop/seeded-random";
import { stdio } from "@b2frame/io-stdio";
import { arraySource, boxOfChunk, type PartSource, type PlanOptions } from "@b2frame/parts";

await registerZstd();

/** What to plan. Plain data: it is sent to other processes. */
export interface PlannedFrame {
  readonly options: PlanOptions;
  /** Of the items. */
  readonly seed: number;
}

const CODECS = ["lz4", "zstd", "blosclz"] as const;

/** An array of one to three dimensions, or bytes, in up to seven parts. */
export function randomFrame(random: SeededRandom): PlannedFrame {
  const common = {
    sparse: random.oneIn(3),
    checksum: random.oneIn(2),
    parts: random.integer(1, 7),
    cparams: { codec: random.pick(CODECS) },
  };
  const seed = random.bits();
  if (random.oneIn(4)) {
    const size = { nbytes: 4 * random.integer(1, 900), typesize: 4, chunksize: 4 * random.integer(16, 128) };
    return { seed, options: { ...common, ...size } };
  }
  const shape = Array.from({ length: random.integer(1, 3) }, () => random.integer(1, 12));
  const chunks = shape.map((length) => random.integer(1, Math.min(5, length)));
  return { seed, options: { ...common, shape, dtype: "<i4", chunks } };
}

/** The items: numbers that zstd can't foresee, with runs of zeros, so that some chunks are special. */
function itemsOf({ options: { shape, nbytes = 0 }, seed }: PlannedFrame): Int32Array {
  const length = shape?.reduce((n, m) => n * m, 1) ?? nbytes / 4;
  return Int32Array.from({ length }, (_, i) => (((i >> 5) ^ seed) & 3 ? Math.imul(i + seed, 0x9e3779b1) >> 20 : 0));
}

/** Where parts take their items from. */
export function sourceOf(frame: PlannedFrame): PartSource {
  const { shape, nbytes } = frame.options;
  const items = itemsOf(frame);
  if (shape !== undefined) return arraySource(asarray(items, { shape }));
  const bytes = new Uint8Array(items.buffer);
  return { nbytes, read: ({ start: [from], stop: [to] }) => bytes.subarray(from, to) };
}

/** Writes the frame as one process does, chunk by chunk. */
export function writeAlone(frame: PlannedFrame, path: string): void {
  const { shape, dtype, chunks, typesize, chunksize, cparams, sparse, checksum } = frame.options;
  const place = { urlpath: path, io: stdio(), contiguous: sparse !== true, checksum, commit: false };
  const items = itemsOf(frame);
  if (shape === undefined) {
    SChunk.create({ ...place, typesize, chunksize, cparams, data: new Uint8Array(items.buffer) }).close();
    return;
  }
  using all = asarray(items, { shape });
  using out = zeros(shape, { ...place, dtype, chunks, cparams });
  for (let i = 0; i < out.grid.nchunks; i++) {
    const { start, stop } = boxOfChunk(out, i);
    out.setSlice(start, stop, all.getSlice(start, stop));
  }
}
