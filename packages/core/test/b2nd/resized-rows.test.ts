import { expect, it } from "vitest";
import { asarray } from "../../src/b2nd/create-array.js";
import { openArray } from "../../src/b2nd/open-array.js";
import { memory } from "../../src/io/memory-backend.js";

it("R25: rows that a shrink leaves inside a chunk come back, and compact does not erase them; zeros do", () => {
  const io = memory();
  const array = asarray(Int32Array.of(1, 2, 3, 4, 5, 6), { chunks: [4], blocks: [2], urlpath: "a", io });
  array.resize([2]);
  array.schunk.compact();
  array.resize([6]);
  // Rows 2 and 3 lie in the chunk that stayed, rows 4 and 5 went with theirs.
  expect(array.getSlice().data).toEqual(Int32Array.of(1, 2, 3, 4, 0, 0));
  array.setSlice([2], [4], Int32Array.of(0, 0));
  array.resize([2]);
  array.resize([6]);
  array.close();
  using again = openArray("a", { io });
  expect(again.getSlice().data).toEqual(Int32Array.of(1, 2, 0, 0, 0, 0));
});
