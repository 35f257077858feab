import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { expect, it } from "vitest";
import { rowStream, zeros } from "../src/index.js";

it("appends what flows into it, row by row, and commits at its end", async () => {
  using table = zeros([0, 3], { dtype: "int32" });
  const rows = Array.from({ length: 1000 }, (_, i) => [i, i * i, 1 - i]);
  await pipeline(Readable.from(rows), rowStream(table));
  expect(table.shape).toEqual([1000, 3]);
  expect(table.get().toNestedArray()).toEqual(rows);
});

it("ends with the error of a piece that does not fit", async () => {
  using table = zeros([0, 3], { dtype: "int32" });
  await expect(
    pipeline(
      Readable.from([
        [1, 2, 3],
        [1, 2],
      ]),
      rowStream(table),
    ),
  ).rejects.toMatchObject({
    code: "BLOSC2_ARGUMENT_INVALID",
  });
});
