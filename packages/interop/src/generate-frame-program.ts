/** Random frame programs. What C-Blosc2 is known to get wrong (the docs list it) is left out where it writes. @module */
import { CODECS, filterChoices, SPLIT_MODES, slotsOf } from "./cparams-choices.js";
import { FrameModel, isLossy } from "./frame-model.js";
import type { FrameProgram, ProgramCParams, Step } from "./frame-program.js";
import { sampleData } from "./sample-data.js";
import { SeededRandom } from "./seeded-random.js";

const TYPESIZES = [1, 2, 3, 4, 4, 5, 7, 8, 8, 12, 16, 24, 255, 256, 300] as const;
const VLMETA_NAMES = ["author", "units", "v", "série"] as const;
const MAX_CHUNK_BYTES = 1 << 16;
const BIG_CHUNK_BYTES = 1 << 20;

function randomCParams(random: SeededRandom, chunksize: number, typesize: number): ProgramCParams {
  const itemsPerChunk = chunksize / typesize;
  const isExplicit = itemsPerChunk > 8 && random.oneIn(3);
  return {
    codec: random.pick(CODECS),
    clevel: random.integer(0, 9),
    typesize,
    blocksize: isExplicit ? random.integer(4, itemsPerChunk - 1) * typesize : 0,
    splitmode: random.pick(SPLIT_MODES),
    ...slotsOf(random.pick(filterChoices(typesize)), random.oneIn(2)),
  };
}

/** Makes steps that fit the frame as the model has it. */
class StepGenerator {
  readonly #random: SeededRandom;
  readonly #program: FrameProgram;
  readonly #model: FrameModel;
  /** Chunks may differ in size. */
  readonly #variable: boolean;

  constructor(random: SeededRandom, program: FrameProgram, variable: boolean) {
    this.#random = random;
    this.#program = program;
    this.#model = new FrameModel(program);
    this.#variable = variable;
  }

  next(): Step {
    const step = this.#propose();
    this.#model.apply(step);
    return step;
  }

  #propose(): Step {
    const random = this.#random;
    const chunkCount = this.#model.chunkSizes.length;
    if (chunkCount === 0) return { op: "append", data: this.#chunkData() };
    const op = random.pick([
      ...(["append", "append", "append", "insert", "update", "update", "delete", "reorder", "set-vlmeta"] as const),
      ...(["set-vlmeta", "delete-vlmeta", "set-slice"] as const),
    ]);
    switch (op) {
      case "append":
        return { op, data: this.#chunkData() };
      case "insert":
        return { op, chunk: random.integer(0, chunkCount), data: this.#chunkData() };
      case "update":
        return { op, chunk: random.integer(0, chunkCount - 1), data: this.#chunkData() };
      case "delete":
        return { op, chunk: random.integer(0, chunkCount - 1) };
      case "reorder":
        return this.#mayReorder() ? { op, order: random.permutation(chunkCount) } : this.#setVlmeta();
      case "set-slice":
        return this.#variable || isLossy(this.#program.cparams) ? this.#setVlmeta() : this.#setSlice();
      case "set-vlmeta":
        return this.#setVlmeta();
      case "delete-vlmeta": {
        const names = this.#model.vlmetaNames;
        return names.length === 0 ? this.#setVlmeta() : { op, name: random.pick(names) };
      }
    }
  }

  /** C-Blosc2 corrupts the frame when the one short chunk leaves the last place. */
  #mayReorder(): boolean {
    const { chunkSizes } = this.#model;
    const { chunksize } = this.#program;
    return chunkSizes.at(-1) === chunksize || chunkSizes.slice(0, -1).some((size) => size !== chunksize);
  }

  #chunkData(): Uint8Array {
    const { chunksize, cparams } = this.#program;
    const wholeChunk = chunksize / cparams.typesize;
    // C-Blosc2 refuses to add a short chunk to a frame that is empty or has one short chunk.
    const { chunkSizes } = this.#model;
    const mayBeShort = this.#variable && (chunkSizes.length > 1 || chunkSizes[0] === chunksize);
    const itemCount = mayBeShort && !this.#random.oneIn(3) ? this.#random.integer(1, wholeChunk) : wholeChunk;
    return sampleData(this.#random, itemCount, cparams.typesize, this.#variable);
  }

  #setSlice(): Step {
    const { typesize } = this.#program.cparams;
    const itemCount = this.#model.chunkSizes.reduce((sum, size) => sum + size, 0) / typesize;
    const start = this.#random.integer(0, itemCount - 1);
    const length = this.#random.magnitude(1, itemCount - start);
    return { op: "set-slice", start, data: sampleData(this.#random, length, typesize, false) };
  }

  #setVlmeta(): Step {
    const value = sampleData(this.#random, this.#random.magnitude(1, 3000), 1, true);
    return {
      op: "set-vlmeta",
      name: this.#random.pick(VLMETA_NAMES),
      value: Buffer.from(value).toString("hex"),
    };
  }
}

/** The program of a seed. */
export function generateFrameProgram(seed: number): FrameProgram {
  const random = new SeededRandom(seed);
  const typesize = random.pick(TYPESIZES);
  const maxBytes = random.oneIn(20) ? BIG_CHUNK_BYTES : MAX_CHUNK_BYTES;
  const chunksize = random.magnitude(1, Math.floor(maxBytes / typesize)) * typesize;
  const cparams = randomCParams(random, chunksize, typesize);
  // C-Blosc2 loses the size of a zero chunk among chunks of varying size, and a lossy filter can make one.
  const variable = random.oneIn(3) && !isLossy(cparams);
  const frame: FrameProgram = {
    seed,
    first: random.pick(["b2frame", "python"]),
    contiguous: !random.oneIn(4),
    chunksize,
    cparams,
    meta: random.oneIn(2) ? { tag: "00ff10" } : {},
    segments: [],
  };
  const generator = new StepGenerator(random, frame, variable);
  const segments = Array.from({ length: random.integer(1, 4) }, () =>
    Array.from({ length: random.integer(1, 6) }, () => generator.next()),
  );
  return { ...frame, segments };
}
