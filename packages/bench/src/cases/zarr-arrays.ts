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
import { cropsOf, edgeFor, field, ITEMSIZE, indexOf, type Slice, shapesOf, shapeTexts, wholeOf } from "./field.js";

const COMPRESSIONS: readonly ZarrCompression[] = [
  { codec: "lz4", clevel: 5 },
  { codec: "zstd", clevel: 5 },
];

function readSlices(path: string, io: BenchContext["backends"]["stdio"], slices: readonly Slice[]): Uint8Array {
  using array = openArray(path, { io });
  let last: Uint8Array = new Uint8Array();
  for (const slice of slices) last = array.get(indexOf(slice)).bytes;
  return last;
}

async function readSlicesByZarrita(folder: string, slices: readonly Slice[]): Promise<Uint8Array> {
  const array = await zarr.open.v3(new FileSystemStore(folder), { kind: "array" });
  let last = new Float32Array();
  for (const slice of slices) {
    const selection = indexOf(slice).map(({ start, stop }) => zarr.slice(start, stop));
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
    const shapes = shapesOf(edge);
    const crops = cropsOf(edge);
    const readings = [
      { workload: "all", slices: wholeOf(edge), unit: "MiB/s", amount: edge ** 3 * ITEMSIZE },
      { workload: `${crops.length} crops`, slices: crops, unit: "op/s", amount: crops.length },
    ] as const;
    for (const compression of COMPRESSIONS) {
      const folder = context.newPath();
      mkdirSync(folder, { recursive: true });
      const path = join(folder, "array.b2nd");
      const zarrPath = join(folder, "array.zarr");
      const { codec, clevel } = compression;
      const options = { ...shapes, cparams: { codec, clevel }, io: context.backends.stdio, urlpath: path };
      using array = asarray(values, options);
      array.commit();
      await writeZarr(array, zarrPath, "float32", compression);
      for (const { workload, slices, unit, amount } of readings) {
        const common = { backend: "stdio", workers: 0, amount, warmUp: true } as const;
        yield {
          data: "field",
          parameters: { workload, codec, clevel, filter: "shuffle", ...shapeTexts(shapes) },
          unit,
          contenders: [
            { ...common, name: "b2frame", sample: () => timed(() => readSlices(path, context.backends.stdio, slices)) },
            { ...common, name: "zarrita", sample: () => timedAsync(() => readSlicesByZarrita(zarrPath, slices)) },
          ],
        };
      }
      context.remove(folder);
    }
  },
};
