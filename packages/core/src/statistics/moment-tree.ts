/**
 * Sums of many pieces in one fixed order. Pieces are joined in pairs, pairs of pairs, and so on, by their numbers and not by when they come:
 * runs of pieces that were summed apart, by whomever, give the same bits when they are joined as all pieces one after another.
 *
 * @module
 */

/** How many values there are, their sum as an unevaluated sum of two doubles, and the sum of squares of their distances from the mean. */
export interface Moments {
  readonly count: number;
  readonly sum: number;
  readonly sumRest: number;
  readonly squares: number;
}

/** The moments of `2 ** level` pieces. */
export interface MomentNode extends Moments {
  readonly level: number;
}

const NONE: Moments = { count: 0, sum: 0, sumRest: 0, squares: 0 };

/** The moments of two sets of values together. */
function joined(left: Moments, right: Moments): Moments {
  if (left.count === 0) return right;
  if (right.count === 0) return left;
  const sum = left.sum + right.sum;
  // What rounding took from the sum (Knuth's TwoSum); an overflow leaves no rest.
  const shift = sum - left.sum;
  const lost = left.sum - (sum - shift) + (right.sum - shift);
  const count = left.count + right.count;
  const apart = meanOf(right) - meanOf(left);
  return {
    count,
    sum,
    sumRest: Number.isFinite(sum) ? lost + left.sumRest + right.sumRest : 0,
    squares: left.squares + right.squares + apart * apart * ((left.count / count) * right.count),
  };
}

/** Their mean; NaN of no values. */
export function meanOf({ sum, sumRest, count }: Moments): number {
  return (sum + sumRest) / count;
}

/** A run of pieces, from the one numbered `first`. */
export class MomentTree {
  readonly first: number;
  /** Of growing numbers; their levels fall, apart from those at the beginning of a run that does not begin at 0. */
  readonly #nodes: MomentNode[] = [];
  #stop: number;

  constructor(first = 0) {
    this.first = first;
    this.#stop = first;
  }

  /** The number of the piece that comes next. */
  get stop(): number {
    return this.#stop;
  }

  get nodes(): readonly MomentNode[] {
    return this.#nodes;
  }

  /** Adds the piece, or the pieces, that come next. */
  push(node: MomentNode): void {
    this.#stop += 2 ** node.level;
    let last = node;
    for (;;) {
      const before = this.#nodes.at(-1);
      const start = this.#stop - 2 ** (last.level + 1);
      if (before?.level !== last.level || start % 2 ** (last.level + 1) !== 0) break;
      this.#nodes.pop();
      last = { ...joined(before, last), level: last.level + 1 };
    }
    this.#nodes.push(last);
  }

  /** Of all pieces. */
  total(): Moments {
    return this.#nodes.reduceRight((sum: Moments, node) => joined(node, sum), NONE);
  }

  /** Empties a run. */
  clear(): void {
    this.#nodes.length = 0;
    this.#stop = this.first;
  }
}
