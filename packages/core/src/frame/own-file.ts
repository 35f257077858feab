/** Whether a contiguous frame can be replaced by a new file. @module */
import { UnsupportedError } from "../errors.js";
import type { IoBackend } from "../io/backend.js";
import type { FrameOrigin } from "./frame.js";

/** Where a file is that holds one frame and nothing else. */
export interface OwnFile {
  readonly backend: IoBackend;
  readonly path: string;
}

/** The file of a frame, if that was opened by its path and is all of it. */
export function ownFile({ backend, path, mode }: FrameOrigin, position: number): OwnFile | undefined {
  const replaceable = backend !== undefined && path !== undefined && mode !== "c" && position === 0;
  return replaceable ? { backend, path } : undefined;
}

/** @throws UnsupportedError where there is no {@link ownFile} */
export function requireOwnFile(origin: FrameOrigin, position: number): OwnFile {
  const own = ownFile(origin, position);
  if (own !== undefined) return own;
  const { path = "frame" } = origin;
  throw new UnsupportedError(
    "BLOSC2_UNSUPPORTED",
    `${path}: compact: only a frame that was opened by path and is all of its file can be replaced; copy it instead`,
    { feature: "compacting a frame inside another file", path },
  );
}
