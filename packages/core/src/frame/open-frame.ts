/** Opening and creating frames by path or on a handle. @module */
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import { ArgumentError, IoError } from "../errors.js";
import type { IoBackend, IoHandle, OpenMode } from "../io/backend.js";
import { checkHandle, openChecked, requireOpenable } from "../io/checked-handle.js";
import { memoryHandle } from "../io/memory-backend.js";
import { ContiguousFrame } from "./contiguous-frame.js";
import type { Durability } from "./durability.js";
import { FILE_HEAD_LENGTH, refuseForeignFile } from "./file-kind.js";
import type { Frame, FrameOrigin } from "./frame.js";
import type { FrameHeader } from "./frame-header.js";
import { SPARSE_INDEX_NAME } from "./frame-layout.js";
import type { Metalayer } from "./metalayers.js";
import { NewPlace } from "./new-place.js";
import { openSteadily, requireOffset } from "./open-steadily.js";
import { removeSparseFrame, requireDirectories, SparseFiles } from "./sparse-files.js";
import { SparseFrame } from "./sparse-frame.js";

/** How a frame is opened. */
export interface FrameOpenOptions {
  /** Absolute position of the frame's first byte in the file. */
  readonly offset: number;
  readonly mode: OpenMode;
  readonly durability?: Durability | undefined;
  readonly environment: ChunkEnvironment;
}

function requireExistingMode(mode: OpenMode): void {
  if (mode === "w+") {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", 'mode "w+" empties a file; use create', {
      parameter: "mode",
      found: mode,
    });
  }
}

/**
 * Opens the frame at a path: contiguous, or sparse if the path is a directory.
 *
 * @throws IoError; FormatError; UnsupportedError `BLOSC2_UNSUPPORTED_BACKEND` for a sparse frame that the backend can't
 * open; ArgumentError
 */
export function openFrame(path: string, backend: IoBackend, options: FrameOpenOptions): Frame {
  const { offset, mode, durability, environment } = options;
  requireOffset(offset);
  requireExistingMode(mode);
  requireOpenable(backend, path, mode);
  const origin: FrameOrigin = { path, backend, mode, volatile: false, durability };
  if (backend.directories?.isDirectory(path)) {
    if (offset !== 0 || mode === "c") {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_INVALID",
        `${path}: a sparse frame has no offset and can't be opened copy-on-write`,
        { parameter: offset === 0 ? "mode" : "offset", path },
      );
    }
    return SparseFrame.open(new SparseFiles(backend, path, durability), { origin, environment });
  }
  let handle: IoHandle;
  try {
    handle = openChecked(backend, path, mode);
  } catch (error) {
    if (backend.exists(`${path}/${SPARSE_INDEX_NAME}`)) requireDirectories(backend, path);
    throw error;
  }
  return openContiguous(handle, origin, offset, environment);
}

/**
 * Opens the contiguous frame at `offset` of an open file. The frame closes the handle, also when opening fails.
 *
 * @param path for messages.
 */
export function openFrameOnHandle(
  handle: IoHandle,
  options: FrameOpenOptions & { readonly path: string | undefined; readonly volatile: boolean },
): Frame {
  const { offset, mode, path, volatile, durability, environment } = options;
  requireOffset(offset);
  requireExistingMode(mode);
  return openContiguous(handle, { path, backend: undefined, mode, volatile, durability }, offset, environment);
}

function openContiguous(handle: IoHandle, origin: FrameOrigin, offset: number, environment: ChunkEnvironment): Frame {
  const checked = checkHandle(handle, { path: origin.path ?? "frame", mode: origin.mode });
  const context = { origin, environment };
  return openSteadily(checked, offset, () => {
    const length = Math.min(Math.max(0, checked.size() - offset), FILE_HEAD_LENGTH);
    refuseForeignFile(checked.read(offset, length), origin.path, offset);
    return ContiguousFrame.open(checked, offset, context);
  });
}

/** What a new frame is made of. */
export interface FrameCreateOptions {
  /** Absent: in memory. */
  readonly path: string | undefined;
  readonly backend: IoBackend | undefined;
  readonly sparse: boolean;
  /** `"x"`: fail if something is at the path. */
  readonly mode: "w" | "x";
  readonly header: FrameHeader;
  readonly metalayers: readonly Metalayer[];
  readonly durability?: Durability | undefined;
  readonly environment: ChunkEnvironment;
  /** Whether the caller has the frame's lock, and has made sure that no frame of the other kind is there. */
  readonly locked?: boolean | undefined;
}

/**
 * Makes a frame. Nothing can be opened at the path before the first `commit`.
 *
 * @throws IoError `BLOSC2_IO_EXISTS` with mode `"x"`; UnsupportedError `BLOSC2_UNSUPPORTED_BACKEND` for a sparse frame that
 * the backend can't make
 */
export function createFrame(options: FrameCreateOptions): Frame {
  const { path, backend, sparse, mode, header, metalayers, durability, environment, locked = false } = options;
  if (path === undefined) {
    const origin: FrameOrigin = { path, backend: undefined, mode: "r+", volatile: true, durability };
    const handle = memoryHandle(new Uint8Array(0), { mode: "r+" });
    return ContiguousFrame.create(handle, 0, { origin, environment }, header, metalayers);
  }
  if (backend === undefined) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${path}: a urlpath needs a backend`, { parameter: "backend" });
  }
  requireOpenable(backend, path, "w+");
  if (sparse) requireDirectories(backend, path);
  const isDirectory = backend.directories?.isDirectory(path) === true;
  if (mode === "x" && ((isDirectory && !locked) || backend.exists(path))) {
    throw new IoError("BLOSC2_IO_EXISTS", `${path}: there is something at this path already`, {
      operation: "create",
      path,
    });
  }
  if (isDirectory) removeSparseFrame(backend, path, locked);
  const origin: FrameOrigin = { path, backend, mode: "r+", volatile: false, durability };
  const context = { origin, environment };
  if (sparse) {
    if (backend.exists(path)) backend.remove(path);
    const files = new SparseFiles(backend, path, durability);
    // The lock lies in the directory.
    if (!locked) files.make();
    return SparseFrame.create(files, context, header, metalayers);
  }
  const place = new NewPlace(backend, path, mode, durability);
  return ContiguousFrame.create(place.handle, 0, context, header, metalayers, place);
}
