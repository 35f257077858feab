/** Filling an empty super-chunk with one value, without storing it item by item. @module */
import { encodeSpecialChunk } from "../chunk/special-chunk.js";
import { ArgumentError } from "../errors.js";
import { insertChunk } from "./edit-chunks.js";
import { chunksizeForAppend } from "./item-slices.js";
import type { SpecialFill } from "./schunk-options.js";
import type { SuperChunkState } from "./super-chunk-state.js";

function invalid(parameter: string, message: string): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", `fillSpecial: ${message}`, { parameter });
}

/** Appends items of one value to a super-chunk that has none. */
export function fillSpecial(state: SuperChunkState, fill: SpecialFill): void {
  const { itemCount, kind, value } = fill;
  const { frame } = state;
  const { typesize, blocksize: fixedBlocksize } = frame.header;
  const nbytes = itemCount * typesize;
  if (!Number.isSafeInteger(nbytes) || nbytes < 0) throw invalid("itemCount", `itemCount ${itemCount} can't be`);
  if (frame.chunks.length > 0) throw invalid("itemCount", "the super-chunk has chunks already");
  if (nbytes === 0) return;
  const chunksize = chunksizeForAppend(state, nbytes);
  if (kind === "value" && value?.byteLength !== typesize) {
    throw invalid("value", `value must have typesize ${typesize} bytes, not ${value?.byteLength}`);
  }
  const most = Math.min(chunksize, nbytes);
  // Makes the checks of kind and value, too.
  const blocksize = fixedBlocksize > 0 ? fixedBlocksize : most;
  const full = encodeSpecialChunk(kind, most, typesize, value, blocksize);
  if (kind === "value") {
    for (let left = nbytes; left > 0; left -= chunksize) {
      const chunk = left >= most ? full : encodeSpecialChunk(kind, left, typesize, value, blocksize);
      insertChunk(state, frame.chunks.length, chunk);
    }
    return;
  }
  frame.fillSpecial(kind, chunksize, nbytes);
}
