/** Entries that are a B2ND array. @module */
import { NDArray } from "@b2frame/core";
import { requireFrame } from "./check-frame.js";
import type { ObjectPlace } from "./corpus-files.js";
import { requireBytes, requireSame, sha256 } from "./facts.js";
import type { Entry } from "./manifest.js";
import type { Setup } from "./setup.js";

/** Opens an array where it lies. */
export function openArray({ path, offset }: ObjectPlace, setup: Setup): NDArray {
  return NDArray.open(path, setup.backend, { offset, ...setup.options });
}

/** All items of an array, in C order. */
export function readAll(array: NDArray): Uint8Array {
  return array.getSlice().data;
}

/**
 * Checks the frame, the geometry, the whole array and its slices.
 *
 * @throws Mismatch, or what b2frame threw.
 */
export function checkArray(entry: Entry, place: ObjectPlace, setup: Setup): void {
  using array = openArray(place, setup);
  requireFrame(entry, array.schunk, entry.schunk_sha256);
  requireSame("shape", entry.shape, array.shape);
  requireSame("chunkshape", entry.chunkshape, array.chunkShape);
  requireSame("blockshape", entry.blockshape, array.blockShape);
  requireSame("dtype", entry.dtype, array.dtype.text);
  const content = readAll(array);
  requireSame("size", entry.array_nbytes, content.byteLength);
  if (entry.array_sha256 !== null) requireSame("sha256", entry.array_sha256, sha256(content));
  if (entry.array_hex !== undefined) {
    requireBytes("content", { nbytes: entry.array_nbytes, hex: entry.array_hex }, content);
  }
  if (entry.uninit) return;
  for (const { start, stop, sha256: expected } of entry.slices ?? []) {
    const { data } = array.getSlice(start as number[], stop as number[]);
    requireSame(`slice ${JSON.stringify(start)}..${JSON.stringify(stop)}`, expected, sha256(data));
  }
}
