/** The oracle of array programs: the items in one buffer, copied one by one. @module */
import { type ArrayProgram, type ArrayState, type ArrayStep, type Box, boxesOf } from "./array-program.js";
import { sha256, stateDifference } from "./compare-state.js";

/** Visits every index of a box in C order. */
function* indicesOf({ start, stop }: Box): IterableIterator<readonly number[]> {
  if (start.some((from, dim) => from >= (stop[dim] as number))) return;
  const index = [...start];
  for (;;) {
    yield index;
    let dim = index.length - 1;
    for (; dim >= 0; dim -= 1) {
      index[dim] = (index[dim] as number) + 1;
      if ((index[dim] as number) < (stop[dim] as number)) break;
      index[dim] = start[dim] as number;
    }
    if (dim < 0) return;
  }
}

/** The items that an array must have. */
export class ArrayModel {
  readonly #program: ArrayProgram;
  readonly #vlmeta = new Map<string, string>();
  #shape: readonly number[];
  #items: Uint8Array;

  constructor(program: ArrayProgram) {
    const { shape, itemsize, start } = program;
    this.#program = program;
    this.#shape = shape;
    const byteLength = shape.reduce((product, size) => product * size, itemsize);
    this.#items = start.kind === "data" ? start.data.slice() : new Uint8Array(byteLength);
    if (start.kind === "full") {
      for (let at = 0; at < byteLength; at += itemsize) this.#items.set(start.item, at);
    }
  }

  get shape(): readonly number[] {
    return this.#shape;
  }

  apply(step: ArrayStep): void {
    if (step.op === "set-vlmeta") this.#vlmeta.set(step.name, step.value);
    else if (step.op === "set") this.#set(step, step.data);
    else this.#resize(step.shape);
  }

  difference(found: ArrayState): string {
    const { chunks: chunkShape, blocks: blockShape, dtype } = this.#program;
    const expected: ArrayState = {
      shape: this.#shape,
      chunks: chunkShape,
      blocks: blockShape,
      dtype,
      content: sha256(this.#items),
      boxes: boxesOf(this.#program, this.#shape).map((box) => sha256(this.#read(box))),
      vlmeta: Object.fromEntries(this.#vlmeta),
    };
    return stateDifference(expected, found);
  }

  #position(index: readonly number[]): number {
    const item = index.reduce((sum, at, dim) => sum * (this.#shape[dim] as number) + at, 0);
    return item * this.#program.itemsize;
  }

  #read(box: Box): Uint8Array {
    const { itemsize } = this.#program;
    const pieces = Array.from(indicesOf(box), (index) => {
      const position = this.#position(index);
      return this.#items.subarray(position, position + itemsize);
    });
    return Buffer.concat(pieces);
  }

  #set(box: Box, data: Uint8Array): void {
    const { itemsize } = this.#program;
    let from = 0;
    for (const index of indicesOf(box)) {
      this.#items.set(data.subarray(from, from + itemsize), this.#position(index));
      from += itemsize;
    }
  }

  #resize(shape: readonly number[]): void {
    const { itemsize } = this.#program;
    const kept = {
      start: shape.map(() => 0),
      stop: shape.map((size, dim) => Math.min(size, this.#shape[dim] as number)),
    };
    const data = this.#read(kept);
    this.#shape = shape;
    this.#items = new Uint8Array(shape.reduce((product, size) => product * size, itemsize));
    this.#set(kept, data);
  }
}
