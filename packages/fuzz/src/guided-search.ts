/** Coverage-guided fuzzing: damaged inputs that reach new code are damaged further. @module */
import type { SeededRandom } from "@b2frame/interop/seeded-random";
import { BlockCoverage } from "./block-coverage.js";
import { damaged } from "./havoc.js";
import type { Input } from "./input.js";

/** Taking coverage costs as much as reading many inputs, so it is taken of batches, and of their parts if they reach new code. */
const BATCH = 100;
const RECENT = 20;

/** What a search needs from its surroundings. */
export interface SearchOptions {
  readonly seeds: readonly Input[];
  readonly random: SeededRandom;
  /** Reads and judges an input. */
  readonly run: (input: Input) => void;
  readonly isOver: () => boolean;
}

/** Searches until it is over; gives the inputs that reached code which none before them had reached. */
export function guidedSearch({ seeds, random, run, isOver }: SearchOptions): { found: Input[]; covered: number } {
  const coverage = new BlockCoverage();
  const corpus = [...seeds];
  for (const seed of seeds) run(seed);
  coverage.sawNew(true);

  const pick = (): Input => (random.oneIn(2) ? random.pick(corpus) : random.pick(corpus.slice(-RECENT)));
  const keepNew = (batch: readonly Input[]): void => {
    for (const input of batch) run(input);
    const isSingle = batch.length === 1;
    if (!coverage.sawNew(isSingle)) return;
    if (isSingle) {
      corpus.push(batch[0] as Input);
      return;
    }
    const half = batch.length >> 1;
    keepNew(batch.slice(0, half));
    keepNew(batch.slice(half));
  };
  while (!isOver()) keepNew(Array.from({ length: BATCH }, () => damaged(pick(), random.pick(corpus), random)));
  const covered = coverage.size;
  coverage.close();
  return { found: corpus.slice(seeds.length), covered };
}
