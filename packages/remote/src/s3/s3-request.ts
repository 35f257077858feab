/** Requests to S3 other than the reading of ranges: sent, tried again, and their failures explained. @module */
import { type Blosc2ErrorCode, IoError, isBlosc2Error } from "@b2frame/core/read";
import { PASSING_STATUS, retryAfter, withinTime } from "../http-attempt.js";
import { PassingFailure, retrying } from "../retry.js";
import { signS3 } from "./s3-signing.js";
import type { S3Options } from "./s3-source.js";

/** What is asked of S3. */
export interface S3Request {
  /** `"put"`, `"list"`, ...: for messages. */
  readonly operation: string;
  readonly method: string;
  /** With the query. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Uint8Array | undefined;
}

/** What S3 answered. */
export interface S3Answer {
  readonly headers: Headers;
  readonly text: string;
}

/** Copying and completing take long for large objects; parts, over slow lines. */
const DEFAULT_TIMEOUT = 300_000;
/** Codes of answers, also of those that began with 200, after which the same request may succeed. */
const PASSING_CODES: ReadonlySet<string> = new Set([
  "InternalError",
  "RequestTimeout",
  "ServiceUnavailable",
  "SlowDown",
  "Throttling",
]);
/** Another writer was first, or is at it. */
const CONFLICTS: ReadonlySet<string> = new Set(["PreconditionFailed", "ConditionalRequestConflict"]);

/** The text of the first element of a name; undefined if there is none. */
export function xmlText(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return text?.replace(/&(quot|apos|lt|gt|amp|#34);/g, (_, entity: string) => ENTITIES[entity] as string);
}

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', "#34": '"', apos: "'", lt: "<", gt: ">", amp: "&" };

/** The text of an element as it must stand in XML. */
export function xmlEscaped(text: string): string {
  return text.replace(/[<>&"]/g, (c) => ({ "<": "&lt;", ">": "&gt;", "&": "&amp;" })[c] ?? "&quot;");
}

/** A query as signatures take it: a space is %20. */
export function queryOf(parameters: Readonly<Record<string, string>>): string {
  return `?${String(new URLSearchParams(parameters)).replaceAll("+", "%20")}`;
}

/**
 * Sends a request until it succeeds, fails for good, or there are no tries left.
 *
 * @throws IoError, `BLOSC2_IO_CONFLICT` where a condition was not met; the signal's reason
 */
export function sendS3(request: S3Request, options: S3Options, signal: AbortSignal | undefined): Promise<S3Answer> {
  return retrying(options.retry ?? {}, signal, () =>
    withinTime(
      options.timeout ?? DEFAULT_TIMEOUT,
      signal,
      (stop) => attempt(request, options, stop.signal),
      (error, ended) => {
        if (signal?.aborted === true) return signal.reason;
        if (error instanceof PassingFailure || isBlosc2Error(error)) return error;
        return new PassingFailure(noAnswer(request, error, ended));
      },
    ),
  );
}

async function attempt(request: S3Request, options: S3Options, signal: AbortSignal): Promise<S3Answer> {
  const { url, method, operation } = request;
  const body = request.body === undefined ? undefined : unshared(request.body);
  const { headers, credentials, sign, fetch: send = globalThis.fetch } = options;
  const unsigned = new Request(url, {
    method,
    headers: { ...headers, ...request.headers, ...(await sumOf(body, options)) },
    cache: "no-store",
    signal,
    ...(body === undefined ? {} : { body }),
    ...(credentials === undefined ? {} : { credentials }),
  });
  options.onRequest?.(url, { position: 0, byteLength: body?.byteLength ?? 0 });
  const response = await send(await signS3(sign === undefined ? unsigned : await sign(unsigned), options));
  const text = await response.text();
  // Copying and completing begin to answer before they know how it ends.
  const code = xmlText(text, "Code");
  if (response.ok && (code === undefined || !/<Error>/.test(text))) return { headers: response.headers, text };
  const failure = explain(url, operation, response.status, code, xmlText(text, "Message"));
  if (PASSING_STATUS.has(response.status) || PASSING_CODES.has(code ?? "")) {
    throw new PassingFailure(failure, retryAfter(response.headers));
  }
  throw failure;
}

/** Bytes that may be sent: in memory that no other thread changes. */
function unshared(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}

/** What of the body is signed: its SHA-256, so that what is damaged on the way is refused. */
async function sumOf(body: Uint8Array<ArrayBuffer> | undefined, { keys }: S3Options): Promise<Record<string, string>> {
  if (body === undefined || keys === undefined || globalThis.crypto?.subtle === undefined) return {};
  const sum = new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", body));
  return { "x-amz-content-sha256": Array.from(sum, (byte) => byte.toString(16).padStart(2, "0")).join("") };
}

function codeOf(status: number, code: string | undefined): Blosc2ErrorCode {
  if (status === 412 || CONFLICTS.has(code ?? "")) return "BLOSC2_IO_CONFLICT";
  return status === 404 ? "BLOSC2_IO_NOT_FOUND" : "BLOSC2_IO_FAILED";
}

const MEANINGS: Readonly<Record<number, string>> = {
  401: "the service wants to know who asks: give keys or sign",
  403: "the service refuses: the keys are wrong, or have no right to do this",
  404: "there is no such bucket, object or upload",
  409: "another request is at the same object",
  412: "another writer was first",
};

function explain(
  url: string,
  operation: string,
  status: number,
  code: string | undefined,
  message: string | undefined,
): IoError {
  const meaning = MEANINGS[status] ?? (status >= 500 ? "the service failed" : "the service refuses the request");
  const said = code === undefined ? "" : ` (${code}${message === undefined ? "" : `: ${message}`})`;
  return new IoError(codeOf(status, code), `${url}: ${operation}: HTTP ${status}: ${meaning}${said}`, {
    operation,
    path: url,
    status,
    reason: code,
  });
}

function noAnswer({ url, operation }: S3Request, cause: unknown, timedOut: boolean): IoError {
  const why = timedOut ? "no answer in time" : `the network failed (${cause instanceof Error ? cause.message : cause})`;
  return new IoError(
    "BLOSC2_IO_FAILED",
    `${url}: ${operation}: ${why}`,
    { operation, path: url, reason: timedOut ? "timeout" : "network" },
    cause,
  );
}
