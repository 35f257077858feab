/** Fetching what is missing in a cache: requests that are under way are shared, and given up when nobody waits for them any longer. @module */
import { IoError, isBlosc2Error } from "@b2frame/core/read";
import type { ByteSource, SourceAnswer, SourceRange } from "./byte-source.js";
import type { RangeCache } from "./range-cache.js";

/** What was asked of a source so far. */
export interface FetchCounts {
  /** Ranges that were asked for. */
  requests: number;
  /** Bytes that came. */
  bytes: number;
  /** Bytes that were wanted and there already, or under way. */
  fromCache: number;
}

interface Flight {
  readonly range: SourceRange;
  readonly controller: AbortController;
  readonly done: Promise<void>;
  waiters: number;
}

/** Whether two facts about the content contradict each other. */
function isAnother<T>(known: T | undefined, found: T | undefined): boolean {
  return known !== undefined && found !== undefined && known !== found;
}

/** See the module. */
export class RangeFetcher {
  readonly counts: FetchCounts = { requests: 0, bytes: 0, fromCache: 0 };
  readonly #source: ByteSource;
  readonly #cache: RangeCache;
  readonly #flights = new Set<Flight>();
  /** The version of the content that everything in the cache is of. */
  #version: string | undefined;
  #size: number | undefined;
  /** As an answer told it; {@link size} may be where a first answer ended. */
  #stated: number | undefined;
  /** Why nothing can be fetched any longer until {@link reset}: the content was replaced. */
  #stale: unknown;
  /** Counts resets: what was asked for before one is of no use after it. */
  #epoch = 0;

  /** @param known what is known of the content already: another version is refused from the first answer on */
  constructor(source: ByteSource, cache: RangeCache, known: Pick<SourceAnswer, "size" | "version"> = {}) {
    this.#source = source;
    this.#cache = cache;
    this.#version = known.version;
    this.#size = known.size;
    this.#stated = known.size;
  }

  /** Bytes of all of the content, if an answer told. */
  get size(): number | undefined {
    return this.#size;
  }

  /** Bytes from `position` on, as many as there are up to `byteLength`: for the beginning of a file of unknown size. */
  async fetchHead(position: number, byteLength: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    if (this.#stale !== undefined) throw this.#stale;
    const here = this.#size === undefined ? byteLength : Math.max(0, Math.min(byteLength, this.#size - position));
    const known = new Uint8Array(here);
    if (this.#cache.copy(position, known)) return known;
    if (this.#size !== undefined || this.#version !== undefined) {
      await this.ensure([{ position, byteLength: here }], signal, true);
      this.#cache.copy(position, known);
      return known;
    }
    this.counts.requests++;
    const { bytes, version, size } = await this.#source.readRange({ position, byteLength }, { signal, clamp: true });
    this.counts.bytes += bytes.byteLength;
    this.#version = version;
    this.#stated = size;
    this.#size = size ?? (bytes.byteLength < byteLength ? position + bytes.byteLength : undefined);
    this.#cache.add(position, bytes, true);
    return bytes;
  }

  /**
   * Brings ranges into the cache.
   *
   * @param kept whether they describe the frame, and stay.
   * @throws IoError, `BLOSC2_IO_STALE` if the content was replaced since the beginning; the signal's reason
   */
  async ensure(ranges: readonly SourceRange[], signal: AbortSignal | undefined, kept = false): Promise<void> {
    signal?.throwIfAborted();
    if (this.#stale !== undefined) throw this.#stale;
    const flights: Flight[] = [];
    for (const range of ranges) {
      this.counts.fromCache += range.byteLength;
      for (const gap of this.#cache.missing(range)) flights.push(...this.#flightsFor(gap, kept));
    }
    if (signal === undefined || flights.length === 0) {
      await Promise.all(flights.map((flight) => this.#waitFor(flight)));
      return;
    }
    // One listener for all of them: Node warns of more than ten.
    let leave = (): void => {};
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(signal.reason);
    });
    signal.addEventListener("abort", leave, { once: true });
    const waits = flights.map((flight) => this.#waitFor(flight, left));
    // Also of those that go on where one has failed.
    const settled = (): void => signal.removeEventListener("abort", leave);
    Promise.allSettled(waits).then(settled, settled);
    await Promise.all(waits);
  }

  /** Flights that bring all of a range: those under way, and new ones for the rest. */
  #flightsFor(range: SourceRange, kept: boolean): Flight[] {
    const flights: Flight[] = [];
    const end = range.position + range.byteLength;
    let at = range.position;
    const underWay = [...this.#flights].sort((a, b) => a.range.position - b.range.position);
    for (const flight of underWay) {
      const flightEnd = flight.range.position + flight.range.byteLength;
      if (flightEnd <= at || flight.range.position >= end || flight.controller.signal.aborted) continue;
      if (flight.range.position > at) {
        flights.push(this.#start({ position: at, byteLength: flight.range.position - at }, kept));
      }
      flights.push(flight);
      at = flightEnd;
    }
    if (at < end) flights.push(this.#start({ position: at, byteLength: end - at }, kept));
    return flights;
  }

  #start(range: SourceRange, kept: boolean): Flight {
    const controller = new AbortController();
    const flight: Flight = { range, controller, waiters: 0, done: this.#fetch(range, controller.signal, kept) };
    this.#flights.add(flight);
    const land = (): void => {
      this.#flights.delete(flight);
    };
    flight.done.then(land, land);
    return flight;
  }

  async #fetch(range: SourceRange, signal: AbortSignal, kept: boolean): Promise<void> {
    this.counts.requests++;
    this.counts.fromCache -= range.byteLength;
    const epoch = this.#epoch;
    const { bytes, version, size } = await this.#read(range, signal);
    this.counts.bytes += bytes.byteLength;
    signal.throwIfAborted();
    if (epoch !== this.#epoch) throw new DOMException("the content was read again meanwhile", "AbortError");
    if (isAnother(this.#version, version) || isAnother(this.#stated, size)) {
      throw this.#becomeStale(
        new IoError(
          "BLOSC2_IO_STALE",
          `${this.#source.name}: was replaced since it was opened; refresh() reads it again`,
          {
            operation: "read",
            path: this.#source.name,
            position: range.position,
            length: range.byteLength,
            expected: isAnother(this.#version, version) ? this.#version : this.#stated,
            found: isAnother(this.#version, version) ? version : size,
          },
        ),
      );
    }
    this.#cache.add(range.position, bytes, kept);
  }

  async #read(range: SourceRange, signal: AbortSignal): Promise<SourceAnswer> {
    const epoch = this.#epoch;
    try {
      return await this.#source.readRange(range, { signal });
    } catch (error) {
      if (isBlosc2Error(error, "BLOSC2_IO_STALE") && epoch === this.#epoch) throw this.#becomeStale(error);
      throw error;
    }
  }

  /** Drops what is cached: it is of a version that is no longer there. */
  #becomeStale(error: IoError): IoError {
    this.#stale = error;
    this.#cache.clear();
    return error;
  }

  /** Waits for a flight until `left` rejects; the last one to leave ends it. */
  async #waitFor(flight: Flight, left?: Promise<never>): Promise<void> {
    flight.waiters++;
    try {
      await (left === undefined ? flight.done : Promise.race([flight.done, left]));
    } finally {
      flight.waiters--;
      if (flight.waiters === 0) flight.controller.abort();
    }
  }

  /** Forgets everything: what comes then may be of another version. */
  reset(): void {
    for (const { controller } of this.#flights) controller.abort();
    this.#flights.clear();
    this.#cache.clear();
    this.#source.reset?.();
    this.#version = undefined;
    this.#size = undefined;
    this.#stated = undefined;
    this.#stale = undefined;
    this.#epoch++;
  }
}
