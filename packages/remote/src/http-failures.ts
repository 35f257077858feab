/** What a failed request means, and who can mend it. @module */
import { type Blosc2ErrorCode, IoError } from "@b2frame/core/read";
import type { SourceRange } from "./byte-source.js";

interface Explanation {
  readonly code: Blosc2ErrorCode;
  readonly reason: string;
  readonly text: string;
}

const EXPLANATIONS: Readonly<Record<number, Explanation>> = {
  401: {
    code: "BLOSC2_IO_FAILED",
    reason: "unauthorized",
    text: "the server wants to know who asks: give headers, credentials or sign",
  },
  403: {
    code: "BLOSC2_IO_FAILED",
    reason: "denied",
    text: "the server refuses: either there is no right to read it, or, on S3 without the right to list, there is nothing of this name; a signed URL may have expired, or be for another method",
  },
  404: { code: "BLOSC2_IO_NOT_FOUND", reason: "missing", text: "there is nothing of this name" },
  410: { code: "BLOSC2_IO_NOT_FOUND", reason: "missing", text: "it is there no longer" },
  412: { code: "BLOSC2_IO_STALE", reason: "changed", text: "it was replaced meanwhile" },
  416: {
    code: "BLOSC2_IO_STALE",
    reason: "changed",
    text: "it ends before this range: it was replaced or cut meanwhile",
  },
  429: {
    code: "BLOSC2_IO_FAILED",
    reason: "busy",
    text: "the server asks for fewer requests, and still did after the last try",
  },
};

/** The error for an answer that is no success. */
export function explainStatus(url: string, { position, byteLength }: SourceRange, status: number): IoError {
  const { code, reason, text } = EXPLANATIONS[status] ?? {
    code: "BLOSC2_IO_FAILED",
    reason: status >= 500 ? "server" : "status",
    text: status >= 500 ? "the server failed, and still did after the last try" : "the server refuses the request",
  };
  return new IoError(code, `${url}: read of ${byteLength} bytes at position ${position}: HTTP ${status}: ${text}`, {
    operation: "read",
    path: url,
    position,
    length: byteLength,
    status,
    reason,
  });
}

/** The error for a request without an answer. In a page the network and a missing CORS header can't be told apart. */
export function explainNetworkFailure(
  url: string,
  { position, byteLength }: SourceRange,
  cause: unknown,
  timedOut: boolean,
  inBrowser: boolean,
): IoError {
  const cors =
    "; or the server does not let pages of other origins read it: it must answer with Access-Control-Allow-Origin, " +
    "allow the header Range, and expose ETag, Last-Modified and Content-Range";
  const text = timedOut
    ? "no answer in time"
    : `the network failed (${cause instanceof Error ? cause.message : String(cause)})`;
  return new IoError(
    "BLOSC2_IO_FAILED",
    `${url}: read of ${byteLength} bytes at position ${position}: ${text}${inBrowser && !timedOut ? cors : ""}`,
    { operation: "read", path: url, position, length: byteLength, reason: timedOut ? "timeout" : "network" },
    cause,
  );
}
