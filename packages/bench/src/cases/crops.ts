/** Small cubes out of a big array. @module */
import { asarray, openArray } from "@b2frame/core";
import type { BenchCase } from "../bench-case.js";
import type { BenchContext } from "../bench-context.js";
import { fileContenders } from "../contenders.js";
import { CPARAMS } from "../parameters.js";
import { randomIndices } from "./random-reads.js";

const FULL_SHAPE: readonly [number, number, number] = [512, 512, 128];
const ITEMSIZE = 2;
const EDGE = 32;
const CROPS = 1000;

/** The full shape, or one with fewer planes where the data is not enough. */
function shapeFor(byteLength: number): readonly [number, number, number] {
  const [planes, rows, columns] = FULL_SHAPE;
  return [Math.min(planes, Math.max(EDGE, Math.floor(byteLength / (rows * columns * ITEMSIZE)))), rows, columns];
}

/** Cubes of 32 x 32 x 32 voxels; chunks and blocks are shaped as python-blosc2 chooses. */
export const crops: BenchCase = {
  name: "crops",
  title: "Open an array of 512 x 512 x 128 int16, read 1,000 random cubes of 32 x 32 x 32, close",
  async *trials(context: BenchContext) {
    const { bytes } = context.dataset("volume");
    const shape = shapeFor(bytes.byteLength);
    const values = new Int16Array(bytes.buffer, 0, shape[0] * shape[1] * shape[2]);
    const path = context.newPath();
    const options = { shape, dtype: "<i2", urlpath: path, io: context.backends.stdio, cparams: CPARAMS };
    const array = asarray(values, options);
    const { chunks: chunkShape, blocks: blockShape } = array;
    array.close();
    const count = context.count(CROPS);
    const starts = new Int32Array(count * shape.length);
    shape.forEach((length, axis) => {
      randomIndices(7 + axis, count, length - EDGE + 1).forEach((start, i) => {
        starts[i * shape.length + axis] = start;
      });
    });
    await context.shareIndices(starts);
    yield {
      data: "volume",
      parameters: { shape: shape.join("x"), chunks: chunkShape.join("x"), blocks: blockShape.join("x"), crops: count },
      unit: "op/s",
      contenders: fileContenders(context, {
        amount: count,
        paths: { ours: path, theirs: path },
        ours: (file, backend) => {
          using volume = openArray(file, { io: backend });
          const target = new Uint8Array(EDGE ** 3 * ITEMSIZE);
          for (let at = 0; at < starts.length; at += shape.length) {
            const index = shape.map((_, axis) => {
              const start = starts[at + axis] as number;
              return { start, stop: start + EDGE };
            });
            volume.get(index, { target });
          }
          return target;
        },
        theirs: (driver, file) => driver.crops(file, EDGE),
      }),
    };
    context.remove(path);
  },
};
