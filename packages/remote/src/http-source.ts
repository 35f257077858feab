/**
 * Ranges of what lies behind a URL. One plain `Range: bytes=a-b` for each, without other unusual headers, so that a browser asks no leave
 * first; neither HEAD nor `Content-Range` nor a size is needed.
 *
 * @module
 */
import { checkOptionNames, type OptionNames } from "@b2frame/core/backend";
import { ArgumentError, IoError } from "@b2frame/core/read";
import type { ByteSource, SourceAnswer, SourceRange, SourceReadOptions } from "./byte-source.js";
import { PASSING_STATUS, retryAfter, withinTime } from "./http-attempt.js";
import { contentRangeOf, readBody } from "./http-body.js";
import { explainNetworkFailure, explainStatus } from "./http-failures.js";
import { defaultQueue, RequestQueue } from "./request-queue.js";
import { PassingFailure, type RetryOptions, retrying } from "./retry.js";

/** How requests are made. */
export interface HttpOptions {
  /** Headers of every request. Any but the simplest make a browser ask the server for leave first. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** As in `fetch`, whose type for it Node's own types do not have. */
  readonly credentials?: "include" | "omit" | "same-origin" | undefined;
  /** Sends a request. Default: the global `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Signs or changes each request before it is sent; each try has a request of its own. */
  readonly sign?: ((request: Request) => Request | Promise<Request>) | undefined;
  /** Requests at a time. Default: 8 over all frames together. */
  readonly concurrency?: number | undefined;
  readonly retry?: RetryOptions | undefined;
  /** Milliseconds after which a try counts as failed. Default 30,000. */
  readonly timeout?: number | undefined;
  /**
   * Whether answers are compared, so that a file that is replaced meanwhile is noticed. `"none"` for servers whose ETags mean nothing.
   * Default `"compare"`.
   */
  readonly validate?: "compare" | "none" | undefined;
  /**
   * What to do with a server that sends all of the file in place of a range: take it if it has at most so many bytes, else refuse. Default
   * `"never"`.
   */
  readonly fullDownload?: "never" | number | undefined;
  /** Bytes of the file, for `.b2z` files behind servers that do not tell. Default: what the server says. */
  readonly size?: number | undefined;
  /** Is told of every request that is sent. */
  readonly onRequest?: ((url: string, range: SourceRange) => void) | undefined;
}

/** The names of {@link HttpOptions}. */
export const HTTP_NAMES: OptionNames<HttpOptions> = {
  headers: true,
  credentials: true,
  fetch: true,
  sign: true,
  concurrency: true,
  retry: { tries: true, minDelay: true, maxDelay: true } satisfies OptionNames<RetryOptions>,
  timeout: true,
  validate: true,
  fullDownload: true,
  size: true,
  onRequest: true,
};

const DEFAULT_TIMEOUT = 30_000;
/** Whether this runs in a page: browsers set the encoding themselves, and lock their cache by URL. */
const inBrowser: boolean =
  typeof (globalThis as { document?: unknown }).document !== "undefined" || "WorkerGlobalScope" in globalThis;

/** A strong validator of an answer, if it can be seen: pages of other origins see only what the server exposes. */
function versionOf(headers: Headers): string | undefined {
  const tag = headers.get("etag");
  if (tag !== null && !tag.startsWith("W/")) return tag;
  return headers.get("last-modified") ?? undefined;
}

/** The length of the file, by an answer to HEAD that is not compressed. */
function lengthOf(headers: Headers): number | undefined {
  const length = headers.get("content-length");
  return length === null || headers.get("content-encoding") !== null ? undefined : Number(length);
}

/** See the module. */
class HttpSource implements ByteSource {
  readonly name: string;
  readonly #options: HttpOptions;
  readonly #queue: RequestQueue;
  /** All of the file, where the server gives nothing less and that was allowed. */
  #whole: SourceAnswer | undefined;

  constructor(url: string, options: HttpOptions) {
    this.name = url;
    this.#options = options;
    this.#queue = options.concurrency === undefined ? defaultQueue : new RequestQueue(options.concurrency);
  }

  async readRange(range: SourceRange, options: SourceReadOptions = {}): Promise<SourceAnswer> {
    const { signal, clamp = false } = options;
    const answer = this.#whole ?? (await this.#request(range, signal, clamp));
    if (answer !== this.#whole) return answer;
    const bytes = answer.bytes.subarray(range.position, range.position + range.byteLength);
    this.#requireLength(bytes, range, clamp);
    return { ...answer, bytes };
  }

  /** By HEAD: the second try, for servers that hide Content-Range from pages of other origins. */
  async findSize({ signal }: SourceReadOptions = {}): Promise<number> {
    if (this.#options.size !== undefined) return this.#options.size;
    const answer = await this.#request({ position: 0, byteLength: 1 }, signal, true, "HEAD");
    if (answer.size !== undefined) return answer.size;
    throw this.#failure(
      { position: 0, byteLength: 1 },
      "no-size",
      'the server does not say how long the file is: let it expose "Content-Range", or give the option size',
    );
  }

  reset(): void {
    this.#whole = undefined;
  }

  #request(range: SourceRange, signal: AbortSignal | undefined, clamp: boolean, method = "GET"): Promise<SourceAnswer> {
    return retrying(this.#options.retry ?? {}, signal, () =>
      this.#queue.run(() => this.#attempt(range, signal, clamp, method), signal),
    );
  }

  #attempt(range: SourceRange, signal: AbortSignal | undefined, clamp: boolean, method: string): Promise<SourceAnswer> {
    const run = async (stop: AbortController): Promise<SourceAnswer> => {
      const response = await this.#send(range, stop.signal, method);
      if (method === "HEAD" && response.ok) return { bytes: new Uint8Array(), size: lengthOf(response.headers) };
      return await this.#take(response, range, clamp, stop);
    };
    return withinTime(this.#options.timeout ?? DEFAULT_TIMEOUT, signal, run, (error, ended) => {
      if (signal?.aborted === true) return signal.reason;
      if (error instanceof PassingFailure || error instanceof IoError || error instanceof ArgumentError) return error;
      return new PassingFailure(explainNetworkFailure(this.name, range, error, ended, inBrowser));
    });
  }

  async #send({ position, byteLength }: SourceRange, signal: AbortSignal, method: string): Promise<Response> {
    const { headers, credentials, fetch: send = globalThis.fetch, sign, onRequest } = this.#options;
    const request = new Request(this.name, {
      method,
      headers: {
        ...(inBrowser ? {} : { "accept-encoding": "identity" }),
        ...headers,
        ...(method === "HEAD" ? {} : { range: `bytes=${position}-${position + byteLength - 1}` }),
      },
      // Chromium lets ranges of one URL wait for each other where its cache is in use.
      cache: "no-store",
      signal,
      ...(credentials === undefined ? {} : { credentials }),
    });
    const signed = sign === undefined ? request : await sign(request);
    onRequest?.(this.name, { position, byteLength });
    return await send(signed);
  }

  async #take(response: Response, range: SourceRange, clamp: boolean, stop: AbortController): Promise<SourceAnswer> {
    const { status, headers } = response;
    if (status !== 200 && status !== 206) {
      stop.abort();
      const failure = explainStatus(this.name, range, status);
      throw PASSING_STATUS.has(status) ? new PassingFailure(failure, retryAfter(headers)) : failure;
    }
    const encoding = headers.get("content-encoding");
    if (encoding !== null && encoding !== "identity") {
      stop.abort();
      throw this.#failure(
        range,
        "compressed",
        `the server sends it compressed by ${encoding}, so that ranges of it mean nothing: turn that off for this type of file`,
      );
    }
    // Some servers say 200 and send the range all the same.
    if (status === 200 && Number(headers.get("content-length")) !== range.byteLength) {
      return await this.#takeWhole(response, range, stop);
    }
    const version = this.#options.validate === "none" ? undefined : versionOf(headers);
    // Pages of other origins see it only where the server exposes it.
    const stated = contentRangeOf(headers);
    if (stated !== undefined && stated.first !== range.position) {
      stop.abort();
      const failure = `the server sends the bytes from ${stated.first} on in place of them`;
      throw new PassingFailure(this.#failure(range, "wrong-range", failure));
    }
    const bytes = await readBody(response, range.byteLength, stop.signal);
    const size = stated?.size;
    // Where the file ends is no reason to take less than there is of it.
    const there = clamp && size !== undefined ? Math.min(range.byteLength, size - range.position) : undefined;
    this.#requireLength(
      bytes,
      there === undefined ? range : { ...range, byteLength: there },
      there === undefined && clamp,
    );
    return { bytes, version, size };
  }

  async #takeWhole(response: Response, range: SourceRange, stop: AbortController): Promise<SourceAnswer> {
    const { fullDownload = "never" } = this.#options;
    const stated = response.headers.get("content-length");
    const byteLength = stated === null ? Number.POSITIVE_INFINITY : Number(stated);
    if (fullDownload === "never" || byteLength > fullDownload) {
      stop.abort();
      throw this.#failure(
        range,
        "no-ranges",
        `the server sends all of the file (${stated ?? "an unknown number of"} bytes) in place of a range: let it answer "Range" requests with ` +
          `206, or allow the whole download with the option fullDownload`,
      );
    }
    const bytes = await readBody(response, byteLength, stop.signal);
    this.#requireLength(bytes, { position: 0, byteLength }, false);
    const version = this.#options.validate === "none" ? undefined : versionOf(response.headers);
    this.#whole = { bytes, version, size: byteLength };
    return this.#whole;
  }

  /** @throws PassingFailure for a body of another length: it may have been cut on the way */
  #requireLength(bytes: Uint8Array, range: SourceRange, clamp: boolean): void {
    const { position, byteLength } = range;
    if (bytes.byteLength === byteLength || (clamp && bytes.byteLength > 0 && bytes.byteLength < byteLength)) return;
    throw new PassingFailure(
      new IoError(
        "BLOSC2_IO_SHORT_READ",
        `${this.name}: read of ${byteLength} bytes at position ${position}: the answer has ${bytes.byteLength} bytes`,
        {
          operation: "read",
          path: this.name,
          position,
          length: byteLength,
          expected: byteLength,
          found: bytes.byteLength,
        },
      ),
    );
  }

  #failure({ position, byteLength }: SourceRange, reason: string, explanation: string): IoError {
    return new IoError(
      "BLOSC2_IO_FAILED",
      `${this.name}: read of ${byteLength} bytes at position ${position}: ${explanation}`,
      { operation: "read", path: this.name, position, length: byteLength, reason },
    );
  }
}

/** Against the page, in a page; undefined for what is no URL. */
function resolve(url: string | URL): URL | undefined {
  const base: unknown = (globalThis as { location?: { href?: unknown } }).location?.href;
  try {
    return new URL(url, typeof base === "string" ? base : undefined);
  } catch {
    return undefined;
  }
}

/**
 * A source over a URL.
 *
 * @throws ArgumentError for a URL that is none, or not of HTTP.
 */
export function httpSource(url: string | URL, options: HttpOptions = {}): ByteSource {
  checkOptionNames(HTTP_NAMES, options);
  const resolved = resolve(url);
  if (resolved === undefined || (resolved.protocol !== "http:" && resolved.protocol !== "https:")) {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `url: expected an http: or https: URL, found ${String(url).slice(0, 200)}`,
      {
        parameter: "url",
        found: String(url).slice(0, 200),
      },
    );
  }
  return new HttpSource(resolved.href, options);
}
