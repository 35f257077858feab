/** Appending to a super-chunk, with the data compressed on other threads. @module */

import { setImmediate } from "node:timers/promises";
import { ArgumentError, type SChunk } from "@b2frame/core";
import { checkOptionNames, type OptionNames } from "@b2frame/core/backend";
import { compressionFor } from "@b2frame/core/codec";
import { type CompressResult, type CompressTask, compressionSpec } from "./compress-job.js";
import { InOrder, requireBudget } from "./in-order.js";
import { type Lane, newJob, TURN } from "./lane.js";
import { type BatchTask, bytesOfPiece, PieceBatches } from "./piece-batches.js";
import { SlotLease } from "./shared-slots.js";
import { BorrowedPool, requireNotAborted, WORKER_NAMES, type WorkerOptions } from "./worker-options.js";

const OPERATION = "appendChunks";

/** Options of {@link appendChunks}. */
export interface AppendOptions extends WorkerOptions {
  /** Most uncompressed bytes that are being compressed or wait to be written. A larger piece is compressed alone. Default 64 MiB. */
  readonly maxBytesInFlight?: number | undefined;
  /**
   * Whether large pieces that are all of their `ArrayBuffer` may be moved to the threads: they are empty afterwards. Default false:
   * they are copied. Pieces in shared memory are neither, and must stay as they are until the call has ended.
   */
  readonly transfer?: boolean | undefined;
}

const APPEND_NAMES: OptionNames<AppendOptions> = { ...WORKER_NAMES, maxBytesInFlight: true, transfer: true };

/** Data, piece by piece. */
export type Pieces = Iterable<ArrayBufferView> | AsyncIterable<ArrayBufferView>;

type Step = IteratorResult<ArrayBufferView>;

/** An iterator of either kind; `next` gives a promise if it is an asynchronous one. */
interface PieceIterator {
  next(): Step | Promise<Step>;
  return?(): unknown;
}

function iteratorOf(pieces: Pieces): PieceIterator {
  if (!(Symbol.asyncIterator in pieces)) return pieces[Symbol.iterator]();
  const iterator = pieces[Symbol.asyncIterator]();
  return { next: () => Promise.resolve(iterator.next()), return: () => iterator.return?.() };
}

/** Lets the source go, without waiting for one that has not answered. */
function letGo(iterator: PieceIterator): void {
  try {
    Promise.resolve(iterator.return?.()).catch(() => undefined);
  } catch {
    // An error is on its way to the caller already.
  }
}

/**
 * Appends pieces of data, each as a chunk of its own, like `SChunk.appendData`. Other threads compress, and this one writes the chunks in
 * the order of the pieces: the file is the same, byte for byte, whatever the number of threads. As there, nothing counts before it is
 * committed. The super-chunk must not be changed otherwise until the call has ended.
 *
 * A piece in memory that is not shared may be used again by who gave it when the next one is asked for.
 *
 * @returns the number of chunks.
 * @throws what `SChunk.appendData` throws; what `pieces` throws; UnsupportedError for a prefilter, and for codecs and filters that the
 * threads don't have; Blosc2Error `BLOSC2_ABORTED`. The chunks before the failure are in the super-chunk then.
 * @example
 * ```ts
 * using out = SChunk.create({ urlpath: "t.b2frame", io: stdio(), typesize: 8, chunksize: 4 << 20 });
 * await appendChunks(out, createReadStream("t.f64", { highWaterMark: 4 << 20 }), { workers: 2 });
 * out.flush();
 * ```
 */
export async function appendChunks(schunk: SChunk, pieces: Pieces, options: AppendOptions = {}): Promise<number> {
  checkOptionNames(APPEND_NAMES, options);
  const { signal, maxBytesInFlight } = options;
  requireBudget(maxBytesInFlight);
  requireNotAborted(signal, OPERATION);
  await using borrowed = new BorrowedPool(options);
  const iterator = iteratorOf(pieces);
  const before = schunk.nbytes;
  const job: AppendJob = { ...options, report: (total) => options.onProgress?.(schunk.nbytes - before, total) };
  let complete = false;
  try {
    if (borrowed.pool.workers === 0) await appendInline(schunk, iterator, job);
    else await appendOn(borrowed, schunk, iterator, job);
    complete = true;
  } finally {
    if (!complete) letGo(iterator);
  }
  job.report(schunk.nbytes - before);
  return schunk.nchunks;
}

interface AppendJob extends AppendOptions {
  /** Tells how much has been appended. */
  report(total: number | undefined): void;
}

async function appendInline(schunk: SChunk, iterator: PieceIterator, options: AppendJob): Promise<void> {
  let turnEnds = performance.now() + TURN;
  for (;;) {
    const step = await iterator.next();
    requireNotAborted(options.signal, OPERATION);
    if (step.done === true) return;
    schunk.appendData(step.value);
    if (performance.now() < turnEnds) continue;
    options.report(undefined);
    await setImmediate();
    turnEnds = performance.now() + TURN;
  }
}

async function appendOn(
  { state }: BorrowedPool,
  schunk: SChunk,
  iterator: PieceIterator,
  options: AppendJob,
): Promise<void> {
  const { signal, report, maxBytesInFlight, transfer = false } = options;
  const first = await iterator.next();
  if (first.done === true) return;
  bytesOfPiece(first.value);
  const { cparams, environment } = compressionFor(schunk, first.value);
  const compression = compressionSpec(cparams, environment, state.hasSetup);
  const maxBytes = maxBytesInFlight ?? Number.POSITIVE_INFINITY;
  const { slots: shared } = state;
  const slots = new SlotLease(shared);
  const batches = new PieceBatches(first.value, () => iterator.next(), { transfer, maxBytes, slots });
  const job = newJob();
  const lanes: readonly Lane[] = state.lanes();
  for (const lane of lanes)
    lane.begin(job, { kind: "compress", compressing: { compression, area: state.areaOf(shared.area) } });
  const pipeline = new InOrder<BatchTask, CompressedBatch>({
    lanes,
    maxBytesInFlight,
    signal,
    operation: OPERATION,
    next: () => batches.next(),
    run: async (lane, task) => {
      const { bytes, ends, output } = task;
      return { task, ...(await lane.run<CompressTask, CompressResult>(job, { bytes, ends, output }, task.transfer)) };
    },
  });
  try {
    let nchunks = schunk.nchunks;
    for await (const { task, ends } of pipeline.results()) {
      requireUnchanged(schunk, nchunks);
      let start = 0;
      for (const end of ends) {
        nchunks = schunk.appendChunk(task.chunks.subarray(start, end));
        start = end;
      }
      for (const slot of task.slots) slots.giveBack(slot);
      report(undefined);
    }
  } finally {
    slots.end();
    await Promise.all(lanes.map((lane) => lane.end(job)));
  }
}

/** A task and what came of it. */
interface CompressedBatch extends CompressResult {
  readonly task: BatchTask;
}

function requireUnchanged(schunk: SChunk, nchunks: number): void {
  if (schunk.nchunks === nchunks) return;
  throw new ArgumentError(
    "BLOSC2_ARGUMENT_INVALID",
    `schunk: it was changed during ${OPERATION}: expected ${nchunks} chunks, found ${schunk.nchunks}`,
    { parameter: "schunk", expected: nchunks, found: schunk.nchunks },
  );
}
