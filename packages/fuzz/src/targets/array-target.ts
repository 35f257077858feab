/** B2ND arrays. @module */
import { arrayFromCframe, type NDArray } from "@b2frame/core";
import type { Content } from "../content.js";
import { fixtureFile } from "../fixtures.js";
import { onlyFile } from "../input.js";
import type { FuzzTarget } from "./target.js";

const MAX_CHUNKS = 8;
const MAX_NESTED_BYTES = 30_000;

/** Reads all of `array`, slices, single items and chunks of it. */
export function readArray(array: NDArray, content: Content): void {
  content.attempt("facts", () => `${array.shape} of ${array.dtype.str}, ${array.chunks}, ${array.blocks}`);
  const isWhole = content.attempt("all", () => array.getSlice().bytes);
  const part = (step: string, read: () => Uint8Array): void => {
    if (isWhole) content.attempt(step, read);
    else content.attemptUnseen(read);
  };
  part("steps", () => array.get(array.shape.map(() => ({ step: -2 }))).bytes);
  part("item", () => array.get(array.shape.map(() => -1)).bytes);
  part("list", () => array.get(array.shape.slice(0, 1).map((n) => [n - 1, 0])).bytes);
  part("corner", () => {
    const corner = array.getSlice(
      array.shape.map(() => 0),
      array.shape.map((n) => Math.min(n, 2)),
    );
    if (corner.bytes.byteLength < MAX_NESTED_BYTES) corner.toNestedArray();
    return corner.bytes;
  });
  for (const { index, items } of isWhole ? array.iterChunks() : []) {
    content.attempt("chunk", () => items.bytes);
    if (index >= MAX_CHUNKS) break;
  }
}

/** Changes a copy in memory. */
function edit(bytes: Uint8Array, options: Parameters<FuzzTarget["read"]>[1], content: Content): void {
  using array = arrayFromCframe(bytes, options);
  content.attempt("set", () => {
    array.set(
      array.shape.map(() => 0),
      new Uint8Array(Math.min(array.dtype.itemsize, MAX_NESTED_BYTES)),
    );
    return "done";
  });
  content.attempt("resize", () => {
    array.resize(array.shape.map((n, dim) => (dim === 0 ? n + 1 : n)));
    return array.shape.join();
  });
  content.attemptUnseen(() => array.get(array.shape.map(() => -1)).bytes);
}

export const arrayTarget: FuzzTarget = {
  seeds: () =>
    [
      "empty-0x5",
      "zero-dim",
      "zeros",
      "nans",
      "bytes7",
      "full",
      "append-fast",
      "1d",
      "deleted",
      "meta",
      "struct",
      "zeros-set",
      "4d",
    ]
      .map((name) => fixtureFile(`conformance/b2nd/${name}.b2nd`))
      .concat(["ndlz4", "ndmean"].map((name) => fixtureFile(`conformance/plugins/${name}.b2nd`))),
  read(input, options, content) {
    const { bytes } = onlyFile(input);
    content.attempt("open", () => {
      using array = arrayFromCframe(bytes, { ...options, copy: false });
      readArray(array, content);
      return "done";
    });
    content.attempt("edit", () => {
      edit(bytes, options, content);
      return "done";
    });
  },
};
