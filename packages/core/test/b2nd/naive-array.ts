/** An n-dimensional array kept the obvious way, as the oracle: flat numbers in C order. */
export class NaiveArray {
  shape: number[];
  values: number[];

  constructor(shape: readonly number[], values: readonly number[]) {
    this.shape = [...shape];
    this.values = [...values];
  }

  static generate(shape: readonly number[], value: (flat: number) => number): NaiveArray {
    const count = shape.reduce((a, b) => a * b, 1);
    return new NaiveArray(
      shape,
      Array.from({ length: count }, (_, i) => value(i)),
    );
  }

  #flat(coordinates: readonly number[]): number {
    return coordinates.reduce((at, c, dim) => at * (this.shape[dim] as number) + c, 0);
  }

  at(coordinates: readonly number[]): number {
    return this.values[this.#flat(coordinates)] as number;
  }

  put(coordinates: readonly number[], value: number): void {
    this.values[this.#flat(coordinates)] = value;
  }

  /** Items at the product of per-dimension positions. */
  take(positions: readonly (readonly number[])[]): number[] {
    return combinations(positions).map((c) => this.at(c));
  }
}

/** Every combination of one number from each list, last dimension fastest. */
export function combinations(lists: readonly (readonly number[])[]): number[][] {
  let all: number[][] = [[]];
  for (const list of lists) all = all.flatMap((head) => list.map((n) => [...head, n]));
  return all;
}

/** Positions that Python's `range(*slice(start, stop, step).indices(size))` gives, by definition rather than by formula. */
export function slicePositions(size: number, start: number | null, stop: number | null, step: number): number[] {
  const clip = (n: number, low: number, high: number) => Math.min(high, Math.max(low, n));
  const wrap = (n: number) => (n < 0 ? n + size : n);
  const positions: number[] = [];
  if (step > 0) {
    const from = start === null ? 0 : clip(wrap(start), 0, size);
    const to = stop === null ? size : clip(wrap(stop), 0, size);
    for (let i = from; i < to; i += step) positions.push(i);
  } else {
    const from = start === null ? size - 1 : clip(wrap(start), -1, size - 1);
    const to = stop === null ? -1 : clip(wrap(stop), -1, size - 1);
    for (let i = from; i > to; i += step) positions.push(i);
  }
  return positions;
}
