/** The memory backend with directories, so that sparse frames can be tested without a file system. */
import { IoError } from "../../src/errors.js";
import type { IoBackend, IoDirectories } from "../../src/io/backend.js";
import { memory } from "../../src/io/memory-backend.js";

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** A backend of its own; `files` are all paths there are. */
export function directoryBackend(): IoBackend & { files(): string[] } {
  const inner = memory();
  const paths = new Set<string>();
  const made = new Set<string>();
  const directories: IoDirectories = {
    make(path) {
      if (made.has(path)) throw new IoError("BLOSC2_IO_EXISTS", `${path}: is there`, { operation: "make", path });
      made.add(path);
    },
    list: (path) => [...paths].filter((each) => parentOf(each) === path).map((each) => each.slice(path.length + 1)),
    isDirectory: (path) => made.has(path),
    remove(path) {
      if ([...paths].some((each) => parentOf(each) === path)) {
        throw new IoError("BLOSC2_IO_FAILED", `${path}: not empty`, { operation: "remove", path });
      }
      made.delete(path);
    },
    flush() {},
  };
  return {
    name: "memory with directories",
    capabilities: { ...inner.capabilities, sparseFrames: true },
    directories,
    files: () => [...paths].sort(),
    open(path, mode) {
      const handle = inner.open(path, mode);
      paths.add(path);
      return handle;
    },
    openNew(path, like) {
      const handle = inner.openNew?.(path, like) ?? inner.open(path, "w+");
      paths.add(path);
      return handle;
    },
    identify: (path) => inner.identify?.(path),
    exists: (path) => inner.exists(path),
    remove(path) {
      inner.remove(path);
      paths.delete(path);
    },
    rename(from, to) {
      inner.rename(from, to);
      paths.delete(from);
      paths.add(to);
    },
  };
}
