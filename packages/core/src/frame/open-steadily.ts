/** Opening a contiguous frame that a writer may be changing. @module */
import { ArgumentError, IoError } from "../errors.js";
import type { IoHandle } from "../io/backend.js";
import type { CheckedHandle } from "../io/checked-handle.js";
import { FIXED_HEADER_LENGTH } from "./frame-layout.js";

/** How often a frame is read again when a writer changed it meanwhile. */
const READ_ATTEMPTS = 3;

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
 * Runs `open` as {@link readSteadily} does. If it fails for good the handle is closed.
 *
 * @throws as {@link readSteadily}
 */
export function openSteadily<F>(handle: CheckedHandle, offset: number, open: () => F): F {
  try {
    return readSteadily(handle, offset, open);
  } catch (error) {
    handle.close();
    throw error;
  }
}

/**
 * Runs `read`, and again if it fails while the frame's header changes.
 *
 * @throws IoError `BLOSC2_IO_CHANGED` when the header never holds still; else what `read` throws
 */
export function readSteadily<R>(handle: IoHandle, offset: number, read: () => R): R {
  for (let attempt = 1; ; attempt++) {
    const before = glance(handle, offset);
    try {
      return read();
    } catch (error) {
      // A writer that works in place may have been caught in the middle: then the header differs now, or the file has been cut to it.
      const after = glance(handle, offset);
      if (after.size === before.size && after.header.every((byte, i) => byte === before.header[i])) throw error;
      if (attempt === READ_ATTEMPTS) {
        throw new IoError(
          "BLOSC2_IO_CHANGED",
          "a writer changes the frame while it is being read; try again",
          { operation: "read" },
          error,
        );
      }
    }
  }
}

/** The file's size and the first bytes of a frame, as far as they are there. */
function glance(handle: IoHandle, offset: number): { readonly size: number; readonly header: Uint8Array } {
  const size = handle.size();
  const length = Math.min(Math.max(0, size - offset), FIXED_HEADER_LENGTH);
  return { size, header: handle.read(offset, length).slice() };
}
