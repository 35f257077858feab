/** Opening a contiguous frame that a writer may be changing. @module */
import { ArgumentError, IoError } from "../errors.js";
import type { CheckedHandle } from "../io/checked-handle.js";
import { FIXED_HEADER_LENGTH } from "./frame-layout.js";

/** How often a frame is read again when a writer changed it meanwhile. */
const OPEN_ATTEMPTS = 3;

/** @throws ArgumentError unless a frame can begin at this position */
export function requireOffset(offset: number): void {
  if (!Number.isSafeInteger(offset) || offset < 0) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `offset: expected an integer of 0 or more, found ${offset}`, {
      parameter: "offset",
      found: offset,
    });
  }
}

/**
 * Runs `open`, and again if it fails while the frame's header changes. If it fails for good the handle is closed.
 *
 * @throws IoError `BLOSC2_IO_STALE` when the header never holds still; else what `open` throws
 */
export function openSteadily<F>(handle: CheckedHandle, offset: number, open: () => F): F {
  try {
    for (let attempt = 1; ; attempt++) {
      const before = headerBytes(handle, offset);
      try {
        return open();
      } catch (error) {
        // A writer that works in place may have been caught in the middle; then the header differs now.
        const after = headerBytes(handle, offset);
        if (after.byteLength === before.byteLength && after.every((byte, i) => byte === before[i])) throw error;
        if (attempt === OPEN_ATTEMPTS) {
          const { path } = handle;
          throw new IoError(
            "BLOSC2_IO_STALE",
            `${path}: a writer changes the frame while it is being opened; try again`,
            { operation: "open", path },
            error,
          );
        }
      }
    }
  } catch (error) {
    handle.close();
    throw error;
  }
}

/** The first bytes of a frame, as far as they are there. */
function headerBytes(handle: CheckedHandle, offset: number): Uint8Array {
  const length = Math.min(Math.max(0, handle.size() - offset), FIXED_HEADER_LENGTH);
  return handle.read(offset, length).slice();
}
