/** Pieces of data as tasks for other threads. @module */
import { ArgumentError } from "@b2frame/core";
import type { CompressTask } from "./compress-job.js";
import type { SpareBuffers } from "./spare-buffers.js";

/** Pieces are taken together up to so many bytes, so that what is done for each task does not decide. */
const BATCH_BYTES = 512 * 1024;

/** A task with what moves to the thread. */
export interface BatchTask extends CompressTask {
  readonly byteLength: number;
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

/** Takes pieces from an iterator and makes tasks of them: one of a large piece, one of several small ones. */
export class PieceBatches {
  readonly #next: () => IteratorResult<ArrayBufferView> | Promise<IteratorResult<ArrayBufferView>>;
  readonly #transfer: boolean;
  readonly #budget: number;
  readonly #spare: SpareBuffers;
  /** Taken already. */
  #held: Uint8Array | undefined;

  constructor(
    first: ArrayBufferView,
    next: () => IteratorResult<ArrayBufferView> | Promise<IteratorResult<ArrayBufferView>>,
    options: { readonly transfer: boolean; readonly maxBytes: number; readonly spare: SpareBuffers },
  ) {
    this.#held = bytesOfPiece(first);
    this.#next = next;
    this.#transfer = options.transfer;
    this.#budget = Math.min(BATCH_BYTES, options.maxBytes);
    this.#spare = options.spare;
  }

  /** The next task; undefined after the last piece. A promise where the iterator gives one. */
  next(): BatchTask | undefined | Promise<BatchTask | undefined> {
    const batch = new Batch(this.#budget);
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
    return batch.byteLength >= this.#budget;
  }

  #task(batch: Batch): BatchTask | undefined {
    const { ends, byteLength, large } = batch;
    if (ends.length === 0) return undefined;
    if (large === undefined) {
      return { bytes: batch.bytes, ends, giveBack: false, byteLength, transfer: [batch.bytes.buffer] };
    }
    const { buffer } = large;
    if (buffer instanceof SharedArrayBuffer) {
      return { bytes: large, ends, giveBack: false, byteLength, transfer: [] };
    }
    if (this.#transfer && buffer.byteLength === byteLength) {
      return { bytes: large, ends, giveBack: false, byteLength, transfer: [buffer] };
    }
    const copy = this.#spare.take(byteLength) ?? new ArrayBuffer(byteLength);
    const bytes = new Uint8Array(copy);
    bytes.set(large);
    return { bytes, ends, giveBack: true, byteLength, transfer: [copy] };
  }
}

/** One large piece as it is, or small ones copied: their owner may use the memory again for the next one. */
class Batch {
  readonly ends: number[] = [];
  large: Uint8Array | undefined;
  byteLength = 0;
  readonly #budget: number;
  #copied: Uint8Array<ArrayBuffer> | undefined;

  constructor(budget: number) {
    this.#budget = budget;
  }

  /** The small pieces. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#copied?.subarray(0, this.byteLength) ?? new Uint8Array(0);
  }

  /** Adds a piece; false if it does not fit. */
  add(piece: Uint8Array): boolean {
    const end = this.byteLength + piece.byteLength;
    if (end > this.#budget) {
      if (this.ends.length > 0) return false;
      this.large = piece;
    } else {
      this.#copied ??= new Uint8Array(this.#budget);
      this.#copied.set(piece, this.byteLength);
    }
    this.byteLength = end;
    this.ends.push(end);
    return true;
  }
}
