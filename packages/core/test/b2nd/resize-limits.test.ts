import { expect, it } from "vitest";
import { zeros } from "../../src/b2nd/create-array.js";

it.each([2 ** 20, 2 ** 32, 2 ** 50])(
  "a shape of %d chunks is refused where the limits have no room for their index",
  (n) => {
    using array = zeros([4], { dtype: "|u1", chunks: [1], blocks: [1], limits: { maxAllocation: 2 ** 22 } });
    expect(() => array.resize([n])).toThrow(expect.objectContaining({ code: "BLOSC2_LIMIT_EXCEEDED" }));
    expect([array.shape, array.schunk.nchunks]).toEqual([[4], 4]);
  },
);
