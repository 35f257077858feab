/** Finds earlier occurrences of the bytes at a position, through chains of positions with equal hashes. @module */
import { LITERAL_MARGIN, MAX_OFFSET, MIN_MATCH } from "./lz4-block.js";

const HASH_BITS = 15;
const WINDOW = MAX_OFFSET + 1;
const WINDOW_MASK = WINDOW - 1;
/** Stored positions stay below this, so that they fit the tables' 32 bits. */
const MAX_STORED = 0x7fff0000;

function hashAt(data: Uint8Array, at: number): number {
  const word = data[at] | (data[at + 1] << 8) | (data[at + 2] << 16) | (data[at + 3] << 24);
  return Math.imul(word, 0x9e3779b1) >>> (32 - HASH_BITS);
}

/**
 * Works on one block at a time. Its tables are reused without being cleared: what earlier blocks left in them is told by
 * its value. Every candidate is compared byte by byte, so the tables can cost ratio but never correctness.
 */
export class Lz4MatchFinder {
  /** The dictionary, if any, with the block behind it. */
  data: Uint8Array = new Uint8Array(0);
  /** Where the block starts in `data`. */
  start = 0;
  /** Where it ends. */
  end = 0;
  /** Length of the match that `find` found. */
  matchLength = 0;
  /** Where in `data` it was found. */
  matchPosition = 0;

  readonly #head = new Int32Array(1 << HASH_BITS);
  readonly #chain = new Int32Array(WINDOW);
  /** What is added to a position when it is stored; 0 in a table is thus no position. */
  #base = 1;
  /** The first position that is not in the tables yet. */
  #next = 0;
  #joined = new Uint8Array(0);
  #dictionary: Uint8Array | undefined;
  #dictionaryHead = new Int32Array(0);
  #dictionaryChain = new Int32Array(0);

  /** Takes up a block. */
  begin(source: Uint8Array, dictionary: Uint8Array | undefined): void {
    this.#base += this.end;
    this.start = dictionary === undefined ? 0 : dictionary.byteLength;
    this.end = this.start + source.byteLength;
    this.#next = this.start;
    if (this.#base + this.end > MAX_STORED) {
      this.#head.fill(0);
      this.#base = 1;
    }
    if (dictionary === undefined) {
      this.data = source;
      return;
    }
    if (this.#joined.byteLength < this.end) this.#joined = new Uint8Array(this.end);
    this.#joined.set(dictionary);
    this.#joined.set(source, this.start);
    this.data = this.#joined;
    if (this.#dictionary !== dictionary) this.#index(dictionary);
  }

  #index(dictionary: Uint8Array): void {
    this.#dictionary = dictionary;
    if (this.#dictionaryHead.length === 0) this.#dictionaryHead = new Int32Array(1 << HASH_BITS);
    if (this.#dictionaryChain.length < dictionary.byteLength) {
      this.#dictionaryChain = new Int32Array(dictionary.byteLength);
    }
    const head = this.#dictionaryHead.fill(-1);
    const chain = this.#dictionaryChain;
    for (let at = 0; at + MIN_MATCH <= dictionary.byteLength; at++) {
      const hash = hashAt(dictionary, at);
      chain[at] = head[hash];
      head[hash] = at;
    }
  }

  #insertBefore(position: number): void {
    const head = this.#head;
    const chain = this.#chain;
    const data = this.data;
    const base = this.#base;
    for (let at = this.#next; at < position; at++) {
      const hash = hashAt(data, at);
      chain[at & WINDOW_MASK] = head[hash];
      head[hash] = at + base;
    }
    if (position > this.#next) this.#next = position;
  }

  /**
   * Looks for the longest match at `position`, which must be at least 12 bytes before the end, among at most `searches`
   * candidates, nearest first. Positions must not decrease from call to call.
   *
   * @returns whether one of at least `minLength` bytes was found.
   */
  find(position: number, minLength: number, searches: number): boolean {
    this.#insertBefore(position);
    const data = this.data;
    const chain = this.#chain;
    const start = this.start;
    const base = this.#base;
    const limit = this.end - LITERAL_MARGIN;
    const hash = hashAt(data, position);
    const dictionaryHead = start === 0 ? -1 : this.#dictionaryHead[hash];
    let best = minLength - 1;
    let found = -1;
    let candidate = this.#head[hash] - base;
    if (candidate < start) candidate = dictionaryHead;
    for (let left = searches; left > 0 && candidate >= 0 && position - candidate <= MAX_OFFSET; left--) {
      if (data[candidate + best] === data[position + best]) {
        let length = 0;
        while (position + length < limit && data[candidate + length] === data[position + length]) length++;
        if (length > best) {
          best = length;
          found = candidate;
          if (position + length >= limit) break;
        }
      }
      if (candidate >= start) {
        candidate = chain[candidate & WINDOW_MASK] - base;
        if (candidate < start) candidate = dictionaryHead;
      } else candidate = this.#dictionaryChain[candidate];
    }
    if (found < 0) return false;
    this.matchLength = best;
    this.matchPosition = found;
    return true;
  }
}
