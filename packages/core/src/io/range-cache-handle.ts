/** Reading from ranges that were fetched beforehand: how a remote file meets the synchronous engine. @module */
import { ArgumentError, IoError } from "../errors.js";
import type { IoHandle } from "./backend.js";
import { type CheckedHandle, checkHandle } from "./checked-handle.js";
import { shortRead } from "./io-failure.js";

/** Bytes of a file that were fetched. */
export interface FetchedRange {
  /** Absolute position in the file of the first byte. */
  readonly position: number;
  readonly bytes: Uint8Array;
}

/**
 * A read-only handle over fetched ranges of a file of `size` bytes: plan which ranges a job needs, fetch them as the source
 * likes (HTTP range requests, an object store), then run the job on this handle. What was not fetched is never taken for
 * zeros: reading it throws `BLOSC2_IO_NOT_PREFETCHED` with the position and length, so a caller may fetch that, `add` it and
 * try again. Open it through {@link rangeCacheHandle}, which adds the checks of arguments and state.
 */
export class RangeCacheHandle implements IoHandle {
  readonly #size: number;
  readonly #path: string;
  /** Sorted by position, none overlapping another. */
  readonly #ranges: FetchedRange[] = [];

  /** @throws ArgumentError for a size that can't be, or a range that reaches past it. `path` is for messages. */
  constructor(size: number, ranges: readonly FetchedRange[] = [], path = "fetched ranges") {
    if (!Number.isSafeInteger(size) || size < 0) {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_INVALID",
        `size: expected an integer from 0 to 2^53 - 1, found ${size}`,
        {
          parameter: "size",
          found: size,
        },
      );
    }
    this.#size = size;
    this.#path = path;
    for (const range of ranges) this.add(range);
  }

  /** Adds a fetched range; `bytes` is kept, not copied. Bytes that are there already stay as they were fetched first. */
  add(range: FetchedRange): void {
    const { position, bytes } = range;
    if (!Number.isSafeInteger(position) || position < 0 || position + bytes.byteLength > this.#size) {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_INVALID",
        `range: expected one inside the file's ${this.#size} bytes, found ${bytes.byteLength} bytes at position ${position}`,
        { parameter: "range", position, length: bytes.byteLength, expected: this.#size },
      );
    }
    const end = position + bytes.byteLength;
    let at = this.#firstMissing(position, end);
    while (at !== undefined) {
      const index = this.#indexAfter(at);
      const gapEnd = Math.min(end, this.#ranges[index]?.position ?? end);
      this.#ranges.splice(index, 0, { position: at, bytes: bytes.subarray(at - position, gapEnd - position) });
      at = this.#firstMissing(gapEnd, end);
    }
  }

  /** Whether all of these bytes were fetched. */
  has(position: number, length: number): boolean {
    return this.#firstMissing(position, position + length) === undefined;
  }

  size(): number {
    return this.#size;
  }

  read(position: number, length: number): Uint8Array {
    this.#require(position, length);
    const whole = this.#covering(position);
    if (whole !== undefined && position + length <= whole.position + whole.bytes.byteLength) {
      return whole.bytes.subarray(position - whole.position, position - whole.position + length);
    }
    const joined = new Uint8Array(length);
    this.#copy(position, joined);
    return joined;
  }

  readInto(position: number, target: Uint8Array): void {
    this.#require(position, target.byteLength);
    this.#copy(position, target);
  }

  write(): void {
    throw this.#readOnly("write");
  }

  truncate(): void {
    throw this.#readOnly("truncate");
  }

  flush(): void {}

  close(): void {
    this.#ranges.length = 0;
  }

  #readOnly(operation: string): IoError {
    return new IoError("BLOSC2_IO_READ_ONLY", `${this.#path}: ${operation}: fetched ranges can only be read`, {
      operation,
    });
  }

  /** Index of the first range that starts after `position`. */
  #indexAfter(position: number): number {
    let low = 0;
    let high = this.#ranges.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const range = this.#ranges[middle];
      if (range !== undefined && range.position <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The range that holds the byte at `position`. */
  #covering(position: number): FetchedRange | undefined {
    const range = this.#ranges[this.#indexAfter(position) - 1];
    return range !== undefined && position < range.position + range.bytes.byteLength ? range : undefined;
  }

  #firstMissing(position: number, end: number): number | undefined {
    let at = position;
    while (at < end) {
      const range = this.#covering(at);
      if (range === undefined) return at;
      at = range.position + range.bytes.byteLength;
    }
    return undefined;
  }

  #require(position: number, length: number): void {
    const end = position + length;
    if (end > this.#size) {
      throw shortRead({ operation: "read", path: this.#path, position, length }, Math.max(0, this.#size - position));
    }
    const missing = this.#firstMissing(position, end);
    if (missing !== undefined) {
      throw new IoError(
        "BLOSC2_IO_NOT_PREFETCHED",
        `${this.#path}: read of ${length} bytes at position ${position}: byte ${missing} was not fetched`,
        { operation: "read", path: this.#path, position, length, missing },
      );
    }
  }

  #copy(position: number, target: Uint8Array): void {
    let done = 0;
    while (done < target.byteLength) {
      const range = this.#covering(position + done) as FetchedRange;
      const offset = position + done - range.position;
      const part = range.bytes.subarray(offset, offset + target.byteLength - done);
      target.set(part, done);
      done += part.byteLength;
    }
  }
}

/**
 * A checked handle over fetched ranges.
 *
 * @example
 * ```ts
 * const { handle, ranges } = rangeCacheHandle(fileSize, [{ position: 0, bytes: firstBytes }], url);
 * using s = SChunk.openHandle(handle);
 * ranges.add({ position, bytes });
 * ```
 * @throws ArgumentError as {@link RangeCacheHandle} does.
 */
export function rangeCacheHandle(
  size: number,
  ranges: readonly FetchedRange[] = [],
  path = "fetched ranges",
): { handle: CheckedHandle; ranges: RangeCacheHandle } {
  const inner = new RangeCacheHandle(size, ranges, path);
  return { handle: checkHandle(inner, { path, mode: "r" }), ranges: inner };
}
