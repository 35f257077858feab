/** The errors of codecs: what was wrong in which stream. @module */
import { CodecError } from "../errors.js";

/** A malformed stream, to throw. `offset` counts from the stream's first byte. */
export function malformedStream(codec: string, problem: string, offset?: number, cause?: unknown): CodecError {
  const where = offset === undefined ? "" : ` at offset ${offset}`;
  return new CodecError(
    "BLOSC2_CODEC_DECOMPRESS",
    `${codec} stream${where}: ${problem}`,
    { codec, direction: "decompress", offset },
    cause,
  );
}

/** Where in its stream decoding failed, if the library says where in the part that begins at `start`. */
export function failureOffset(cause: unknown, start: number): number | undefined {
  if (!(cause instanceof Error) || !("offset" in cause) || typeof cause.offset !== "number") return undefined;
  return start + cause.offset;
}

/** A stream that decodes to another number of bytes than its block needs, to throw. */
export function wrongDecodedLength(codec: string, expected: number, found: number | string): CodecError {
  return new CodecError(
    "BLOSC2_CODEC_DECOMPRESS",
    `${codec} stream: expected ${expected} decoded bytes, found ${found}`,
    { codec, direction: "decompress", expected, found },
  );
}

/** A failure of the compressor itself, to throw. Bytes that merely don't shrink are no failure. */
export function compressionFailed(codec: string, cause: unknown): CodecError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CodecError(
    "BLOSC2_CODEC_COMPRESS",
    `${codec}: compression failed: ${reason}`,
    { codec, direction: "compress" },
    cause,
  );
}
