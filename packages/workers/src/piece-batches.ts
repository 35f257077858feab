/** Pieces of data as tasks for other threads. @module */
import { ArgumentError } from "@b2frame/core";
import { CHUNK_OVERHEAD, type CompressTask } from "./compress-job.js";
import type { SlotLease } from "./shared-slots.js";

/** Pieces are taken together up to so many bytes, so that what is done for each task does not decide. */
const BATCH_BYTES = 512 * 1024;
/** And up to so many. */
const BATCH_PIECES = 4096;
/** Room for what chunks can be larger than their content. */
const HEADROOM: number = BATCH_PIECES * CHUNK_OVERHEAD;

/** A task with its memory. */
export interface BatchTask extends CompressTask {
  readonly byteLength: number;
  /** Where the chunks will be. */
  readonly chunks: Uint8Array;
  /** To give back once the chunks have been taken. */
  readonly slots: readonly Uint8Array[];
  /** What moves to the thread. */
  readonly transfer: readonly ArrayBuffer[];
}

/** The bytes of a piece. @throws ArgumentError for what is no view */
export function bytesOfPiece(piece: ArrayBufferView): Uint8Array {
  if (!ArrayBuffer.isView(piece)) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", "pieces: each must be a typed array or a DataView", {
      parameter: "pieces",
    });
  }
  return new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
}

/** How {@link PieceBatches} makes tasks. */
export interface BatchOptions {
  /** Whether pieces may be moved to the threads. */
  readonly transfer: boolean;
  /** Most bytes of pieces that are taken together. */
  readonly maxBytes: number;
  readonly slots: SlotLease;
}

/**
 * Takes pieces from an iterator and makes tasks of them: one of a large piece, one of several small ones. They are copied into shared
 * memory, unless the thread can have them without.
 */
export class PieceBatches {
  readonly #next: () => IteratorResult<ArrayBufferView> | Promise<IteratorResult<ArrayBufferView>>;
  readonly #options: BatchOptions;
  readonly #budget: number;
  /** Taken already. */
  #held: Uint8Array | undefined;

  constructor(
    first: ArrayBufferView,
    next: () => IteratorResult<ArrayBufferView> | Promise<IteratorResult<ArrayBufferView>>,
    options: BatchOptions,
  ) {
    this.#held = bytesOfPiece(first);
    this.#next = next;
    this.#options = options;
    this.#budget = Math.min(BATCH_BYTES, options.maxBytes);
  }

  /** The next task; undefined after the last piece. A promise where the iterator gives one. */
  next(): BatchTask | undefined | Promise<BatchTask | undefined> {
    const batch = new Batch(this.#budget, this.#options.slots);
    for (;;) {
      if (this.#held === undefined) {
        const step = this.#next();
        if (step instanceof Promise) return this.#continue(batch, step);
        if (step.done === true) return this.#task(batch);
        this.#held = bytesOfPiece(step.value);
      }
      if (this.#fill(batch)) return this.#task(batch);
    }
  }

  async #continue(batch: Batch, first: Promise<IteratorResult<ArrayBufferView>>): Promise<BatchTask | undefined> {
    let step = await first;
    while (step.done !== true) {
      this.#held = bytesOfPiece(step.value);
      if (this.#fill(batch)) break;
      step = await this.#next();
    }
    return this.#task(batch);
  }

  /** Moves the held piece into the batch, if it has room. @returns whether the batch is complete */
  #fill(batch: Batch): boolean {
    const piece = this.#held as Uint8Array;
    if (!batch.add(piece)) return true;
    this.#held = undefined;
    return batch.full;
  }

  #task(batch: Batch): BatchTask | undefined {
    const { ends, byteLength, large, copies } = batch;
    if (ends.length === 0) return undefined;
    const { slots, transfer } = this.#options;
    const chunks = slots.take(byteLength + (large === undefined ? HEADROOM : CHUNK_OVERHEAD));
    const task = { ends, byteLength, chunks, output: slots.placeOf(chunks) };
    if (copies !== undefined) return { ...task, bytes: slots.placeOf(copies), slots: [copies, chunks], transfer: [] };
    const piece = large as Uint8Array;
    const { buffer } = piece;
    if (!(buffer instanceof ArrayBuffer)) return { ...task, bytes: piece, slots: [chunks], transfer: [] };
    if (transfer && buffer.byteLength === byteLength)
      return { ...task, bytes: piece, slots: [chunks], transfer: [buffer] };
    const copy = slots.take(byteLength);
    copy.set(piece);
    return { ...task, bytes: slots.placeOf(copy), slots: [copy, chunks], transfer: [] };
  }
}

/** One large piece as it is, or small ones copied: their owner may use the memory again for the next one. */
class Batch {
  readonly ends: number[] = [];
  large: Uint8Array | undefined;
  /** Holds the small pieces. */
  copies: Uint8Array | undefined;
  byteLength = 0;
  readonly #budget: number;
  readonly #slots: SlotLease;

  constructor(budget: number, slots: SlotLease) {
    this.#budget = budget;
    this.#slots = slots;
  }

  get full(): boolean {
    return this.byteLength >= this.#budget || this.ends.length === BATCH_PIECES;
  }

  /** Adds a piece; false if it does not fit. */
  add(piece: Uint8Array): boolean {
    const end = this.byteLength + piece.byteLength;
    if (end > this.#budget) {
      if (this.ends.length > 0) return false;
      this.large = piece;
    } else {
      this.copies ??= this.#slots.take(this.#budget);
      this.copies.set(piece, this.byteLength);
    }
    this.byteLength = end;
    this.ends.push(end);
    return true;
  }
}
