/** The oracle: what a frame must hold, kept in plain arrays. @module */
import { sha256, stateDifference } from "./compare-state.js";
import type { FrameProgram, FrameState, ProgramCParams, Step } from "./frame-program.js";

const TRUNC_PREC = 4;
const INT_TRUNC = 36;

/** Mantissa bits by typesize. */
const MANTISSA_BITS: Readonly<Record<number, number>> = { 4: 23, 8: 52 };

/** How many low bits of each item a lossy filter of `cparams` clears; 0 if there is none. */
function clearedBits({ filters, filtersMeta, typesize }: ProgramCParams): number {
  const slot = filters.findIndex((id) => id === TRUNC_PREC || id === INT_TRUNC);
  if (slot < 0) return 0;
  const precision = filtersMeta[slot] as number;
  const width = filters[slot] === TRUNC_PREC ? (MANTISSA_BITS[typesize] as number) : 8 * typesize;
  return width - precision;
}

/** Whether decoding may give something else than what was written. */
export function isLossy(cparams: ProgramCParams): boolean {
  return clearedBits(cparams) > 0;
}

/** The chunks and metalayers that a frame must have. */
export class FrameModel {
  readonly #program: FrameProgram;
  readonly #vlmeta = new Map<string, string>();
  #chunks: Uint8Array[] = [];

  constructor(program: FrameProgram) {
    this.#program = program;
  }

  get chunkSizes(): readonly number[] {
    return this.#chunks.map((chunk) => chunk.byteLength);
  }

  get vlmetaNames(): readonly string[] {
    return [...this.#vlmeta.keys()];
  }

  apply(step: Step): void {
    switch (step.op) {
      case "append":
        this.#chunks.push(step.data.slice());
        break;
      case "insert":
        this.#chunks.splice(step.chunk, 0, step.data.slice());
        break;
      case "update":
        this.#chunks[step.chunk] = step.data.slice();
        break;
      case "delete":
        this.#chunks.splice(step.chunk, 1);
        break;
      case "reorder":
        this.#chunks = step.order.map((index) => this.#chunks[index] as Uint8Array);
        break;
      case "set-slice":
        this.#setSlice(step.start * this.#program.cparams.typesize, step.data);
        break;
      case "set-vlmeta":
        this.#vlmeta.set(step.name, step.value);
        break;
      case "delete-vlmeta":
        this.#vlmeta.delete(step.name);
        break;
    }
  }

  /**
   * What is wrong with `found`; an empty string if nothing is. A chunk that a lossy filter went over may hold its input
   * as well: it is stored as it is when it does not compress.
   */
  difference(found: FrameState): string {
    const expected = this.#state();
    const chunks = found.chunks.map((chunk, index) => {
      const raw = this.#chunks[index];
      const isFiltered = raw !== undefined && String(chunk) === String(digest(this.#filtered(raw)));
      return isFiltered ? (expected.chunks[index] as FrameState["chunks"][number]) : chunk;
    });
    return stateDifference(expected, { ...found, chunks });
  }

  #state(): FrameState {
    return {
      typesize: this.#program.cparams.typesize,
      nbytes: this.#chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0),
      chunks: this.#chunks.map(digest),
      meta: this.#program.meta,
      vlmeta: Object.fromEntries(this.#vlmeta),
    };
  }

  /** What remains of `data` when the program's lossy filter has cleared its bits. */
  #filtered(data: Uint8Array): Uint8Array {
    const { typesize } = this.#program.cparams;
    const cleared = clearedBits(this.#program.cparams);
    const filtered = data.slice();
    for (let start = 0; start < filtered.length; start += typesize) {
      for (let bit = 0; bit < cleared; bit += 1) {
        const index = start + (bit >> 3);
        filtered[index] = (filtered[index] as number) & ~(1 << (bit & 7));
      }
    }
    return filtered;
  }

  #setSlice(position: number, data: Uint8Array): void {
    let chunkStart = 0;
    for (const chunk of this.#chunks) {
      const from = Math.max(position, chunkStart);
      const to = Math.min(position + data.length, chunkStart + chunk.length);
      if (from < to) chunk.set(data.subarray(from - position, to - position), from - chunkStart);
      chunkStart += chunk.length;
    }
  }
}

/** A chunk's size and SHA-256. */
export function digest(chunk: Uint8Array): readonly [number, string] {
  return [chunk.byteLength, sha256(chunk)];
}
