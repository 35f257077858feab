/** Gathering single items from all over a super-chunk. @module */
import type { Chunk } from "../chunk/chunk.js";
import { ArgumentError } from "../errors.js";
import { itemCount, readRange } from "./item-slices.js";
import type { ReadState } from "./read-state.js";

/**
 * The items at `indices`, in that order. Each block that holds any of them is decoded once.
 */
export function getSparse(state: ReadState, indices: ArrayLike<number>): Uint8Array {
  const count = itemCount(state);
  const { typesize } = state.frame.header;
  const result = new Uint8Array(requireRoom(state, indices.length * typesize));
  const order = new Float64Array(indices.length);
  for (let i = 0; i < indices.length; i++) {
    const item = indices[i] as number;
    if (!Number.isSafeInteger(item) || item < 0 || item >= count) {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_OUT_OF_RANGE",
        `indices[${i}]: expected 0..${count - 1}, found ${item}`,
        {
          parameter: "indices",
          expected: `0..${count - 1}`,
          found: item,
        },
      );
    }
    order[i] = i;
  }
  order.sort((a, b) => (indices[a] as number) - (indices[b] as number));
  let chunkIndex = -1;
  let chunkEnd = 0;
  let chunkStart = 0;
  let chunk: Chunk | undefined;
  let block = new Uint8Array(0);
  let blockIndex = -1;
  for (const at of order) {
    const position = (indices[at] as number) * typesize;
    if (chunk === undefined || position >= chunkEnd) {
      chunkIndex = state.frame.chunks.find(position);
      chunkStart = state.frame.chunks.start(chunkIndex);
      chunkEnd = chunkStart + state.frame.chunks.nbytesOf(chunkIndex);
      chunk = state.openChunk(chunkIndex);
      blockIndex = -1;
    }
    const from = position - chunkStart;
    const wanted = chunk.blocksize > 0 ? Math.floor(from / chunk.blocksize) : -1;
    const inBlock = from - wanted * chunk.blocksize;
    if (wanted < 0 || chunk.special !== undefined || inBlock + typesize > chunk.blockByteLength(wanted)) {
      readRange(state, position, position + typesize, result, at * typesize);
      continue;
    }
    if (wanted !== blockIndex) {
      const length = chunk.blockByteLength(wanted);
      if (block.byteLength < length) block = new Uint8Array(length);
      chunk.readBlockInto(wanted, block);
      blockIndex = wanted;
    }
    result.set(block.subarray(inBlock, inBlock + typesize), at * typesize);
  }
  return result;
}

function requireRoom(state: ReadState, byteLength: number): number {
  state.requireAllocation(byteLength, "items");
  return byteLength;
}
