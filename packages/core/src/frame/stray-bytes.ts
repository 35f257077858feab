/** Bytes that follow a frame in its file: the remains of an interrupted writer, or something that must stay. @module */
import { decodeChunkHeader } from "../chunk/chunk-header.js";
import { isBlosc2Error, UnsupportedError } from "../errors.js";
import type { FrameFile } from "./frame-file.js";
import { FRAME_MAGIC, MIN_CHUNK_LENGTH } from "./frame-layout.js";

function startsFrame(bytes: Uint8Array): boolean {
  return bytes.byteLength >= FRAME_MAGIC.byteLength && FRAME_MAGIC.every((byte, i) => bytes[i] === byte);
}

/** Whether bytes look like what a writer of this frame left when it was interrupted. */
function looksLeftOver(bytes: Uint8Array, availableBytes: number): boolean {
  if (bytes.every((byte) => byte === 0)) return true;
  try {
    decodeChunkHeader(bytes, { structure: "stray bytes", position: 0 }, availableBytes);
    return true;
  } catch (error) {
    // A chunk that was cut short by the interruption is one all the same.
    return isBlosc2Error(error, "BLOSC2_FORMAT_TRUNCATED");
  }
}

/**
 * Cuts off the bytes that follow a frame, or throws unless it may grow over them.
 *
 * An interrupted writer leaves whole or cut chunks after the committed end; those are given up, as C-Blosc2 gives up
 * whatever follows a frame. Another frame is never overwritten, and in a frame that does not begin its file neither is
 * anything that can't be such a remainder.
 *
 * @param frameLength of the committed frame.
 * @throws UnsupportedError; IoError
 */
export function giveUpStrays(file: FrameFile, frameLength: number, path: string | undefined): void {
  const strayLength = file.size() - frameLength;
  if (strayLength <= 0) return;
  const head = file.read(frameLength, Math.min(strayLength, MIN_CHUNK_LENGTH)).slice();
  const keep = startsFrame(head) || (file.position > 0 && !looksLeftOver(head, strayLength));
  if (keep) {
    throw new UnsupportedError(
      "BLOSC2_UNSUPPORTED",
      `${path ?? "frame"}: ${strayLength} bytes follow the frame at position ${file.position + frameLength}; only a frame that ends its file can be changed`,
      { feature: "changing a frame that other data follows", path, position: file.position + frameLength },
    );
  }
  file.truncate(frameLength);
}
