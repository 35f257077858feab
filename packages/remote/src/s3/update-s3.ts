/**
 * Changing frames in objects. What stays of an object is copied by the service itself; what is new is uploaded, and takes the object's place
 * only if that is still what the change began with.
 *
 * @module
 */
import { IoError, NDArray, SChunk, type SChunkOpenOptions } from "@b2frame/core";
import { checkOptionNames, firstFailure, type OptionNames, SCHUNK_OPEN_NAMES } from "@b2frame/core/backend";
import { isBlosc2Error } from "@b2frame/core/read";
import { delayBefore, pause, type RetryOptions } from "../retry.js";
import type { Draft } from "./draft.js";
import { DraftBackend } from "./draft-backend.js";
import { MIN_PART_BYTES, planParts } from "./object-parts.js";
import { PartUploader } from "./part-uploader.js";
import { putWhole } from "./put-s3.js";
import { S3Base } from "./s3-base.js";
import { S3Object } from "./s3-object.js";
import type { S3Options } from "./s3-source.js";
import { checkPartSize, S3_WRITE_NAMES, type S3WriteOptions, type S3Written } from "./s3-write-options.js";
import { headersWith, isIn, newToken, publishOnce } from "./write-token.js";

/** How a frame in an object is changed. */
export interface S3UpdateOptions extends S3WriteOptions {
  /** When and how often the change is made again because another writer was first. Default: 10 tries in all, 50 ms to 2 s apart. */
  readonly conflicts?: RetryOptions | undefined;
  /** How the frame is opened. */
  readonly open?: Omit<SChunkOpenOptions, "locking" | "mode" | "offset"> | undefined;
}

const { locking: _, mode: __, offset: ___, ...OPEN_NAMES } = SCHUNK_OPEN_NAMES;
const UPDATE_NAMES: OptionNames<S3UpdateOptions> = {
  ...S3_WRITE_NAMES,
  conflicts: { tries: true, minDelay: true, maxDelay: true } satisfies OptionNames<RetryOptions>,
  open: OPEN_NAMES,
};
const DEFAULT_CONFLICTS = { tries: 10, minDelay: 50, maxDelay: 2000 };

/** What a change came to. */
export interface S3Updated<T> extends S3Written {
  /** What the change returned. */
  readonly result: T;
  /** How often it was made: once, and once more for each other writer that was first. */
  readonly tries: number;
}

/**
 * Opens the array in an object, lets `change` change it, and puts the result into the object's place, if nobody else was first. If somebody
 * was, the change is made once more, on what that one wrote. Of what stays nothing passes through here but the first 5 MiB.
 *
 * @param url `s3://bucket/key`
 * @param change changes the array, and nothing else: it runs again for each other writer that was first, and for bytes of the object
 * that it turns out to read. Need not close the array.
 * @throws IoError, `BLOSC2_IO_CONFLICT` if others were first each time, `BLOSC2_IO_NOT_FOUND` if there is no object; FormatError; the
 * signal's reason; what `change` throws. The object is as it was then.
 * @example
 * ```ts
 * await updateS3Array("s3://scans/run.b2nd", (array) => array.append(images), { keys });
 * ```
 */
export function updateS3Array<T>(
  url: string | URL,
  change: (array: NDArray) => T | Promise<T>,
  options: S3UpdateOptions = {},
): Promise<S3Updated<T>> {
  return update(url, (schunk) => change(NDArray.fromSChunk(schunk)), options);
}

/**
 * {@link updateS3Array} for a super-chunk.
 *
 * @throws as that
 * @example
 * ```ts
 * await updateS3SChunk("s3://logs/today.b2frame", (schunk) => schunk.appendData(bytes), { keys });
 * ```
 */
export function updateS3SChunk<T>(
  url: string | URL,
  change: (schunk: SChunk) => T | Promise<T>,
  options: S3UpdateOptions = {},
): Promise<S3Updated<T>> {
  return update(url, change, options);
}

async function update<T>(
  url: string | URL,
  change: (schunk: SChunk) => T | Promise<T>,
  options: S3UpdateOptions,
): Promise<S3Updated<T>> {
  checkOptionNames(UPDATE_NAMES, options);
  checkPartSize(options);
  const { tries: most, minDelay, maxDelay } = { ...DEFAULT_CONFLICTS, ...options.conflicts };
  const updating = new Updating(new S3Object(url, options), change, options);
  for (let tries = 1; ; tries++) {
    try {
      return { ...(await updating.attempt()), tries };
    } catch (error) {
      if (!isBlosc2Error(error, "BLOSC2_IO_CONFLICT") && !isBlosc2Error(error, "BLOSC2_IO_STALE")) throw error;
      if (tries >= most) throw lost(updating.object.name, tries, error);
      await pause(Math.min(delayBefore(tries + 1, minDelay), maxDelay), options.signal);
    }
  }
}

function lost(name: string, tries: number, cause: unknown): IoError {
  return new IoError(
    "BLOSC2_IO_CONFLICT",
    `${name}: other writers were first ${tries} times; the object holds what they wrote, and nothing of this change`,
    { operation: "update", path: name, tries },
    cause,
  );
}

/** One change, until it is in the object. */
class Updating<T> {
  readonly object: S3Object;
  readonly #change: (schunk: SChunk) => T | Promise<T>;
  readonly #options: S3UpdateOptions;
  /** The same for all attempts: one that seemed to have failed may have succeeded. */
  readonly #token = newToken();
  #last: { readonly result: T; readonly byteLength: number } | undefined;

  constructor(object: S3Object, change: (schunk: SChunk) => T | Promise<T>, options: S3UpdateOptions) {
    this.object = object;
    this.#change = change;
    this.#options = options;
  }

  async attempt(): Promise<S3Written & { readonly result: T }> {
    const { signal } = this.#options;
    const { name } = this.object;
    const facts = await this.object.head(signal);
    if (facts === undefined) {
      throw new IoError("BLOSC2_IO_NOT_FOUND", `${name}: update: there is no such object`, {
        operation: "update",
        path: name,
      });
    }
    if (this.#last !== undefined && isIn(this.#token, facts)) return { ...this.#last, etag: facts.etag };
    const base = new S3Base(name, facts, readOptions(this.#options));
    const { draft, result } = await this.#changed(base);
    this.#last = { result, byteLength: draft.size };
    return { ...this.#last, etag: await this.#publish(base, draft) };
  }

  /** The changed object. Made once more whenever bytes of the object are missing. */
  async #changed(base: S3Base): Promise<{ readonly draft: Draft; readonly result: T }> {
    const { name } = this.object;
    for (;;) {
      const first = base.draft();
      const backend = new DraftBackend();
      backend.add(first);
      try {
        const result = await this.#apply(backend);
        if (first.missed === undefined) return { draft: backend.draft(name) ?? first, result };
      } catch (error) {
        // Also where what ended the change is another failure, which came of the bytes that were missing.
        if (first.missed === undefined) throw error;
      }
      await base.fetchMissed(first.missed, this.#options.signal);
    }
  }

  async #apply(backend: DraftBackend): Promise<T> {
    const schunk = SChunk.open(this.object.name, backend, { ...this.#options.open, mode: "r+" });
    let result: T;
    try {
      result = await this.#change(schunk);
    } catch (error) {
      throw firstFailure(error, () => schunk.close());
    }
    schunk.close();
    return result;
  }

  async #publish(base: S3Base, draft: Draft): Promise<string> {
    const { partSize, objectHeaders, signal } = this.#options;
    const { etag: ifMatch, byteLength, headers: before } = base.facts;
    const runs = draft.runs();
    if (draft.size === byteLength && runs.every(({ kept }) => kept)) return ifMatch;
    const headers = headersWith(this.#token, before, objectHeaders);
    // Less holds no part that could be copied.
    if (draft.size <= (partSize ?? 2 * MIN_PART_BYTES)) {
      for (const run of runs) if (run.kept) await base.fetch(run, signal);
      const bytes = draft.take({ position: 0, byteLength: draft.size });
      return putWhole(this.object, bytes, { ifMatch, signal }, this.#token, headers);
    }
    const uploader = new PartUploader(this.object, headers, signal);
    try {
      for (const part of planParts(this.object.name, runs, partSize)) {
        if (part.kept) await uploader.copy(part.number, part, ifMatch);
        else {
          await fetchKept(base, draft, part, signal);
          await uploader.upload(part.number, draft.take(part));
        }
      }
      return await publishOnce(this.object, this.#token, () => uploader.complete({ ifMatch }), signal);
    } catch (error) {
      throw await uploader.abandon(error);
    }
  }
}

/** Fetches what a part that is uploaded has of the object as it was. */
async function fetchKept(
  base: S3Base,
  draft: Draft,
  part: { readonly position: number; readonly byteLength: number },
  signal: AbortSignal | undefined,
): Promise<void> {
  const end = part.position + part.byteLength;
  for (const run of draft.runs()) {
    const from = Math.max(part.position, run.position);
    const to = Math.min(end, run.position + run.byteLength);
    if (run.kept && to > from) await base.fetch({ position: from, byteLength: to - from }, signal);
  }
}

/** The options of reading among others. */
function readOptions({
  objectHeaders: _,
  partSize: __,
  signal: ___,
  conflicts: ____,
  open: _____,
  ...rest
}: S3UpdateOptions): S3Options {
  return rest;
}
