/** An array that is read from afar. @module */
import { type RowBand, requireBand, rowBands, streamOf } from "@b2frame/core/backend";
import {
  type ArrayChunk,
  ArrayReader,
  type ArraySelection,
  type ByteStream,
  type DimIndex,
  NDBuffer,
  type RowStreamRange,
  type SliceBounds,
} from "@b2frame/core/read";
import { readingAhead } from "./read-ahead.js";
import type { PlannedRange, RemoteContent } from "./remote-content.js";
import { contentOf, RemoteFrame, type RemoteIterOptions, type RemoteReadOptions } from "./remote-schunk.js";

interface ChunkBounds {
  readonly start: readonly number[];
  readonly stop: readonly number[];
}

/** Where the chunks of an array begin and end, in C order. */
function* chunkBounds(shape: readonly number[], chunks: readonly number[]): Generator<ChunkBounds> {
  if (shape.some((length) => length === 0)) return;
  const start = shape.map(() => 0);
  for (let dim = 0; dim >= 0; ) {
    yield { start: [...start], stop: start.map((s, i) => Math.min(shape[i] as number, s + (chunks[i] as number))) };
    for (dim = start.length - 1; dim >= 0; dim--) {
      const next = (start[dim] as number) + (chunks[dim] as number);
      start[dim] = next < (shape[dim] as number) ? next : 0;
      if (start[dim] !== 0) break;
    }
  }
}

/** An array. Properties are those of the moment when it was opened or refreshed; everything that is read is in C order. */
export class RemoteArray extends RemoteFrame {
  #reader: ArrayReader;

  /** Made by `openRemoteArray`. */
  constructor(content: RemoteContent) {
    super(content);
    this.#reader = new ArrayReader(content.schunk);
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

  /** The dtype as the file spells it; `undefined` where it has none. */
  get declaredDType(): string | undefined {
    return this.#reader.declaredDType;
  }

  /** Which chunks and blocks an index touches. Fetches nothing. @throws ArgumentError for a bad index */
  select(index: readonly DimIndex[] = []): ArraySelection {
    return this.#reader.select(index);
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
    const { decoding } = contentOf(this);
    const selection = this.#reader.select(index);
    if (decoding !== undefined && selection.byteLength > 0) {
      const bytes = await decoding.array(index, selection, signal);
      return new NDBuffer(this.dtype, selection.shape, bytes);
    }
    await contentOf(this).prefetch(selection, signal);
    return contentOf(this).fetching(signal, () => this.#reader.get(index));
  }

  /** Fetches what {@link get} would, without decoding it. */
  async prefetch(index: readonly DimIndex[] = [], { signal }: RemoteReadOptions = {}): Promise<void> {
    await contentOf(this).prefetch(this.#reader.select(index), signal);
  }

  /** The ranges that {@link get} asks for first, whether they are cached or not. Large chunks of which little is wanted take a second step. */
  plan(index: readonly DimIndex[] = []): readonly PlannedRange[] {
    return contentOf(this).plan(this.#reader.select(index));
  }

  /**
   * The chunks in C order, each with its place and items, as `NDArray.iterChunks` gives them. The next ones are fetched while one is looked
   * at; leaving the loop ends that.
   *
   * @throws as {@link getSlice}
   * @example
   * ```ts
   * for await (const { start, items } of array.iterChunks()) console.log(start, items.shape);
   * ```
   */
  async *iterChunks(options: RemoteIterOptions = {}): AsyncGenerator<ArrayChunk> {
    const bounds = [...chunkBounds(this.shape, this.chunks)];
    const indexOf = (i: number): DimIndex[] => {
      const { start, stop } = bounds[i] as ChunkBounds;
      return start.map((first, dim) => ({ start: first, stop: stop[dim] }));
    };
    yield* readingAhead({
      count: bounds.length,
      ahead: contentOf(this).readAhead(options.readAhead),
      signal: options.signal,
      readsAhead: contentOf(this).decoding !== undefined,
      prefetch: (i, signal) => this.prefetch(indexOf(i), { signal }),
      read: async (i, signal) => ({
        index: i,
        ...(bounds[i] as ChunkBounds),
        items: await this.get(indexOf(i), { signal }),
      }),
    });
  }

  /**
   * The bytes of the rows in C order as a web stream, as `NDArray.toReadable` gives them; the next pieces are fetched while one is looked at.
   *
   * @throws ArgumentError for bad options; the stream fails as {@link getSlice}
   * @example
   * ```ts
   * await array.toReadable().pipeTo(await file.createWritable());
   * ```
   */
  toReadable(options: RowStreamRange & RemoteReadOptions = {}): ByteStream {
    return streamOf(this.#piecesOf(rowBands(this, options), options.signal), options);
  }

  async *#piecesOf(bands: Iterable<RowBand>, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
    const all = [...bands];
    yield* readingAhead({
      count: all.length,
      ahead: contentOf(this).readAhead(undefined),
      signal,
      readsAhead: contentOf(this).decoding !== undefined,
      prefetch: (i, ending) => this.prefetch((all[i] as RowBand).index, { signal: ending }),
      read: async (i, ending) => {
        const band = all[i] as RowBand;
        return requireBand((await this.get(band.index, { signal: ending })).bytes, band);
      },
    });
  }

  /** Takes over what is there by now. */
  async refresh({ signal }: RemoteReadOptions = {}): Promise<void> {
    await contentOf(this).refresh(signal);
    this.#reader = new ArrayReader(contentOf(this).schunk);
  }
}
