/** The bytes of one file that were fetched, the least recently used of which are given up when there are too many. @module */
import { IoError, type IoHandle } from "@b2frame/core";
import { type CheckedHandle, checkHandle } from "@b2frame/core/backend";
import type { SourceRange } from "./byte-source.js";

interface Piece {
  readonly position: number;
  readonly bytes: Uint8Array;
  /** Of the clock that counts uses. */
  used: number;
  /** Description of the frame, which stays. */
  readonly kept: boolean;
}

/** See the module. */
export class RangeCache {
  /** Sorted by position; none overlaps another. */
  readonly #pieces: Piece[] = [];
  readonly #limit: number;
  #byteLength = 0;
  #clock = 0;
  /** When each of those began who hold what they use. */
  readonly #holds = new Set<{ readonly since: number }>();

  /** @param limit bytes that are kept between reads, beside the frame's description */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes in the cache. */
  get byteLength(): number {
    return this.#byteLength;
  }

  /**
   * Keeps what is added, read or asked for from now on, until what it gives is called: reads that run at a time do not drive each other's
   * bytes out, however small the limit.
   */
  hold(): () => void {
    const hold = { since: this.#clock };
    this.#holds.add(hold);
    return () => this.#holds.delete(hold);
  }

  /** The parts of a range that are not here, in order. What is here counts as used. */
  missing({ position, byteLength }: SourceRange): SourceRange[] {
    const end = position + byteLength;
    const missing: SourceRange[] = [];
    let at = position;
    for (let i = this.#indexAfter(position) - 1; at < end; i++) {
      const piece = this.#pieces[i];
      if (piece !== undefined && piece.position + piece.bytes.byteLength <= at) continue;
      if (piece !== undefined && i >= 0 && piece.position < end) piece.used = ++this.#clock;
      const next = i < 0 ? position : Math.min(end, piece?.position ?? end);
      if (next > at) missing.push({ position: at, byteLength: next - at });
      at = Math.max(at, next);
      if (piece !== undefined && i >= 0) at = Math.max(at, piece.position + piece.bytes.byteLength);
    }
    return missing;
  }

  /** Adds what was fetched; what is here already stays. `bytes` are kept, not copied. */
  add(position: number, bytes: Uint8Array, kept = false): void {
    for (const gap of this.missing({ position, byteLength: bytes.byteLength })) {
      const part = bytes.subarray(gap.position - position, gap.position - position + gap.byteLength);
      this.#pieces.splice(this.#indexAfter(gap.position), 0, {
        position: gap.position,
        bytes: part,
        used: ++this.#clock,
        kept,
      });
      this.#byteLength += part.byteLength;
    }
  }

  /** Forgets a range, and no more. */
  remove({ position, byteLength }: SourceRange): void {
    const end = position + byteLength;
    const first = Math.max(0, this.#indexAfter(position) - 1);
    let last = first;
    const left: Piece[] = [];
    for (; last < this.#pieces.length; last++) {
      const piece = this.#pieces[last] as Piece;
      if (piece.position >= end) break;
      const { bytes } = piece;
      const before = Math.min(bytes.byteLength, Math.max(0, position - piece.position));
      const after = Math.max(0, piece.position + bytes.byteLength - Math.max(end, piece.position));
      if (before > 0) left.push({ ...piece, bytes: bytes.subarray(0, before) });
      const rest = Math.min(after, bytes.byteLength - before);
      if (rest > 0) left.push({ ...piece, position: end, bytes: bytes.subarray(bytes.byteLength - rest) });
      this.#byteLength -= bytes.byteLength;
    }
    for (const { bytes } of left) this.#byteLength += bytes.byteLength;
    this.#pieces.splice(first, last - first, ...left);
  }

  /** Index of the first piece that begins after a position. */
  #indexAfter(position: number): number {
    let low = 0;
    let high = this.#pieces.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#pieces[middle] as Piece).position <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Copies bytes that are here. @returns false if not all of them are */
  copy(position: number, target: Uint8Array): boolean {
    let done = 0;
    for (let i = Math.max(0, this.#indexAfter(position) - 1); done < target.byteLength; i++) {
      const piece = this.#pieces[i];
      const offset = piece === undefined ? -1 : position + done - piece.position;
      if (piece === undefined || offset < 0 || offset >= piece.bytes.byteLength) return false;
      const part = piece.bytes.subarray(offset, offset + target.byteLength - done);
      target.set(part, done);
      piece.used = ++this.#clock;
      done += part.byteLength;
    }
    return true;
  }

  /** Gives up pieces that nobody holds, the least recently used first, until the rest is within the limit. */
  trim(): void {
    if (this.#byteLength <= this.#limit) return;
    const heldSince = Math.min(Number.POSITIVE_INFINITY, ...Array.from(this.#holds, ({ since }) => since));
    const byUse = this.#pieces.filter(({ kept, used }) => !kept && used <= heldSince).sort((a, b) => a.used - b.used);
    const gone = new Set<Piece>();
    for (const piece of byUse) {
      if (this.#byteLength <= this.#limit) break;
      gone.add(piece);
      this.#byteLength -= piece.bytes.byteLength;
    }
    const left = this.#pieces.filter((piece) => !gone.has(piece));
    this.#pieces.splice(0, this.#pieces.length, ...left);
  }

  clear(): void {
    this.#pieces.length = 0;
    this.#byteLength = 0;
  }
}

/** A file of which only the cached ranges can be read. */
class CachedHandle implements IoHandle {
  readonly #cache: RangeCache;
  readonly #size: number;
  readonly #name: string;

  constructor(cache: RangeCache, size: number, name: string) {
    this.#cache = cache;
    this.#size = size;
    this.#name = name;
  }

  size(): number {
    return this.#size;
  }

  read(position: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    this.readInto(position, bytes);
    return bytes;
  }

  readInto(position: number, target: Uint8Array): void {
    if (this.#cache.copy(position, target)) return;
    const length = target.byteLength;
    throw new IoError(
      "BLOSC2_IO_NOT_PREFETCHED",
      `${this.#name}: read of ${length} bytes at position ${position}: not all of it was fetched`,
      { operation: "read", path: this.#name, position, length },
    );
  }

  write(): void {
    throw this.#readOnly("write");
  }

  truncate(): void {
    throw this.#readOnly("truncate");
  }

  flush(): void {}

  close(): void {}

  #readOnly(operation: string): IoError {
    return new IoError("BLOSC2_IO_READ_ONLY", `${this.#name}: ${operation}: remote frames are read only`, {
      operation,
    });
  }
}

/** A handle over a cache. */
export function cachedHandle(cache: RangeCache, size: number, name: string): CheckedHandle {
  return checkHandle(new CachedHandle(cache, size, name), { path: name, mode: "r" });
}
