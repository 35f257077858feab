/** The chunks of an array as Zarr stores them: all of one shape, those at the edges filled up with zeros. @module */
import type { ZarrSourceArray } from "./store-metadata.js";

/** Copies rows of a box in C order to the front of a larger one. */
function spread(
  from: Uint8Array,
  counts: readonly number[],
  to: Uint8Array,
  shape: readonly number[],
  itemsize: number,
): void {
  const last = counts.length - 1;
  const rowBytes = (counts[last] as number) * itemsize;
  const at = counts.map(() => 0);
  for (let source = 0; source < from.byteLength; source += rowBytes) {
    let place = 0;
    for (let dim = 0; dim < last; dim++) place = (place + (at[dim] as number)) * (shape[dim + 1] as number);
    to.set(from.subarray(source, source + rowBytes), place * itemsize);
    for (let dim = last - 1; dim >= 0; dim--) {
      const next = (at[dim] as number) + 1;
      at[dim] = next < (counts[dim] as number) ? next : 0;
      if (at[dim] !== 0) break;
    }
  }
}

/** A chunk by its place in the grid of chunks; `undefined` outside of it. @throws what reading the array throws */
export async function paddedChunk(
  array: ZarrSourceArray,
  place: readonly number[],
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  const { shape, chunks, dtype } = array;
  if (place.length !== shape.length) return undefined;
  const start = place.map((index, dim) => index * (chunks[dim] as number));
  if (start.some((first, dim) => first >= (shape[dim] as number))) return undefined;
  const stop = start.map((first, dim) => Math.min(shape[dim] as number, first + (chunks[dim] as number)));
  const { bytes } = await array.getSlice(start, stop, [], { signal });
  const whole = chunks.reduce((all, length) => all * length, 1) * dtype.itemsize;
  if (bytes.byteLength === whole) return bytes;
  const padded = new Uint8Array(whole);
  const counts = stop.map((end, dim) => end - (start[dim] as number));
  spread(bytes, counts, padded, chunks, dtype.itemsize);
  return padded;
}
