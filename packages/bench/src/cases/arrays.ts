/** Arrays as images, volumes and fields are kept: cubic blocks, read whole, by crops and by planes, and written. @module */
import { asarray, type CParams, openArray } from "@b2frame/core";
import { readArray, type WorkerPool } from "@b2frame/workers";
import type { BenchCase } from "../bench-case.js";
import type { BenchContext } from "../bench-context.js";
import { fileContenders } from "../contenders.js";
import type { CArray } from "../peer/c-driver.js";
import type { CaseName, Trial, Unit } from "../trial.js";
import { cropsOf, edgeFor, field, ITEMSIZE, indexOf, type Slice, shapesOf, shapeTexts, wholeOf } from "./field.js";

/** A codec as arrays are compressed with it. */
interface Compression {
  readonly codec: string;
  readonly clevel: number;
  readonly filter: "shuffle" | "bitshuffle";
}

const COMPRESSIONS: readonly Compression[] = [
  { codec: "lz4", clevel: 5, filter: "shuffle" },
  { codec: "lz4hc", clevel: 9, filter: "shuffle" },
  { codec: "blosclz", clevel: 5, filter: "shuffle" },
  { codec: "zstd", clevel: 5, filter: "shuffle" },
  { codec: "zstd", clevel: 8, filter: "bitshuffle" },
  { codec: "zlib", clevel: 5, filter: "shuffle" },
];
/** Ids of the filters in the format. */
const FILTER_IDS = { shuffle: 1, bitshuffle: 2 } as const;

function describe(edge: number, { codec, clevel, filter }: Compression): CArray {
  return { ...shapesOf(edge), codec, clevel, filter: FILTER_IDS[filter] };
}

/** What the cases differ in. */
interface Reading {
  readonly name: CaseName;
  readonly title: string;
  readonly unit: Unit;
  slices(edge: number): readonly Slice[];
  amount(edge: number, slices: readonly Slice[]): number;
  /** What the case counts beside shapes and compression. */
  readonly counted?: string;
  /** Whether worker threads read the first slice, all of it at once, as well. */
  readonly onWorkers?: boolean;
}

function parametersOf(array: CArray, { filter }: Compression): Trial["parameters"] {
  const { codec, clevel } = array;
  return { codec, clevel, filter, ...shapeTexts(array) };
}

function cparamsOf({ codec, clevel, filter }: Compression): Partial<CParams> {
  return { codec, clevel, filters: [filter] };
}

/** Writes the array by b2frame. Gives the number of chunks. */
function write(
  path: string,
  values: Float32Array,
  array: CArray,
  compression: Compression,
  options: Pick<NonNullable<Parameters<typeof asarray>[1]>, "io" | "durability">,
): number {
  const { shape, chunks, blocks } = array;
  const shapes = { shape, chunks, blocks };
  using out = asarray(values, { ...shapes, ...options, urlpath: path, mode: "w", cparams: cparamsOf(compression) });
  return out.schunk.nchunks;
}

/** The cube, here and in the driver's memory. */
async function sharedField(context: BenchContext): Promise<{ readonly edge: number; readonly values: Float32Array }> {
  const edge = edgeFor(context.byteLength);
  const values = field(edge);
  await context.shareData(`field of ${edge}`, new Uint8Array(values.buffer));
  return { edge, values };
}

function readingCase({ name, title, unit, slices: slicesOf, amount, counted, onWorkers = false }: Reading): BenchCase {
  return {
    name,
    title,
    async *trials(context: BenchContext) {
      const { edge, values } = await sharedField(context);
      const slices = slicesOf(edge);
      const indices = slices.map(indexOf);
      const sizes = slices.map(({ from, to }) => to.reduce((n, stop, i) => n * (stop - (from[i] as number)), ITEMSIZE));
      const memory = new Uint8Array(Math.max(...sizes)).fill(1);
      const targets = sizes.map((byteLength) => memory.subarray(0, byteLength));
      const shared = new Map<WorkerPool, Uint8Array>();
      const readOnWorkers = async (file: string, io: "stdio" | "mmap", pool: WorkerPool): Promise<Uint8Array> => {
        const target = shared.get(pool) ?? pool.allocate(sizes[0] as number).fill(1);
        shared.set(pool, target);
        return (await readArray(file, indices[0], { io, pool, target })).bytes;
      };
      for (const compression of COMPRESSIONS) {
        const array = describe(edge, compression);
        const path = context.newPath();
        if (context.driver === undefined) {
          write(path, values, array, compression, { io: context.backends.stdio });
        } else await context.driver.writeArray({ path, io: "stdio", threads: 1 }, array);
        await context.shareIndices(Int32Array.from(slices.flatMap(({ from, to }) => [...from, ...to])));
        yield {
          data: "field",
          parameters: {
            ...parametersOf(array, compression),
            ...(counted === undefined ? {} : { [counted]: slices.length }),
          },
          unit,
          contenders: fileContenders(context, {
            amount: amount(edge, slices),
            paths: { ours: path, theirs: path },
            ours: (file, backend) => {
              using opened = openArray(file, { io: backend });
              indices.forEach((index, i) => {
                opened.get(index, { target: targets[i] });
              });
              return targets.at(-1) as Uint8Array;
            },
            ...(onWorkers ? { oursOnWorkers: readOnWorkers } : {}),
            theirs: (driver, file) => driver.readSlices(file),
          }),
        };
        context.remove(path);
      }
    },
  };
}

/** All of the array. */
export const arrayRead: BenchCase = readingCase({
  name: "array-read",
  title: "Open an array of 256 x 256 x 256 float32 in blocks of 32 x 32 x 32, read all of it, close",
  unit: "MiB/s",
  onWorkers: true,
  slices: wholeOf,
  amount: (edge) => edge ** 3 * ITEMSIZE,
});

/** Cubes, as training takes them. */
export const arrayCrop: BenchCase = readingCase({
  name: "array-crop",
  title: "Open that array, read 10 random cubes of 96 x 96 x 96, close",
  unit: "op/s",
  counted: "crops",
  slices: cropsOf,
  amount: (_, slices) => slices.length,
});

/** Planes, as viewers show them. */
export const arrayPlane: BenchCase = readingCase({
  name: "array-plane",
  title: "Open that array, read one plane across each axis, close",
  unit: "op/s",
  counted: "planes",
  slices: (edge) =>
    [0, 1, 2].map((axis) => {
      const at = Math.floor((edge * 2) / 5);
      return {
        from: [0, 1, 2].map((dim) => (dim === axis ? at : 0)),
        to: [0, 1, 2].map((dim) => (dim === axis ? at + 1 : edge)),
      };
    }),
  amount: (_, slices) => slices.length,
});

/** Writing of the whole array. */
export const arrayWrite: BenchCase = {
  name: "array-write",
  title: "Create that array from values in memory, close",
  async *trials(context: BenchContext) {
    const { edge, values } = await sharedField(context);
    for (const compression of COMPRESSIONS) {
      const array = describe(edge, compression);
      const paths = { ours: context.newPath(), theirs: context.newPath() };
      yield {
        data: "field",
        parameters: parametersOf(array, compression),
        unit: "MiB/s",
        contenders: fileContenders(context, {
          amount: edge ** 3 * ITEMSIZE,
          paths,
          writes: "without-sync",
          prepare: (path) => context.remove(path),
          ours: (path, backend, durability) => write(path, values, array, compression, { io: backend, durability }),
          theirs: (driver, file) => driver.writeArray(file, array),
        }),
      };
      context.remove(paths.ours);
      context.remove(paths.theirs);
    }
  },
};
