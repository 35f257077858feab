import { describe, expect, it } from "vitest";
import { decompressionError } from "../src/zstd-error.js";

describe("decompressionError", () => {
  it("says that decompressing failed where Node says compressing, and keeps Node's error", () => {
    // The text of Node 22.19 for a stream with a flipped bit.
    const cause = Object.assign(new Error("Failed to compress with code -20"), {
      code: "ZSTD_error_corruption_detected",
    });
    const error = decompressionError(cause) as Error;
    expect([error.message, error.cause]).toEqual(["Failed to decompress with code -20", cause]);
  });

  it("leaves other errors as they are", () => {
    const error = new RangeError("Cannot create a Buffer larger than 8 bytes");
    expect(decompressionError(error)).toBe(error);
  });
});
