/** Entries that are a B2ND array. @module */
import { type NDArray, openArray as openNdArray, parseDType } from "@b2frame/core";
import { requireFrame } from "./check-frame.js";
import type { ObjectPlace } from "./corpus-files.js";
import { requireBytes, requireSame, sha256 } from "./facts.js";
import type { Entry } from "./manifest.js";
import type { Setup } from "./setup.js";

/** Opens an array where it lies. */
export function openArray({ path, offset }: ObjectPlace, setup: Setup): NDArray {
  return openNdArray(path, { io: setup.backend, offset, ...setup.options });
}

/** All items of an array, in C order. */
export function readAll(array: NDArray): Uint8Array {
  return array.getSlice().bytes;
}

/** Old files have no dtype, or one that contradicts the typesize; what b2frame makes of those is its own affair. */
function requireDType(entry: Entry, { dtype }: NDArray): void {
  requireSame("itemsize", entry.typesize, dtype.itemsize);
  if (entry.dtype === null || parseDType(entry.dtype).itemsize !== entry.typesize) return;
  requireSame("dtype", entry.dtype, dtype.str);
}

/**
 * Checks the frame, the geometry, the whole array and its slices.
 *
 * @throws Mismatch, or what b2frame threw.
 */
export function checkArray(entry: Entry, place: ObjectPlace, setup: Setup): void {
  using array = openArray(place, setup);
  requireFrame(entry, array.schunk, entry.schunk_sha256, setup.options);
  requireSame("shape", entry.shape, array.shape);
  requireSame("chunkshape", entry.chunkshape, array.chunks);
  requireSame("blockshape", entry.blockshape, array.blocks);
  requireDType(entry, array);
  const content = readAll(array);
  requireSame("size", entry.array_nbytes, content.byteLength);
  if (entry.array_sha256 !== null) requireSame("sha256", entry.array_sha256, sha256(content));
  if (entry.array_hex !== undefined) {
    requireBytes("content", { nbytes: entry.array_nbytes, hex: entry.array_hex }, content);
  }
  if (entry.uninit) return;
  for (const { start, stop, sha256: expected } of entry.slices ?? []) {
    const { bytes } = array.getSlice(start as number[], stop as number[]);
    requireSame(`slice ${JSON.stringify(start)}..${JSON.stringify(stop)}`, expected, sha256(bytes));
  }
}
