/** Whether the file of a contiguous frame still is what was committed to it. @module */
import { IoError } from "../errors.js";
import type { Committed } from "./contiguous-state.js";
import type { FrameOrigin } from "./frame.js";
import type { FrameFile } from "./frame-file.js";
import { FIXED_HEADER_LENGTH } from "./frame-layout.js";
import { requireSameFile } from "./same-file.js";
import { giveUpStrays } from "./stray-bytes.js";

/** @throws IoError `BLOSC2_IO_MOVED` when the frame's name leads to another file, or to none */
export function requireNamed(file: FrameFile, { backend, path, mode }: FrameOrigin): void {
  if (backend === undefined || path === undefined || mode === "c") return;
  requireSameFile(backend, path, file.handle);
}

/** @throws IoError `BLOSC2_IO_MOVED`, or `BLOSC2_IO_STALE` for a file that another writer changed or cut */
export function requireCommittedFile(file: FrameFile, origin: FrameOrigin, committed: Committed): void {
  requireNamed(file, origin);
  const stale = (reason: string): IoError => {
    const path = origin.path ?? "frame";
    return new IoError("BLOSC2_IO_STALE", `${path}: ${reason}; reopen() takes what is there now`, {
      operation: "write",
      path,
      position: file.position,
    });
  };
  const size = file.size();
  if (size < committed.end) {
    throw stale(`cut to ${size} bytes under the open frame, which takes ${committed.end}`);
  }
  const now = file.read(0, FIXED_HEADER_LENGTH);
  if (!committed.fixedHeader.every((byte, i) => now[i] === byte)) {
    throw stale("changed by another writer since it was opened or committed here");
  }
}

/**
 * Makes ready to write behind what is committed.
 *
 * @throws as {@link requireCommittedFile}; UnsupportedError when something follows the frame that must stay
 */
export function prepareToGrow(file: FrameFile, origin: FrameOrigin, committed: Committed): void {
  requireCommittedFile(file, origin, committed);
  giveUpStrays(file, committed.end, origin.path);
}
