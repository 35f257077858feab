/** An array that is read from afar. @module */
import {
  ArrayReader,
  type ByteRange,
  type DimIndex,
  type NDBuffer,
  planSelection,
  type SelectionPlan,
  type SliceBounds,
} from "@b2frame/core/read";
import type { RemoteFile } from "./remote-file.js";
import { RemoteFrame, type RemoteReadOptions } from "./remote-schunk.js";

/** An array. Properties are those of the moment when it was opened or refreshed; everything that is read is in C order. */
export class RemoteArray extends RemoteFrame {
  #reader: ArrayReader;

  /** @internal */
  constructor(file: RemoteFile) {
    super(file);
    this.#reader = new ArrayReader(file.schunk);
  }

  /** Shape, dtype, layout and compression in one line: what `console.log` shows. Fetches nothing. */
  override toString(): string {
    return `RemoteArray${String(this.#reader).slice("ArrayReader".length)}`;
  }

  get shape(): readonly number[] {
    return this.#reader.shape;
  }

  /** Shape of a chunk. */
  get chunks(): readonly number[] {
    return this.#reader.chunks;
  }

  /** Shape of a block. */
  get blocks(): readonly number[] {
    return this.#reader.blocks;
  }

  get ndim(): number {
    return this.#reader.ndim;
  }

  get dtype(): ArrayReader["dtype"] {
    return this.#reader.dtype;
  }

  /** Bytes of the items. */
  get nbytes(): number {
    return this.#reader.nbytes;
  }

  /**
   * Items from `start` to `stop` (excluded) at `step`, as `NDArray.getSlice` gives them. Only the blocks that are touched are fetched.
   *
   * @throws ArgumentError for a bad index; FormatError, CodecError, IoError; the signal's reason
   */
  getSlice(
    start: SliceBounds = [],
    stop: SliceBounds = [],
    step: SliceBounds = [],
    options: RemoteReadOptions = {},
  ): Promise<NDBuffer> {
    const dims = Math.max(start.length, stop.length, step.length);
    return this.get(
      Array.from({ length: dims }, (_, i) => ({ start: start[i], stop: stop[i], step: step[i] })),
      options,
    );
  }

  /**
   * Reads by a NumPy-like index, as `NDArray.get` does.
   *
   * @throws as {@link getSlice}
   */
  async get(index: readonly DimIndex[] = [], { signal }: RemoteReadOptions = {}): Promise<NDBuffer> {
    await this.prefetch(index, { signal });
    return this.file.fetching(signal, () => this.#reader.get(index));
  }

  /** Fetches what {@link get} would, without decoding it. */
  async prefetch(index: readonly DimIndex[] = [], { signal }: RemoteReadOptions = {}): Promise<void> {
    const plan = this.#plan(index);
    await this.file.ensure(plan.ranges, signal);
    const rest = plan.rest((position, byteLength) => this.file.cached(position, byteLength));
    await this.file.ensure(rest, signal);
  }

  /** The ranges that {@link get} asks for first, whether they are cached or not. Large chunks of which little is wanted take a second step. */
  plan(index: readonly DimIndex[] = []): readonly ByteRange[] {
    return this.#plan(index).ranges;
  }

  #plan(index: readonly DimIndex[]): SelectionPlan {
    return planSelection(this.file.placement, this.#reader.select(index));
  }

  /** Takes over what is there by now. */
  async refresh({ signal }: RemoteReadOptions = {}): Promise<void> {
    await this.file.refresh(signal);
    this.#reader = new ArrayReader(this.file.schunk);
  }
}
