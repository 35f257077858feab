/** What the simulation's frames hold, and reading it: every chunk has a number in all of its items, so that none can pass for another. @module */
import { type IoBackend, SChunk } from "@b2frame/core";
import type { SimulatedState } from "./messages.js";

/** The frame of a run. */
export const FRAME_PATH = "frame";

const CHUNK_ITEMS = 24;
export const CHUNK_BYTES: number = CHUNK_ITEMS * Int32Array.BYTES_PER_ELEMENT;
/** The vlmetalayer that names the commit. */
const COMMIT_LAYER = "commit";

/** The content of a chunk of that number; one in four is all of one value, so that special chunks occur. */
export function chunkContent(number: number): Int32Array {
  if (number % 4 === 0) return new Int32Array(CHUNK_ITEMS).fill(number);
  return Int32Array.from({ length: CHUNK_ITEMS }, (_, i) => number + i * 0x10000);
}

/** @throws Error when the items are not those of one chunk */
function numberOf(bytes: Uint8Array, chunkIndex: number): number {
  const items = new Int32Array(bytes.slice().buffer);
  const number = items[0] ?? -1;
  const expected = chunkContent(number);
  if (items.length !== expected.length || !items.every((item, i) => item === expected[i])) {
    throw new TornChunk(`chunk ${chunkIndex} is torn: ${items.join(" ")}`);
  }
  return number;
}

/** A chunk that nobody wrote. */
export class TornChunk extends Error {}

export function setCommit(schunk: SChunk, commit: number): void {
  schunk.vlmeta.setValue(COMMIT_LAYER, commit);
}

/** What an open frame holds. `order` says in which order the chunks are read. @throws as reading does; TornChunk */
export function readState(schunk: SChunk, order: (count: number) => readonly number[]): SimulatedState {
  const commit = schunk.vlmeta.has(COMMIT_LAYER) ? Number(schunk.vlmeta.getValue(COMMIT_LAYER)) : 0;
  const chunks = new Array<number>(schunk.nchunks).fill(-1);
  for (const at of order(schunk.nchunks)) chunks[at] = numberOf(schunk.decompressChunk(at), at);
  return { commit, chunks };
}

/** What the next to open the frame finds. @throws as opening and reading does; TornChunk */
export function readAfresh(backend: IoBackend, checksum: boolean): SimulatedState {
  using schunk = SChunk.open(FRAME_PATH, backend, { checksum });
  return readState(schunk, (count) => Array.from({ length: count }, (_, i) => i));
}
