/** Random array programs. @module */
import { ArrayModel } from "./array-model.js";
import type { ArrayProgram, ArrayStart, ArrayStep } from "./array-program.js";
import { CODECS, FILTERS_FOR_ARRAYS, SPLIT_MODES, slotsOf } from "./cparams-choices.js";
import { sampleData } from "./sample-data.js";
import { SeededRandom } from "./seeded-random.js";

/** dtypes whose items may be any bytes, as NumPy spells them, and their sizes. */
const DTYPES = [
  ["|u1", 1],
  ["|i1", 1],
  ["<i2", 2],
  ["<u4", 4],
  ["<i8", 8],
  ["<f4", 4],
  ["<f8", 8],
  ["<c16", 16],
  ["|S7", 7],
  ["[('a', '<i4'), ('b', '<f8')]", 12],
] as const;

const MAX_SIZE = [0, 3000, 70, 18, 9] as const;
const BOXES = 3;

function product(shape: readonly number[]): number {
  return shape.reduce((all, size) => all * size, 1);
}

function wholeChunks(size: number, chunk = 1): number {
  return Math.ceil(size / chunk) * chunk;
}

/** Makes steps that fit the array as the model has it. */
class StepGenerator {
  readonly #random: SeededRandom;
  readonly #program: ArrayProgram;
  readonly #model: ArrayModel;
  /** Largest size that each dimension ever had within its last chunk: items there are not erased by shrinking. */
  readonly #remains: number[];

  constructor(random: SeededRandom, program: ArrayProgram) {
    this.#random = random;
    this.#program = program;
    this.#model = new ArrayModel(program);
    const { shape, chunks: chunkShape, start } = program;
    // A value everywhere is also in the part of the last chunks that lies outside.
    this.#remains = shape.map((size, dim) => (start.kind === "full" ? wholeChunks(size, chunkShape[dim]) : size));
  }

  next(): ArrayStep {
    const step = this.#propose();
    this.#model.apply(step);
    return step;
  }

  #propose(): ArrayStep {
    const random = this.#random;
    const kind = random.integer(0, 9);
    if (kind < 6) return this.#set();
    if (kind < 9) return this.#resize();
    return { op: "set-vlmeta", name: random.pick(["units", "v"]), value: random.pick(["00", "c0ffee", "93010203"]) };
  }

  #set(): ArrayStep {
    const random = this.#random;
    const { itemsize } = this.#program;
    const start = this.#model.shape.map((size) => random.integer(0, size - 1));
    const stop = this.#model.shape.map((size, dim) => random.integer((start[dim] as number) + 1, size));
    const count = product(stop.map((to, dim) => to - (start[dim] as number)));
    return { op: "set", start, stop, data: sampleData(random, count, itemsize, false) };
  }

  /** Grows over what a shrink left behind only in whole chunks, because what shows up there is not defined. */
  #resize(): ArrayStep {
    const { chunks: chunkShape } = this.#program;
    const shape = this.#model.shape.map((size, dim) => {
      if (this.#random.oneIn(2)) return size;
      const chunk = chunkShape[dim] as number;
      const remains = this.#remains[dim] as number;
      const wanted = this.#random.integer(1, (MAX_SIZE[chunkShape.length] as number) + chunk);
      const isHidden = wanted > size && size < remains;
      return isHidden ? size : wanted;
    });
    for (const [dim, size] of shape.entries()) {
      const chunk = chunkShape[dim] as number;
      this.#remains[dim] = Math.max(size, Math.min(this.#remains[dim] as number, wholeChunks(size, chunk)));
    }
    return { op: "resize", shape };
  }
}

function startOf(random: SeededRandom, itemCount: number, itemsize: number): ArrayStart {
  switch (random.integer(0, 3)) {
    case 0:
      return { kind: "zeros" };
    case 1:
      return { kind: "full", item: sampleData(random, 1, itemsize, true) };
    default:
      return { kind: "data", data: sampleData(random, itemCount, itemsize, false) };
  }
}

/** The program of a seed. */
export function generateArrayProgram(seed: number): ArrayProgram {
  const random = new SeededRandom(seed ^ 0x5eed);
  const [dtype, itemsize] = random.pick(DTYPES);
  const ndim = random.integer(1, 4);
  const shape = Array.from({ length: ndim }, () => random.integer(1, MAX_SIZE[ndim] as number));
  const chunkShape = shape.map((size) => random.integer(1, size));
  const blockShape = chunkShape.map((size) => random.integer(1, size));
  const program: ArrayProgram = {
    seed,
    first: random.pick(["b2frame", "python"]),
    contiguous: !random.oneIn(5),
    dtype,
    itemsize,
    shape,
    chunks: chunkShape,
    blocks: blockShape,
    cparams: {
      codec: random.pick(CODECS),
      clevel: random.integer(0, 9),
      typesize: itemsize,
      blocksize: 0,
      splitmode: random.pick(SPLIT_MODES),
      ...slotsOf(random.pick(FILTERS_FOR_ARRAYS), random.oneIn(2)),
    },
    start: startOf(random, product(shape), itemsize),
    segments: [],
    boxes: Array.from({ length: BOXES }, () =>
      shape.map(() => {
        const [a, b] = [random.integer(0, 100) / 100, random.integer(0, 100) / 100];
        return [Math.min(a, b), Math.max(a, b)] as const;
      }),
    ),
  };
  const generator = new StepGenerator(random, program);
  const segments = Array.from({ length: random.integer(1, 4) }, () =>
    Array.from({ length: random.integer(1, 4) }, () => generator.next()),
  );
  return { ...program, segments };
}
