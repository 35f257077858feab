/** Writing a frame, whole and without holes, to another place. @module */
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import type { IoBackend } from "../io/backend.js";
import { type CheckedHandle, openChecked } from "../io/checked-handle.js";
import { memoryHandle } from "../io/memory-backend.js";
import { ContiguousFrame } from "./contiguous-frame.js";
import { copyFrame } from "./copy-frame.js";
import type { Frame } from "./frame.js";
import { emptyHeader } from "./frame-header.js";
import { useAndClose } from "./replace-file.js";

/** Writes a contiguous copy of a frame, uncommitted changes included, at `position` of a file, durably. */
function writeFrameCopy(frame: Frame, handle: CheckedHandle, position: number, environment: ChunkEnvironment): void {
  const { path } = handle;
  const context = { origin: { path, backend: undefined, mode: "r+" as const, volatile: false }, environment };
  const copy = ContiguousFrame.create(handle, position, context, emptyHeader(frame.header), frame.metalayers.layers);
  copyFrame(frame, copy, environment.engine);
  copy.commit();
}

/** The bytes of a contiguous frame of the same content. */
export function frameBytes(frame: Frame, environment: ChunkEnvironment): Uint8Array {
  const handle = memoryHandle(new Uint8Array(0), { mode: "r+", path: "cframe" });
  writeFrameCopy(frame, handle, 0, environment);
  return handle.read(0, handle.size()).slice();
}

/**
 * Writes a copy of a frame at the end of a file, which is made if there is none.
 *
 * @returns the absolute position of the copy.
 */
export function appendFrame(frame: Frame, backend: IoBackend, path: string, environment: ChunkEnvironment): number {
  let position = 0;
  useAndClose(openChecked(backend, path, backend.exists(path) ? "r+" : "w+"), (handle) => {
    position = handle.size();
    writeFrameCopy(frame, handle, position, environment);
  });
  return position;
}
