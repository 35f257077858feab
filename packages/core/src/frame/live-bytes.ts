/** How much of a contiguous frame's chunk area its chunks take. @module */
import { storedChunkByteLength } from "./copy-frame.js";
import type { FrameReader } from "./frame.js";

/**
 * Bytes that some chunk of the index takes. In a damaged frame chunks may overlap; what several take counts once, so that this is
 * never more than there is.
 *
 * @throws FormatError for a chunk header that can't be; IoError
 */
export function liveBytes(frame: FrameReader): number {
  const { chunks } = frame;
  const order = Uint32Array.from(chunks.entries(), (_, i) => i).sort((a, b) => chunks.at(a) - chunks.at(b));
  let live = 0;
  let end = 0;
  for (const chunkIndex of order) {
    const entry = chunks.at(chunkIndex);
    if (entry < 0) continue;
    const chunkEnd = entry + storedChunkByteLength(frame.chunkSource(entry, chunkIndex));
    live += Math.max(0, chunkEnd - Math.max(entry, end));
    end = Math.max(end, chunkEnd);
  }
  return live;
}
