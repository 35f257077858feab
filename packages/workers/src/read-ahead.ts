/** Reading a frame chunk by chunk, with chunks decompressed ahead on other threads. @module */
import type { BackendDescription } from "./backend-description.js";
import { chunkRuns } from "./chunk-runs.js";
import type { DecodeResult, DecodeTask } from "./decode-job.js";
import { InOrder, requireBudget } from "./in-order.js";
import { newJob } from "./lane.js";
import { expecting, type FrameOptions, type FrameSpec, frameSpec, openFrame } from "./open-frame.js";
import type { SpareBuffers } from "./spare-buffers.js";
import { BorrowedPool, requireNotAborted, type WorkerOptions } from "./worker-options.js";

const OPERATION = "readAhead";

/** Options of {@link readAhead}. */
export interface ReadAheadOptions extends WorkerOptions, FrameOptions {
  /**
   * Most uncompressed bytes that are being decompressed or wait to be taken. A larger chunk is read alone. Default 64 MiB. Without
   * workers nothing is read ahead.
   */
  readonly maxBytesInFlight?: number | undefined;
}

/**
 * The uncompressed chunks of a frame, in order; see {@link readAhead}. Leaving a `for await` loop lets go of everything; who calls
 * `next()` by hand calls `return()` in the end.
 */
export class ReadAhead implements AsyncIterableIterator<Uint8Array>, AsyncDisposable {
  readonly #chunks: AsyncGenerator<Uint8Array, void, undefined>;
  readonly #frame: FrameSpec;
  readonly #options: ReadAheadOptions;
  #pipeline: InOrder<DecodeTask, DecodeResult> | undefined;
  #spare: SpareBuffers<ArrayBuffer> | undefined;

  /** @internal */
  constructor(frame: FrameSpec, options: ReadAheadOptions) {
    requireBudget(options.maxBytesInFlight);
    this.#frame = frame;
    this.#options = options;
    this.#chunks = this.#read();
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
    const { signal, onProgress, maxBytesInFlight } = this.#options;
    requireNotAborted(signal, OPERATION);
    await using borrowed = new BorrowedPool(this.#options);
    using schunk = await openFrame(this.#frame);
    const { spare } = borrowed.pool;
    this.#spare = spare;
    const lanes = borrowed.pool.lanes();
    const job = newJob();
    const spec = { kind: "decode", frame: expecting(this.#frame, schunk) } as const;
    const runs = chunkRuns(schunk, maxBytesInFlight ?? Number.POSITIVE_INFINITY);
    const pipeline = new InOrder<DecodeTask, DecodeResult>({
      lanes,
      maxBytesInFlight,
      signal,
      operation: OPERATION,
      next: () => {
        const { done, value } = runs.next();
        if (done === true) return undefined;
        return { ...value, buffer: spare.take(value.byteLength) };
      },
      run: (lane, task) => lane.run(job, task, task.buffer === undefined ? [] : [task.buffer]),
    });
    this.#pipeline = pipeline;
    for (const lane of lanes) lane.begin(job, spec);
    let done = 0;
    try {
      for await (const { bytes, ends } of pipeline.results()) {
        if (ends.length === 1) {
          done += bytes.byteLength;
          onProgress?.(done, schunk.nbytes);
          yield bytes;
          continue;
        }
        let start = 0;
        for (const end of ends) {
          done += end - start;
          onProgress?.(done, schunk.nbytes);
          // Each chunk is the consumer's own, its buffer included.
          yield bytes.slice(start, end);
          start = end;
        }
        spare.put(bytes.buffer);
      }
    } finally {
      await Promise.all(lanes.map((lane) => lane.end(job)));
    }
  }
}

/**
 * Reads a frame chunk by chunk, in order, while other threads decompress the chunks that follow. The threads open the file
 * themselves. Nothing is opened before the first chunk is asked for.
 *
 * Each chunk is the consumer's own: nothing else writes to it, and what is written to it changes nothing else.
 *
 * @throws while iterating: what `SChunk.open` and `SChunk.decompressChunk` throw, after the chunks before the damaged one; IoError
 * `BLOSC2_IO_STALE` if the frame is changed meanwhile; Blosc2Error `BLOSC2_ABORTED`. At once: ArgumentError for a bad option.
 * @example
 * ```ts
 * const chunks = readAhead("t.b2frame", { io: "stdio" }, { workers: 2 });
 * for await (const chunk of chunks) {
 *   hash.update(chunk);
 *   chunks.release(chunk); // optional
 * }
 * ```
 */
export function readAhead(path: string, backend: BackendDescription, options: ReadAheadOptions = {}): ReadAhead {
  return new ReadAhead(frameSpec(path, backend, options), options);
}
