/** Random store programs. @module */
import { sampleData } from "./sample-data.js";
import { SeededRandom } from "./seeded-random.js";
import type { StoreProgram, StoreStep } from "./store-program.js";

/** No key is the front of another, so that they fit into a tree. */
const KEYS = ["/a", "/b.c", "/group/a", "/group/.hidden", "/group/inner/deep/x", "/größe/ß"] as const;
const GROUPS = ["/", "/group", "/group/inner", "/only"] as const;
const VALUES: readonly unknown[] = [1, -2.5, "text", [1, "two", null], { nested: { yes: true } }, 4_000_000_000, ""];
const DTYPES = [
  ["|u1", 1],
  ["<i4", 4],
  ["<f8", 8],
] as const;

class StepGenerator {
  readonly #random: SeededRandom;
  readonly #isTree: boolean;
  readonly #there = new Set<string>();

  constructor(random: SeededRandom, isTree: boolean) {
    this.#random = random;
    this.#isTree = isTree;
  }

  next(): StoreStep {
    const random = this.#random;
    if (this.#isTree && random.oneIn(4)) {
      return {
        op: "set-attribute",
        group: random.pick(GROUPS),
        name: random.pick(["name", "unit"]),
        value: random.pick(VALUES),
      };
    }
    const key = random.pick(KEYS);
    if (this.#there.has(key) && random.oneIn(2)) {
      this.#there.delete(key);
      return { op: "delete", key };
    }
    this.#there.add(key);
    return this.#set(key);
  }

  #set(key: string): StoreStep {
    const random = this.#random;
    if (random.oneIn(3)) {
      const byteLength = random.integer(1, 3000);
      const data = sampleData(random, byteLength, 1, false);
      return { op: "set", key, kind: "super-chunk", dtype: "", shape: [byteLength], chunksize: 1000, data };
    }
    const [dtype, itemsize] = random.pick(DTYPES);
    const shape = Array.from({ length: random.integer(1, 3) }, () => random.integer(1, 12));
    const data = sampleData(
      random,
      shape.reduce((all, size) => all * size, 1),
      itemsize,
      false,
    );
    return { op: "set", key, kind: "array", dtype, shape, chunksize: 0, data };
  }
}

/** The program of a seed. */
export function generateStoreProgram(seed: number): StoreProgram {
  const random = new SeededRandom(seed ^ 0x5708e);
  const format = random.pick(["b2z", "b2d", "b2e"] as const);
  const type = format === "b2e" ? "embed" : random.pick(["tree", "dict"] as const);
  const generator = new StepGenerator(random, type === "tree");
  return {
    seed,
    first: random.pick(["b2frame", "python"]),
    format,
    type,
    threshold: random.pick([0, 0, 500]),
    segments: Array.from({ length: random.integer(1, 4) }, () =>
      Array.from({ length: random.integer(1, 4) }, () => generator.next()),
    ),
  };
}
