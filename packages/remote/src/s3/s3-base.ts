/** What is fetched of an object that is being changed. @module */
import type { SourceRange } from "../byte-source.js";
import { RangeCache } from "../range-cache.js";
import { RangeFetcher } from "../range-fetcher.js";
import { Draft } from "./draft.js";
import type { ObjectFacts } from "./s3-object.js";
import { type S3Options, s3Source } from "./s3-source.js";

/** The first bytes that are fetched; each further time twice as many, for what is read again from the beginning each time. */
const LEAST_LENGTH = 64 * 1024;
const MOST_LENGTH = 64 * 2 ** 20;

/** See the module. One version only: reading throws `BLOSC2_IO_STALE` when another one is there. */
export class S3Base {
  readonly facts: ObjectFacts;
  readonly #name: string;
  readonly #cache = new RangeCache(Number.POSITIVE_INFINITY);
  readonly #fetcher: RangeFetcher;
  #ahead = LEAST_LENGTH;

  constructor(name: string, facts: ObjectFacts, options: S3Options) {
    this.facts = facts;
    this.#name = name;
    const known = { version: facts.etag, size: facts.byteLength };
    this.#fetcher = new RangeFetcher(s3Source(name, options), this.#cache, known);
  }

  /** A draft that begins as the object is. */
  draft(): Draft {
    return new Draft(this.#name, { cache: this.#cache, byteLength: this.facts.byteLength });
  }

  /** Fetches bytes, and some more of those behind them. */
  async fetchMissed({ position, byteLength }: SourceRange, signal: AbortSignal | undefined): Promise<void> {
    const wanted = Math.max(byteLength, this.#ahead);
    this.#ahead = Math.min(2 * this.#ahead, MOST_LENGTH);
    await this.fetch({ position, byteLength: wanted }, signal);
  }

  /** Fetches what there is of a range. */
  async fetch({ position, byteLength }: SourceRange, signal: AbortSignal | undefined): Promise<void> {
    const end = Math.min(position + byteLength, this.facts.byteLength);
    if (end > position) await this.#fetcher.ensure([{ position, byteLength: end - position }], signal);
  }
}
