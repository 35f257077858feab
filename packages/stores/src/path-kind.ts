/** What is at a path: a frame, a store, or something else. @module */
import { FormatError, type IoBackend, type IoHandle } from "@b2frame/core";
import { describeForeignFile, FILE_HEAD_LENGTH, type FileKind, fileKindOf, openChecked } from "@b2frame/core/backend";
import { EMBED_NAME } from "./member-files.js";

/**
 * What is at a path: what a file's first bytes say, or of a directory: a store (`.b2d`), a sparse frame, a Zarr group or array, or
 * none of these.
 */
export type PathKind = FileKind | "store-directory" | "sparse-frame" | "zarr-directory" | "directory";

/** The file by which a directory is known as a sparse frame. */
const SPARSE_INDEX_NAME = "chunks.b2frame";
/** Files by which a directory is known as Zarr's. */
const ZARR_NAMES: readonly string[] = ["zarr.json", ".zgroup", ".zarray", ".zmetadata"];

/** What an open file is. Does not close it. */
export function handleKindOf(handle: IoHandle): FileKind {
  const size = handle.size();
  return fileKindOf(handle.read(0, Math.min(size, FILE_HEAD_LENGTH)), size);
}

function directoryKind(path: string, backend: IoBackend): PathKind | undefined {
  const has = (name: string): boolean => backend.exists(`${path}/${name}`);
  if (has(EMBED_NAME)) return "store-directory";
  if (has(SPARSE_INDEX_NAME)) return "sparse-frame";
  return ZARR_NAMES.some(has) ? "zarr-directory" : undefined;
}

/**
 * Looks at what is at a path, without opening it as anything.
 *
 * @throws IoError, `BLOSC2_IO_NOT_FOUND` if nothing is there
 */
export function pathKindOf(path: string, backend: IoBackend): PathKind {
  const { directories } = backend;
  if (directories?.isDirectory(path) === true) return directoryKind(path, backend) ?? "directory";
  // A backend without directories can't open one, but may say what lies in it.
  const inside = directories === undefined ? directoryKind(path, backend) : undefined;
  if (inside !== undefined) return inside;
  const handle = openChecked(backend, path, "r");
  try {
    return handleKindOf(handle);
  } finally {
    handle.close();
  }
}

/** One clause about a path that holds neither a frame nor a store: what is there, and what to do. */
export function describeForeignPath(kind: PathKind): string | undefined {
  if (kind === "zarr-directory")
    return "a Zarr array or group: open it with zarrita, whose Blosc chunks @b2frame/zarr decodes";
  if (kind === "directory") {
    return `a directory with neither ${SPARSE_INDEX_NAME} (a sparse frame) nor ${EMBED_NAME} (a store) in it: pass the path of a file`;
  }
  if (kind === "store-directory" || kind === "sparse-frame") return undefined;
  return describeForeignFile(kind);
}

/** The error for a path that holds neither a frame nor a store. */
export function foreignPathError(path: string, kind: PathKind): FormatError {
  return new FormatError(kind === "empty" ? "BLOSC2_FORMAT_TRUNCATED" : "BLOSC2_FORMAT_BAD_MAGIC", {
    path,
    structure: "file",
    field: "first bytes",
    position: 0,
    expected: "a Blosc2 frame or store",
    found: describeForeignPath(kind) ?? "something unknown: check that it is the right file",
  });
}
