/** What Node says when zstd fails. @module */

/** Node says of a stream that it can't decompress that it failed to compress it. */
export function decompressionError(error: unknown): unknown {
  if (!(error instanceof Error) || !error.message.startsWith("Failed to compress")) return error;
  return new Error(error.message.replace("compress", "decompress"), { cause: error });
}
