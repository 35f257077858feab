import { expect, it } from "vitest";
import { zeros } from "../../src/b2nd/create-array.js";
import { memory } from "../../src/io/memory-backend.js";
import { repairFrame } from "../../src/verify/repair-frame.js";

it("an array's shape that asks for 2^32 chunks is refused before they are laid out", () => {
  using array = zeros([10], { dtype: "<i4", chunkShape: [1], blockShape: [1] });
  const frame = array.toCframe();
  // The shape is the metalayer's first 64-bit integer: a marker and eight bytes, most significant first.
  const marker = frame.findIndex((byte, at) => byte === 0xd3 && at > 97 && frame[at + 8] === 10);
  new DataView(frame.buffer, frame.byteOffset).setBigInt64(marker + 1, 2n ** 32n);
  const backend = memory();
  const handle = backend.open("damaged.b2nd", "w+");
  handle.write(0, frame);
  handle.close();
  const limits = { maxAllocation: 2 ** 22 };
  expect(() => repairFrame("damaged.b2nd", backend, "whole.b2nd", backend, { limits })).toThrow(
    expect.objectContaining({ code: "BLOSC2_LIMIT_EXCEEDED", message: expect.stringContaining("4294967296 chunks") }),
  );
});
