/** The arrays of the other cases against zarrita, which reads them as Zarr in the same chunks. @module */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { asarray, openArray } from "@b2frame/core";
import FileSystemStore from "@zarrita/storage/fs";
import Blosc from "numcodecs/blosc";
import * as zarr from "zarrita";
import type { BenchCase } from "../bench-case.js";
import type { BenchContext } from "../bench-context.js";
import { timed, timedAsync } from "../clock.js";
import { writeZarr, type ZarrCompression } from "../zarr/write-zarr.js";
import { BLOCK, edgeFor, field, ITEMSIZE } from "./field.js";
import { randomIndices } from "./random-reads.js";

const COMPRESSIONS: readonly ZarrCompression[] = [
  { codec: "lz4", clevel: 5 },
  { codec: "zstd", clevel: 5 },
];
const CHUNK = 128;
const CROP = 96;
const CROPS = 10;

/** A cube of the array, by where it begins, and its edge. */
interface Cubes {
  readonly starts: readonly (readonly number[])[];
  readonly edge: number;
}

function readCubes(path: string, io: BenchContext["backends"]["stdio"], { starts, edge }: Cubes): Uint8Array {
  using array = openArray(path, { io });
  let last: Uint8Array = new Uint8Array();
  for (const start of starts) last = array.get(start.map((from) => ({ start: from, stop: from + edge }))).bytes;
  return last;
}

async function readCubesByZarrita(folder: string, { starts, edge }: Cubes): Promise<Uint8Array> {
  const array = await zarr.open.v3(new FileSystemStore(folder), { kind: "array" });
  let last = new Float32Array();
  for (const start of starts) {
    const selection = start.map((from) => zarr.slice(from, from + edge));
    last = (await zarr.get(array, selection)).data as Float32Array<ArrayBuffer>;
  }
  return new Uint8Array(last.buffer, last.byteOffset, last.byteLength);
}

/** See the module. */
export const zarrArrays: BenchCase = {
  name: "zarr-arrays",
  title: "The array of array-read in LZ4 and zstd, all of it and 10 random cubes of it, against zarrita with numcodecs",
  async *trials(context: BenchContext) {
    if (!context.numcodecs) return;
    // The case on remote arrays gives zarrita b2frame's codec.
    zarr.registry.set("blosc", () => Promise.resolve(Blosc));
    const edge = edgeFor(context.byteLength);
    const values = field(edge);
    const cubeEdge = Math.min(CROP, edge / 2);
    const axes = [0, 1, 2].map((axis) => randomIndices(11 + axis, CROPS, edge - cubeEdge + 1));
    const starts = Array.from({ length: CROPS }, (_, i) => axes.map((axis) => axis[i] as number));
    const readings = [
      { workload: "all", cubes: { starts: [[0, 0, 0]], edge }, unit: "MiB/s", amount: edge ** 3 * ITEMSIZE },
      { workload: "10 crops", cubes: { starts, edge: cubeEdge }, unit: "op/s", amount: CROPS },
    ] as const;
    for (const compression of COMPRESSIONS) {
      const folder = context.newPath();
      mkdirSync(folder, { recursive: true });
      const path = join(folder, "array.b2nd");
      const zarrPath = join(folder, "array.zarr");
      const shapes = [edge, Math.min(CHUNK, edge), BLOCK].map((length) => [length, length, length]);
      const [shape, chunks, blocks] = shapes;
      const { codec, clevel } = compression;
      const options = { shape, chunks, blocks, cparams: { codec, clevel }, io: context.backends.stdio, urlpath: path };
      using array = asarray(values, options);
      array.commit();
      await writeZarr(array, zarrPath, "float32", compression);
      const [shapeText, chunksText, blocksText] = shapes.map((lengths) => lengths.join("x")) as [
        string,
        string,
        string,
      ];
      for (const { workload, cubes, unit, amount } of readings) {
        const common = { backend: "stdio", workers: 0, amount, warmUp: true } as const;
        yield {
          data: "field",
          parameters: {
            workload,
            codec,
            clevel,
            filter: "shuffle",
            shape: shapeText,
            chunks: chunksText,
            blocks: blocksText,
          },
          unit,
          contenders: [
            { ...common, name: "b2frame", sample: () => timed(() => readCubes(path, context.backends.stdio, cubes)) },
            { ...common, name: "zarrita", sample: () => timedAsync(() => readCubesByZarrita(zarrPath, cubes)) },
          ],
        };
      }
      context.remove(folder);
    }
  },
};
