/**
 * An object that is being written: what was written is in memory, over the bytes of the object as it was, of which so much is there as was
 * fetched. What has been uploaded may be dropped.
 *
 * @module
 */
import { IoError, UnsupportedError } from "@b2frame/core";
import { shortRead } from "@b2frame/core/backend";
import type { SourceRange } from "../byte-source.js";
import { RangeCache } from "../range-cache.js";

/** The object as it was. */
export interface DraftBase {
  readonly cache: RangeCache;
  readonly byteLength: number;
}

/** A run of bytes: all as they were in the object, or not. */
export interface DraftRun extends SourceRange {
  readonly kept: boolean;
}

let draftsMade = 0;

/** See the module. */
export class Draft {
  readonly path: string;
  /** Tells drafts apart whatever their names. */
  readonly identity: string = `draft:${draftsMade++}`;
  readonly #written = new RangeCache(Number.POSITIVE_INFINITY);
  readonly #base: DraftBase | undefined;
  /** Where what is kept of the object ends. */
  #baseEnd: number;
  #size: number;
  /** What has been uploaded and dropped. */
  #dropped: SourceRange = { position: 0, byteLength: 0 };
  /** Where the last write that made it longer began: only that one may be taken back and written again. */
  #lastGrowth = 0;
  /** Bytes of the object that were asked for and are not there. */
  missed: SourceRange | undefined;

  constructor(path: string, base?: DraftBase) {
    this.path = path;
    this.#base = base;
    this.#size = base?.byteLength ?? 0;
    this.#baseEnd = this.#size;
  }

  get size(): number {
    return this.#size;
  }

  /** Up to here nothing changes any more, but for the beginning. */
  get settledEnd(): number {
    return this.#lastGrowth;
  }

  /** @throws IoError `BLOSC2_IO_SHORT_READ`, `BLOSC2_IO_NOT_PREFETCHED`; UnsupportedError for what was dropped */
  read(position: number, target: Uint8Array): void {
    const { byteLength } = target;
    this.#requireInside(position, byteLength);
    this.#requireThere("read", position, byteLength);
    let at = position;
    for (const gap of this.#written.missing({ position, byteLength })) {
      this.#written.copy(at, target.subarray(at - position, gap.position - position));
      at = gap.position + gap.byteLength;
      this.#readBase(gap, target.subarray(gap.position - position, at - position));
    }
    this.#written.copy(at, target.subarray(at - position));
  }

  #readBase({ position, byteLength }: SourceRange, target: Uint8Array): void {
    const there = Math.max(0, Math.min(byteLength, this.#baseEnd - position));
    target.fill(0, there);
    if (there === 0 || this.#base?.cache.copy(position, target.subarray(0, there)) === true) return;
    this.missed = { position, byteLength: there };
    throw new IoError(
      "BLOSC2_IO_NOT_PREFETCHED",
      `${this.path}: read of ${there} bytes at position ${position}: not all of it was fetched`,
      { operation: "read", path: this.path, position, length: there },
    );
  }

  /** @throws UnsupportedError for what was dropped */
  write(position: number, bytes: Uint8Array): void {
    const { byteLength } = bytes;
    this.#requireThere("write", position, byteLength);
    if (position + byteLength > this.#size) this.#lastGrowth = Math.min(position, this.#size);
    this.#written.remove({ position, byteLength });
    this.#written.add(position, bytes.slice());
    this.#size = Math.max(this.#size, position + byteLength);
  }

  /** @throws UnsupportedError for what was dropped */
  truncate(size: number): void {
    if (size < this.#size) {
      this.#requireThere("truncate", size, this.#size - size);
      this.#written.remove({ position: size, byteLength: this.#size - size });
      this.#baseEnd = Math.min(this.#baseEnd, size);
      this.#lastGrowth = Math.min(this.#lastGrowth, size);
    }
    this.#size = size;
  }

  /** All of it, in order. */
  runs(): DraftRun[] {
    const runs: DraftRun[] = [];
    let at = 0;
    const add = (end: number, kept: boolean): void => {
      if (end > at) runs.push({ position: at, byteLength: end - at, kept });
      at = Math.max(at, end);
    };
    for (const gap of this.#written.missing({ position: 0, byteLength: this.#size })) {
      add(gap.position, false);
      add(Math.min(gap.position + gap.byteLength, this.#baseEnd), true);
      add(gap.position + gap.byteLength, false);
    }
    add(this.#size, false);
    return runs;
  }

  /** A copy of bytes. @throws as {@link read} */
  take({ position, byteLength }: SourceRange): Uint8Array {
    // Before memory is taken for it.
    this.#requireInside(position, byteLength);
    const bytes = new Uint8Array(byteLength);
    this.read(position, bytes);
    return bytes;
  }

  /** Gives the memory of bytes back that were uploaded; they follow those that were dropped before. */
  drop(range: SourceRange): void {
    this.#written.remove(range);
    const { position, byteLength } = this.#dropped;
    this.#dropped = byteLength === 0 ? range : { position, byteLength: byteLength + range.byteLength };
  }

  #requireInside(position: number, byteLength: number): void {
    if (position + byteLength <= this.#size) return;
    const facts = { operation: "read", path: this.path, position, length: byteLength };
    throw shortRead(facts, Math.max(0, this.#size - position));
  }

  #requireThere(operation: string, position: number, byteLength: number): void {
    const { position: from, byteLength: length } = this.#dropped;
    if (length === 0 || position >= from + length || position + byteLength <= from) return;
    throw new UnsupportedError(
      "BLOSC2_UNSUPPORTED",
      `${this.path}: ${operation} of ${byteLength} bytes at position ${position}: they were uploaded already; ` +
        "what is uploaded piece by piece can be appended to, not read or changed",
      { feature: "reading or changing what was uploaded", operation, path: this.path, position, length: byteLength },
    );
  }
}
