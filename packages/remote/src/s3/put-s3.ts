/** Writing whole objects, and removing them. @module */
import { checkOptionNames } from "@b2frame/core/backend";
import { ArgumentError } from "@b2frame/core/read";
import { DEFAULT_PART_BYTES, partBytes } from "./object-parts.js";
import { PartUploader } from "./part-uploader.js";
import { S3Object, type WriteCondition } from "./s3-object.js";
import { S3_NAMES, type S3Options } from "./s3-source.js";
import { checkPutOptions, type S3PutOptions, type S3Written } from "./s3-write-options.js";
import { headersWith, newToken, publishOnce } from "./write-token.js";

/** Bytes of an object: at once, or piece by piece. */
export type S3Content = Uint8Array | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Puts bytes into an object: in one request if they are few, else in parts, four at a time. The object is there, or replaced, when this
 * returns, and not before; if it fails nothing is left behind.
 *
 * @param url `s3://bucket/key`
 * @throws ArgumentError; IoError, `BLOSC2_IO_CONFLICT` if the condition was not met; the signal's reason; what the content throws
 * @example
 * ```ts
 * await putS3("s3://scans/brain.b2nd", array.toCframe(), { keys });
 * await putS3("s3://scans/brain.b2nd", createReadStream("brain.b2nd"), { keys, ifAbsent: true });
 * ```
 */
export async function putS3(url: string | URL, content: S3Content, options: S3PutOptions = {}): Promise<S3Written> {
  checkPutOptions(options);
  const { signal, partSize, objectHeaders } = options;
  const object = new S3Object(url, options);
  const token = newToken();
  const headers = headersWith(token, undefined, objectHeaders);
  const uploader = new PartUploader(object, headers, signal);
  let byteLength = 0;
  try {
    const sizeOf = (number: number): number => partBytes(object.name, number, partSize);
    for await (const { number, bytes, last } of partsOf(content, sizeOf)) {
      byteLength += bytes.byteLength;
      if (last && !uploader.begun) return { etag: await putWhole(object, bytes, options, token, headers), byteLength };
      await uploader.upload(number, bytes);
    }
    const etag = await publishOnce(object, token, () => uploader.complete(options), signal);
    return { etag, byteLength };
  } catch (error) {
    throw await uploader.abandon(error);
  }
}

/** Puts an object in one request. @throws as {@link putS3} */
export function putWhole(
  object: S3Object,
  bytes: Uint8Array,
  { ifMatch, ifAbsent, signal }: WriteCondition & { readonly signal?: AbortSignal | undefined },
  token: string,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  return publishOnce(object, token, () => object.put(bytes, { ifMatch, ifAbsent }, headers, signal), signal);
}

/**
 * Removes an object. One that is not there is none the less removed.
 *
 * @param url `s3://bucket/key`
 * @throws ArgumentError; IoError; the signal's reason
 */
export async function deleteS3(
  url: string | URL,
  options: S3Options & { readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  checkOptionNames({ ...S3_NAMES, signal: true }, options);
  await new S3Object(url, options).delete(options.signal);
}

interface ContentPart {
  /** From 1 on. */
  readonly number: number;
  readonly bytes: Uint8Array;
  readonly last: boolean;
}

/** Content in parts; the last one, which may be empty, may be shorter. */
async function* partsOf(content: S3Content, sizeOf: (number: number) => number): AsyncGenerator<ContentPart> {
  let number = 1;
  let bytes: Uint8Array = new Uint8Array(0);
  let filled = 0;
  for await (const piece of piecesOf(content)) {
    for (let taken = 0; taken < piece.byteLength; ) {
      if (filled === sizeOf(number)) {
        yield { number: number++, bytes, last: false };
        bytes = new Uint8Array(0);
        filled = 0;
      }
      const room = Math.min(sizeOf(number) - filled, piece.byteLength - taken);
      bytes = withRoom(bytes, filled + room, sizeOf(number));
      bytes.set(piece.subarray(taken, taken + room), filled);
      taken += room;
      filled += room;
    }
  }
  yield { number, bytes: bytes.subarray(0, filled), last: true };
}

/** Grows by doubling, up to a limit. */
function withRoom(bytes: Uint8Array, needed: number, limit: number): Uint8Array {
  if (needed <= bytes.byteLength) return bytes;
  const larger = new Uint8Array(Math.min(limit, Math.max(needed, 2 * bytes.byteLength)));
  larger.set(bytes);
  return larger;
}

async function* piecesOf(content: S3Content): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) yield content;
  else if (typeof Blob !== "undefined" && content instanceof Blob) {
    for (let from = 0; from < content.size; from += DEFAULT_PART_BYTES) {
      yield new Uint8Array(await content.slice(from, from + DEFAULT_PART_BYTES).arrayBuffer());
    }
  } else if (Symbol.asyncIterator in Object(content)) {
    for await (const piece of content as AsyncIterable<Uint8Array>) yield checkedPiece(piece);
  } else if (typeof (content as Partial<ReadableStream> | null)?.getReader === "function") {
    // Safari's streams can't be iterated.
    yield* readStream(content as ReadableStream<Uint8Array>);
  } else throw notBytes("content", content);
}

async function* readStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      ended = done;
      if (done) return;
      yield checkedPiece(value);
    }
  } finally {
    if (!ended) await reader.cancel();
  }
}

function checkedPiece(piece: unknown): Uint8Array {
  if (piece instanceof Uint8Array) return piece;
  throw notBytes("a piece of the content", piece);
}

function notBytes(what: string, found: unknown): ArgumentError {
  const expected = what === "content" ? "a Uint8Array, a Blob, a stream or an iterable of Uint8Arrays" : "a Uint8Array";
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${what}: expected ${expected}, found ${typeof found}`, {
    parameter: "content",
    found: typeof found,
  });
}
