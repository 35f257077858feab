/** Cutting a range of a super-chunk into units of work. @module */
import type { SChunk } from "@b2frame/core";
import { inIndexTest } from "./chunk-runs.js";

/** A unit is four numbers: chunk index, first and last byte (excluded) in the chunk, and offset in the output. */
export const UNIT_FIELDS = 4;

/** Chunks are cut where there are less than so many units per thread: the last ones would keep single threads busy. */
const UNITS_PER_LANE = 8;
/** A unit of less is not worth taking. */
const MIN_UNIT = 256 * 1024;

/** The part of a chunk that is wanted. */
interface ChunkPart {
  readonly chunkIndex: number;
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

function partsOf(schunk: SChunk, start: number, stop: number): ChunkPart[] {
  const parts: ChunkPart[] = [];
  const { chunksize, nbytes } = schunk;
  let chunkIndex = chunksize > 0 ? Math.floor(start / chunksize) : 0;
  let chunkStart = chunksize > 0 ? chunkIndex * chunksize : 0;
  for (; chunkStart < stop; chunkIndex++) {
    const size = chunksize > 0 ? Math.min(chunksize, nbytes - chunkStart) : schunk.openChunk(chunkIndex).nbytes;
    const from = Math.max(0, start - chunkStart);
    const to = Math.min(size, stop - chunkStart);
    if (from < to) parts.push({ chunkIndex, from, to, offset: chunkStart + from - start });
    chunkStart += size;
  }
  return parts;
}

/**
 * Cuts bytes `start..stop` of all chunks together into units: chunks, or runs of blocks where there are few chunks.
 *
 * @param zeroed whether the output is all zeros already, so that chunks of zeros need no unit
 * @throws as `SChunk.openChunk`
 */
export function planUnits(
  schunk: SChunk,
  { start, stop, lanes, zeroed }: { start: number; stop: number; lanes: number; zeroed: boolean },
): Float64Array {
  const inIndex = inIndexTest(schunk);
  const isThere = ({ chunkIndex }: ChunkPart): boolean =>
    zeroed && inIndex(chunkIndex) && schunk.openChunk(chunkIndex).special === "zeros";
  const parts = partsOf(schunk, start, stop).filter((part) => !isThere(part));
  const wanted = lanes * UNITS_PER_LANE;
  const size = parts.length >= wanted || lanes < 2 ? Number.POSITIVE_INFINITY : (stop - start) / wanted;
  const first = parts[0];
  const blocksize = first === undefined ? 0 : schunk.openChunk(first.chunkIndex).blocksize;
  // Between blocks only, so that none is decoded twice; where blocks vary in length, chunks stay whole.
  const step = blocksize === 0 ? Number.POSITIVE_INFINITY : Math.ceil(Math.max(size, MIN_UNIT) / blocksize) * blocksize;
  const units: number[] = [];
  for (const { chunkIndex, from, to, offset } of parts) {
    for (let at = from; at < to; ) {
      const end = step === Number.POSITIVE_INFINITY ? to : Math.min(to, (Math.floor(at / step) + 1) * step);
      units.push(chunkIndex, at, end, offset + at - from);
      at = end;
    }
  }
  const shared = new Float64Array(new SharedArrayBuffer(units.length * Float64Array.BYTES_PER_ELEMENT));
  shared.set(units);
  return shared;
}
