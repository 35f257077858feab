/** Frames in a directory whose new files are written around it. @module */
import { type IoBackend, type IoHandle, isBlosc2Error } from "@b2frame/core";
import { firstFailure, isNewFileName, newFileName, openNewChecked } from "@b2frame/core/backend";

/** The directory around a store's. */
function directoryAround(path: string, backend: IoBackend): string {
  const plain = path.replace(/(?<=[^/])\/+$/, "");
  const target = backend.resolveLinks?.(plain) ?? plain;
  const slash = target.lastIndexOf("/");
  if (/(?:^|\/)\.{1,2}$/.test(target)) return `${target}/..`;
  return slash < 0 ? "." : slash === 0 ? "/" : target.slice(0, slash);
}

function join(directory: string, name: string): string {
  return directory === "." ? name : `${directory.replace(/\/$/, "")}/${name}`;
}

/**
 * A backend for frames in a store's directory. python-blosc2 takes all frames in it for members, whole or not; so what is to take a
 * file's place there is written in the directory around it, if that can be.
 */
export function writingAround(store: string, backend: IoBackend): IoBackend {
  const { openNew } = backend;
  if (openNew === undefined) return backend;
  let room: { readonly directory: string | undefined } | undefined;
  /** Where the new files are, by the name that was asked for. */
  const places = new Map<string, string>();
  const placeOf = (path: string): string => places.get(path) ?? path;
  const newPlaceOf = (path: string): string => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (!path.startsWith(`${store}/`) || !isNewFileName(name)) return path;
    room ??= { directory: roomAround(store, backend) };
    return room.directory === undefined ? path : join(room.directory, name);
  };
  return {
    name: backend.name,
    capabilities: backend.capabilities,
    directories: backend.directories,
    open: (path, mode) => backend.open(path, mode),
    openNew: (path, like): IoHandle => {
      const place = newPlaceOf(path);
      const handle = openNew.call(backend, place, like);
      if (place !== path) places.set(path, place);
      return handle;
    },
    exists: (path) => backend.exists(placeOf(path)),
    remove: (path) => {
      backend.remove(placeOf(path));
      places.delete(path);
    },
    rename: (from, to, change) => {
      backend.rename(placeOf(from), to, change);
      places.delete(from);
    },
    resolveLinks: backend.resolveLinks?.bind(backend),
    identify: backend.identify?.bind(backend),
    openLock: backend.openLock?.bind(backend),
  };
}

/** The directory around a store, if files can be made there and be moved into the store. */
function roomAround(store: string, backend: IoBackend): string | undefined {
  const directory = directoryAround(store, backend);
  const name = newFileName();
  const outside = join(directory, name);
  const inside = `${store}/${name}`;
  try {
    openNewChecked(backend, outside).close();
    try {
      backend.rename(outside, inside, { durable: false });
      backend.remove(inside);
    } catch (error) {
      throw firstFailure(error, () => backend.remove(outside));
    }
    return directory;
  } catch (error) {
    // Other errors come up again when the file itself is made.
    if (!isBlosc2Error(error)) throw error;
    return undefined;
  }
}
