/** Reading into one output on several threads. @module */
import { ArgumentError, type DimIndex, NDBuffer, type SChunk } from "@b2frame/core";
import { checkAllocation, checkOptionNames, type OptionNames } from "@b2frame/core/backend";
import { openArrayFrame } from "./fill-array-job.js";
import { fillOutput } from "./fill-output.js";
import { InlineLane, type Lane } from "./lane.js";
import { expecting, FRAME_NAMES, type FrameOptions, type FrameSpec, frameSpec, openFrame } from "./open-frame.js";
import { planUnits, UNIT_FIELDS } from "./plan-units.js";
import { BorrowedPool, WORKER_NAMES, type WorkerOptions } from "./worker-options.js";

/** Options of {@link readAll} and its like. */
export interface ReadOptions extends WorkerOptions, FrameOptions {
  /**
   * Receives the bytes, if given. In shared memory it is filled in place; other memory is copied to at the end. Default: new memory,
   * shared if there are workers.
   */
  readonly target?: Uint8Array | undefined;
}

const READ_NAMES: OptionNames<ReadOptions> = { ...WORKER_NAMES, ...FRAME_NAMES, target: true };

/** Items to read; by default from the first to the last. */
export interface ItemRange {
  readonly start?: number | undefined;
  /** Not included. */
  readonly stop?: number | undefined;
}

function outOfRange(parameter: string, expected: string, found: unknown): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_OUT_OF_RANGE", `${parameter}: expected ${expected}, found ${found}`, {
    parameter,
    expected,
    found: String(found),
  });
}

/** The part of the caller's memory, or new memory. */
function targetOf(target: Uint8Array | undefined, byteLength: number, schunk: SChunk, shared: boolean): Uint8Array {
  if (target === undefined) {
    checkAllocation(schunk, byteLength, "output");
    return new Uint8Array(shared ? new SharedArrayBuffer(byteLength) : new ArrayBuffer(byteLength));
  }
  if (target.byteLength < byteLength) throw outOfRange("target", `at least ${byteLength} bytes`, target.byteLength);
  return target.subarray(0, byteLength);
}

/** Where there is only one unit of work, nobody can help. */
function lanesFor(units: number, lanes: readonly Lane[]): readonly Lane[] {
  return units > 1 ? lanes.slice(0, units) : [new InlineLane()];
}

async function readBytes(
  frame: FrameSpec,
  options: ReadOptions,
  operation: string,
  rangeOf: (schunk: SChunk) => readonly [start: number, stop: number],
): Promise<Uint8Array> {
  await using borrowed = new BorrowedPool(options);
  using schunk = await openFrame(frame);
  const [start, stop] = rangeOf(schunk);
  const all = borrowed.state.lanes();
  const target = targetOf(options.target, stop - start, schunk, borrowed.pool.workers > 0);
  const zeroed = options.target === undefined;
  const units = planUnits(schunk, { start, stop, lanes: all.length, zeroed });
  const count = units.length / UNIT_FIELDS;
  await fillOutput({
    lanes: lanesFor(count, all),
    operation,
    target,
    units: count,
    options,
    areaOf: (bytes) => borrowed.state.areaOf(bytes),
    spec: (output, control) => ({
      kind: "fill-units",
      fill: { frame: expecting(frame, schunk), output, units, control },
    }),
  });
  return target;
}

/**
 * The uncompressed content of a whole frame. The threads open the file themselves and decompress into one output.
 *
 * @returns the bytes; the part of `target` that was filled, if it was given.
 * @throws what `SChunk.open` and `SChunk.decompressChunk` throw; Blosc2Error `BLOSC2_ABORTED`; ArgumentError; IoError
 * `BLOSC2_IO_STALE` if the frame is changed meanwhile. `target` may be filled in part then, and no thread writes to it any longer.
 * @example
 * ```ts
 * const bytes = await readAll("t.b2frame", { io: "mmap", workers: 2 });
 * ```
 */
export async function readAll(path: string, options: ReadOptions = {}): Promise<Uint8Array> {
  checkOptionNames(READ_NAMES, options);
  return await readBytes(frameSpec(path, options), options, "readAll", (schunk) => [0, schunk.nbytes]);
}

/**
 * Items of a super-chunk as bytes, as `SChunk.getSlice` gives them.
 *
 * @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE`; else as {@link readAll}.
 * @example
 * ```ts
 * const bytes = await readSlice("t.b2frame", { start: 1_000_000 }, { pool });
 * ```
 */
export async function readSlice(
  path: string,
  { start = 0, stop }: ItemRange = {},
  options: ReadOptions = {},
): Promise<Uint8Array> {
  checkOptionNames(READ_NAMES, options);
  return await readBytes(frameSpec(path, options), options, "readSlice", (schunk) => {
    const { itemCount, typesize } = schunk;
    const end = stop ?? itemCount;
    if (!(Number.isSafeInteger(start) && start >= 0 && start <= itemCount)) {
      throw outOfRange("start", `an integer in 0..${itemCount}`, start);
    }
    if (!(Number.isSafeInteger(end) && end >= start && end <= itemCount)) {
      throw outOfRange("stop", `an integer in ${start}..${itemCount}`, end);
    }
    return [start * typesize, end * typesize];
  });
}

/** Neighbouring blocks are taken together, as long as there are so many units for each thread. */
const UNITS_PER_LANE = 16;

/**
 * Part of an array, as `NDArray.get` gives it. Only the blocks that the selection touches are read.
 *
 * @throws ArgumentError for a bad index, or a target of another size; FormatError when the frame holds no array; else as
 * {@link readAll}.
 * @example
 * ```ts
 * const crop = await readArray("scan.b2nd", [{ start: 10, stop: 200 }, null, 7], { io: "mmap", pool });
 * ```
 */
export async function readArray(
  path: string,
  index: readonly DimIndex[] = [],
  options: ReadOptions = {},
): Promise<NDBuffer> {
  checkOptionNames(READ_NAMES, options);
  const frame = frameSpec(path, options);
  await using borrowed = new BorrowedPool(options);
  using array = await openArrayFrame(frame);
  const { shape, byteLength, blockCount } = array.select(index);
  const all = borrowed.state.lanes();
  const target = targetOf(options.target, byteLength, array.schunk, borrowed.pool.workers > 0);
  const blocksPerUnit = Math.max(1, Math.floor(blockCount / (all.length * UNITS_PER_LANE)));
  const units = Math.ceil(blockCount / blocksPerUnit);
  await fillOutput({
    lanes: lanesFor(units, all),
    operation: "readArray",
    target,
    units,
    options,
    areaOf: (bytes) => borrowed.state.areaOf(bytes),
    spec: (output, control) => ({
      kind: "fill-array",
      fill: { frame: expecting(frame, array.schunk), index, output, blocksPerUnit, units, control },
    }),
  });
  return new NDBuffer(array.dtype, shape, target);
}
