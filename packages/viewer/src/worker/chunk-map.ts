/** The chunks of a frame, from its index; and single ones, looked at closely. @module */
import type { SpecialKind } from "@b2frame/core";
import { RemoteArray, type RemoteSChunk } from "@b2frame/remote";
import type { ChunkCell, ChunkFacts, ChunkMap } from "./protocol.js";
import type { Work } from "./work.js";

/** What negative entries of an index stand for; any other is a chunk that was never written. */
const SPECIAL_ENTRIES: Readonly<Record<number, SpecialKind>> = { [-1]: "zeros", [-2]: "nan" };

/** Bytes from each chunk to the next one in the file; 0 for special ones, which have none. */
function storedLengths({ offsets, cbytes }: RemoteArray["placement"]): Float64Array {
  const lengths = new Float64Array(offsets.length);
  const starts = Float64Array.from(offsets)
    .filter((offset) => offset >= 0)
    .sort();
  for (let i = 0; i < lengths.length; i++) {
    const offset = offsets[i] as number;
    if (offset < 0) continue;
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] as number) <= offset) low = middle + 1;
      else high = middle;
    }
    lengths[i] = (starts[low] ?? cbytes) - offset;
  }
  return lengths;
}

function nbytesOf({ chunksize, nbytes, nchunks }: { chunksize: number; nbytes: number; nchunks: number }): number {
  return chunksize > 0 ? chunksize : nbytes / Math.max(1, nchunks);
}

/** All chunks in at most so many cells. */
export function mapChunks(frame: RemoteArray | RemoteSChunk, most: number): ChunkMap {
  const { placement } = frame;
  const { offsets } = placement;
  const lengths = storedLengths(placement);
  const perCell = Math.max(1, Math.ceil(offsets.length / most));
  const chunkBytes = nbytesOf(frame);
  const cells: ChunkCell[] = [];
  const sizes = new Map<number, number>();
  let specials = 0;
  for (let first = 0; first < offsets.length; first += perCell) {
    const count = Math.min(perCell, offsets.length - first);
    let stored = 0;
    let special: ChunkCell["special"];
    for (let i = first; i < first + count; i++) {
      const offset = offsets[i] as number;
      const kind = offset < 0 ? (SPECIAL_ENTRIES[offset] ?? "uninit") : undefined;
      const length = lengths[i] as number;
      special = i === first ? kind : special === kind ? kind : "mixed";
      stored += length;
      if (kind !== undefined) specials++;
      else {
        const power = length < 1 ? 0 : Math.floor(Math.log2(length));
        sizes.set(power, (sizes.get(power) ?? 0) + 1);
      }
    }
    cells.push({ first, count, stored, nbytes: chunkBytes * count, special });
  }
  const powers = [...sizes.keys()].sort((a, b) => a - b);
  return { cells, perCell, special: specials, sizes: powers.map((p) => ({ from: 2 ** p, count: sizes.get(p) ?? 0 })) };
}

/** Where a chunk begins and ends in the array. */
export function chunkBounds({ shape, chunks }: RemoteArray, index: number): { start: number[]; stop: number[] } {
  const start = shape.map(() => 0);
  let rest = index;
  for (let dim = shape.length - 1; dim >= 0; dim--) {
    const extent = Math.max(1, chunks[dim] as number);
    const inDim = Math.max(1, Math.ceil((shape[dim] as number) / extent));
    start[dim] = (rest % inDim) * extent;
    rest = Math.floor(rest / inDim);
  }
  return { start, stop: start.map((s, dim) => Math.min(shape[dim] as number, s + (chunks[dim] as number))) };
}

/** Reads a chunk's header, and decodes the chunk for the time it takes. @throws as `RemoteArray.get` */
export async function lookAtChunk(
  frame: RemoteArray | RemoteSChunk,
  index: number,
  signal: AbortSignal,
): Promise<ChunkFacts> {
  const { nbytes, cbytes, special, position } = await frame.chunkInfo(index, { signal });
  const isArray = frame instanceof RemoteArray;
  const bounds = isArray ? chunkBounds(frame, index) : { start: [], stop: [] };
  const slices = bounds.start.map((start, dim) => ({ start, stop: bounds.stop[dim] }));
  if (isArray) await frame.prefetch(slices, { signal });
  const began = performance.now();
  if (isArray) await frame.get(slices, { signal });
  else await frame.decompressChunk(index, { signal });
  return { index, ...bounds, nbytes, cbytes, special, position, milliseconds: performance.now() - began };
}

/** Bytes of the chunk area that no chunk has: what updates left behind. Reads every chunk's header. */
export async function countDeadBytes(frame: RemoteArray | RemoteSChunk, work: Work): Promise<number> {
  const { offsets, cbytes } = frame.placement;
  let live = 0;
  for (let i = 0; i < offsets.length; i++) {
    if ((offsets[i] as number) >= 0) live += (await frame.chunkInfo(i, { signal: work.signal })).cbytes;
    await work.breathe(i, offsets.length);
  }
  return Math.max(0, cbytes - live);
}
