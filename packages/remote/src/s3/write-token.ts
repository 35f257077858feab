/**
 * Telling one's own writing from another's when its answer was lost: every writing has a token, and the object names those of the last ones
 * in its metadata.
 *
 * @module
 */
import { IoError, isBlosc2Error } from "@b2frame/core/read";
import type { ObjectFacts, S3Object } from "./s3-object.js";

/** Of the object, with the tokens of what wrote it, the newest first. */
const TOKENS_HEADER = "x-amz-meta-b2frame-writes";
/** So many are kept; metadata has 2 KiB at most. */
const TOKENS_KEPT = 16;
/** What is known of an object beside its content stays when it is changed. */
const KEPT_HEADER = /^(?:x-amz-meta-.+|cache-control|content-(?:disposition|encoding|language|type)|expires)$/;

/** Answers after which nothing was written, now or before. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403]);

/** A token that nobody else has. */
export function newToken(): string {
  return globalThis.crypto.randomUUID().replaceAll("-", "");
}

function tokensOf(headers: Headers): readonly string[] {
  return (headers.get(TOKENS_HEADER) ?? "").split(" ").filter((token) => token !== "");
}

/** Headers of an object that a writing of this token makes, out of those that it had. */
export function headersWith(
  token: string,
  before: Headers | undefined,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const headers: Record<string, string> = { "content-type": "application/octet-stream" };
  before?.forEach((value, name) => {
    if (KEPT_HEADER.test(name)) headers[name] = value;
  });
  for (const [name, value] of Object.entries(more)) headers[name.toLowerCase()] = value;
  const tokens = before === undefined ? [] : tokensOf(before);
  headers[TOKENS_HEADER] = [token, ...tokens.filter((other) => other !== token)].slice(0, TOKENS_KEPT).join(" ");
  return headers;
}

/** Whether a writing of this token is in the object. */
export function isIn(token: string, facts: ObjectFacts | undefined): boolean {
  return facts !== undefined && tokensOf(facts.headers).includes(token);
}

/**
 * Publishes an object. Where the answer is a failure it may be the second one, to a request whose success was lost on the way: then the
 * object says so.
 *
 * @throws what `publish` throws
 */
export async function publishOnce(
  object: S3Object,
  token: string,
  publish: () => Promise<string>,
  signal: AbortSignal | undefined,
): Promise<string> {
  try {
    return await publish();
  } catch (error) {
    if (!isBlosc2Error(error) || REFUSALS.has(Number(error.details.status))) throw error;
    const facts = await object.head(signal).catch((cause: unknown) => {
      throw unknownOutcome(object, error, cause);
    });
    if (facts !== undefined && isIn(token, facts)) return facts.etag;
    throw error;
  }
}

function unknownOutcome(object: S3Object, failure: Error, cause: unknown): IoError {
  return new IoError(
    "BLOSC2_IO_FAILED",
    `${object.name}: ${failure.message}; whether it was written all the same could not be found out`,
    { operation: "write", path: object.name, reason: "unknown-outcome" },
    cause,
  );
}
