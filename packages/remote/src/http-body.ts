/** Bodies and ranges of HTTP answers. @module */

/** What `Content-Range` says. */
export interface ContentRange {
  /** Position of the first byte. */
  readonly first: number;
  /** Bytes of all of the file. */
  readonly size: number | undefined;
}

/** Undefined where there is none, where it can't be seen, or where it is not of bytes. */
export function contentRangeOf(headers: Headers): ContentRange | undefined {
  const match = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get("content-range") ?? "");
  if (match === null) return undefined;
  return { first: Number(match[1]), size: match[2] === "*" ? undefined : Number(match[2]) };
}

/**
 * The body of an answer that should have `expected` bytes. Of a longer one so much is read that it can be told, and no more.
 *
 * @param signal ends the reading. It is that of the request too, but in Node a request forgets its signal where that is collected as garbage,
 * and an answer without an end would go on.
 * @throws what reading the body throws
 */
export async function readBody(response: Response, expected: number, signal: AbortSignal): Promise<Uint8Array> {
  if (response.body === null || Number(response.headers.get("content-length")) === expected) {
    return new Uint8Array(await response.arrayBuffer());
  }
  const pieces: Uint8Array[] = [];
  let byteLength = 0;
  const reader = response.body.getReader();
  while (byteLength <= expected) {
    if (signal.aborted) await reader.cancel(signal.reason);
    signal.throwIfAborted();
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    byteLength += value.byteLength;
  }
  if (byteLength > expected) await reader.cancel();
  if (pieces.length === 1) return pieces[0] as Uint8Array;
  const bytes = new Uint8Array(byteLength);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}
