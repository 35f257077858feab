/** Reading a frame chunk by chunk, with chunks decompressed ahead on other threads. @module */
import { setImmediate } from "node:timers/promises";
import type { SChunk } from "@b2frame/core";
import { checkAllocation, checkOptionNames, type OptionNames } from "@b2frame/core/backend";
import { type ChunkRun, chunkRuns } from "./chunk-runs.js";
import type { DecodeResult, DecodeTask } from "./decode-job.js";
import { InOrder, requireBudget } from "./in-order.js";
import { newJob, TURN } from "./lane.js";
import { expecting, FRAME_NAMES, type FrameOptions, type FrameSpec, frameSpec, openFrame } from "./open-frame.js";
import { SlotLease } from "./shared-slots.js";
import type { SpareBuffers } from "./spare-buffers.js";
import { BorrowedPool, requireNotAborted, WORKER_NAMES, type WorkerOptions } from "./worker-options.js";

const OPERATION = "readChunks";

/** Options of {@link readChunks}. */
export interface ReadChunksOptions extends WorkerOptions, FrameOptions {
  /**
   * Most uncompressed bytes that are being decompressed or wait to be taken. A larger chunk is read alone. Default 64 MiB. Without
   * workers nothing is read ahead.
   */
  readonly maxBytesInFlight?: number | undefined;
  /**
   * Whether a chunk's memory is used again as soon as the next chunk is asked for: the quickest way for who is done with a chunk by
   * then. With workers the chunks are in shared memory (`SharedArrayBuffer`). Default false: each chunk is the consumer's own.
   */
  readonly reuse?: boolean | undefined;
}

const READ_CHUNKS_NAMES: OptionNames<ReadChunksOptions> = {
  ...WORKER_NAMES,
  ...FRAME_NAMES,
  maxBytesInFlight: true,
  reuse: true,
};

/** Chunks that a thread decompresses, or that this one makes up when they are asked for; with memory that is moved, or shared. */
type RunTask = ChunkRun & { readonly buffer: ArrayBuffer | undefined; readonly slot: Uint8Array | undefined };
type RunResult = ChunkRun & { readonly decoded: DecodedRun | undefined };

/** The chunks of a run, one after another, and where each ends. */
interface DecodedRun {
  readonly bytes: Uint8Array;
  readonly ends: readonly number[];
}

/** Makes a stream; only {@link readChunks} does. */
let openStream: (frame: FrameSpec, options: ReadChunksOptions) => ChunkStream;

/**
 * The uncompressed chunks of a frame, in order; see {@link readChunks}. Leaving a `for await` loop releases everything; who calls
 * `next()` by hand calls `return()` in the end.
 */
export class ChunkStream implements AsyncIterableIterator<Uint8Array>, AsyncDisposable {
  readonly #chunks: AsyncGenerator<Uint8Array, void, undefined>;
  readonly #frame: FrameSpec;
  readonly #options: ReadChunksOptions;
  #pipeline: InOrder<RunTask, RunResult> | undefined;
  #spare: SpareBuffers | undefined;
  /** Special chunks, one after another, where memory is used again. */
  #room: Uint8Array = new Uint8Array(0);

  private constructor(frame: FrameSpec, options: ReadChunksOptions) {
    requireBudget(options.maxBytesInFlight);
    this.#frame = frame;
    this.#options = options;
    this.#chunks = this.#read();
  }

  static {
    openStream = (frame, options) => new ChunkStream(frame, options);
  }

  /** Uncompressed bytes that are being decompressed or wait to be taken. */
  get bytesInFlight(): number {
    return this.#pipeline?.bytesInFlight ?? 0;
  }

  next(): Promise<IteratorResult<Uint8Array, void>> {
    return this.#chunks.next();
  }

  /** Ends the reading; resolves when no thread works for it any longer and the files are closed. */
  return(): Promise<IteratorResult<Uint8Array, void>> {
    return this.#chunks.return();
  }

  /**
   * Gives a chunk's memory back, for a later chunk: that spares the system from finding new memory, which can take as long as
   * decompressing. The chunk is empty afterwards, and so is every other view of its buffer.
   */
  release(chunk: Uint8Array): void {
    const { buffer, byteLength } = chunk;
    // Where memory is used again in any case, there is nothing to do.
    if (this.#options.reuse === true) return;
    // Empty: it has been released before.
    if (!(buffer instanceof ArrayBuffer) || byteLength === 0 || buffer.byteLength !== byteLength) return;
    this.#spare?.put(structuredClone(buffer, { transfer: [buffer] }));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async *#read(): AsyncGenerator<Uint8Array, void, undefined> {
    const { signal, onProgress, maxBytesInFlight, reuse = false } = this.#options;
    requireNotAborted(signal, OPERATION);
    await using borrowed = new BorrowedPool(this.#options);
    using schunk = await openFrame(this.#frame);
    const { state } = borrowed;
    this.#spare = state.spare;
    const lanes = state.lanes();
    const job = newJob();
    const shared = reuse && state.workers > 0 ? state.slots : undefined;
    const area = shared && state.areaOf(shared.area);
    const slots = shared && new SlotLease(shared);
    const spec = { kind: "decode", decoding: { frame: expecting(this.#frame, schunk), area } } as const;
    const runs = chunkRuns(schunk, maxBytesInFlight ?? Number.POSITIVE_INFINITY);
    const pipeline = new InOrder<RunTask, RunResult>({
      lanes,
      maxBytesInFlight,
      signal,
      operation: OPERATION,
      next: () => {
        const { done, value } = runs.next();
        if (done === true) return undefined;
        const { byteLength, inIndex } = value;
        // Special chunks take no memory before they are asked for.
        if (inIndex) return { ...value, byteLength: 0, buffer: undefined, slot: undefined };
        if (slots === undefined) return { ...value, buffer: state.spare.take(byteLength), slot: undefined };
        return { ...value, buffer: undefined, slot: slots.take(byteLength) };
      },
      run: async (lane, task) => {
        const { first, count, byteLength, buffer, slot } = task;
        if (task.inIndex) return { ...task, decoded: undefined };
        const decode: DecodeTask = { first, count, byteLength, into: slot ? slots?.placeOf(slot) : buffer };
        const moved = buffer === undefined ? [] : [buffer];
        const decoded = await lane.run<DecodeTask, DecodeResult>(job, decode, moved);
        const bytes = slot ?? new Uint8Array(decoded.buffer as ArrayBuffer);
        return { ...task, decoded: { bytes, ends: decoded.ends } };
      },
    });
    this.#pipeline = pipeline;
    for (const lane of lanes) lane.begin(job, spec);
    let done = 0;
    let turnEnds = performance.now() + TURN;
    try {
      for await (const { first, count, decoded } of pipeline.results()) {
        const chunks = decoded === undefined ? this.#special(schunk, first, count) : this.#chunksOf(decoded);
        for (const chunk of chunks) {
          if (decoded === undefined && performance.now() > turnEnds) {
            await setImmediate();
            turnEnds = performance.now() + TURN;
          }
          requireNotAborted(signal, OPERATION);
          done += chunk.byteLength;
          onProgress?.(done, schunk.nbytes);
          yield chunk;
        }
        if (decoded === undefined) continue;
        const { bytes, ends } = decoded;
        // Alone, a chunk is the consumer's own unless it is to be used again.
        if (slots !== undefined) slots.giveBack(bytes);
        else if (reuse || ends.length > 1) state.spare.put(bytes.buffer as ArrayBuffer);
      }
    } finally {
      slots?.end();
      await Promise.all(lanes.map((lane) => lane.end(job)));
    }
  }

  /** The chunks of a run, which are in its memory or copies. */
  *#chunksOf({ bytes, ends }: DecodedRun): Generator<Uint8Array, void, undefined> {
    const own = ends.length === 1 || this.#options.reuse === true;
    let start = 0;
    for (const end of ends) {
      yield own ? bytes.subarray(start, end) : bytes.slice(start, end);
      start = end;
    }
  }

  /** Chunks that only exist in the index. */
  *#special(schunk: SChunk, first: number, count: number): Generator<Uint8Array, void, undefined> {
    for (let i = first; i < first + count; i++) yield schunk.decompressChunk(i, { target: this.#roomFor(schunk, i) });
  }

  #roomFor(schunk: SChunk, chunkIndex: number): Uint8Array {
    const { nbytes } = schunk.openChunk(chunkIndex);
    if (this.#options.reuse === true && this.#room.byteLength >= nbytes) return this.#room;
    checkAllocation(schunk, nbytes, `chunk ${chunkIndex}`);
    this.#room = new Uint8Array(this.#spare?.take(nbytes) ?? new ArrayBuffer(nbytes));
    return this.#room;
  }
}

/**
 * Reads a frame chunk by chunk, in order, while other threads decompress the chunks that follow. The threads open the file
 * themselves. Nothing is opened before the first chunk is asked for.
 *
 * Each chunk is the consumer's own, unless `reuse` is set: nothing else writes to it, and what is written to it changes nothing else.
 *
 * @throws while iterating: what `SChunk.open` and `SChunk.decompressChunk` throw, after the chunks before the damaged one; IoError
 * `BLOSC2_IO_STALE` if the frame is changed meanwhile; Blosc2Error `BLOSC2_ABORTED`. At once: ArgumentError for a bad option.
 * @example
 * ```ts
 * const chunks = readChunks("t.b2frame", { workers: 2 });
 * for await (const chunk of chunks) {
 *   hash.update(chunk);
 *   chunks.release(chunk); // optional
 * }
 * ```
 */
export function readChunks(path: string, options: ReadChunksOptions = {}): ChunkStream {
  checkOptionNames(READ_CHUNKS_NAMES, options);
  return openStream(frameSpec(path, options), options);
}
