/** Symbolic links: where writing to a path goes, and what lies at a path itself. @module */
import { dirname, resolve } from "node:path";
import type { EntryKind } from "@b2frame/core/backend";
import { onPath } from "./names.js";
import type { FileSystemCalls } from "./system-calls.js";

/** As many links one after the other as Linux follows. */
const MAX_LINKS = 40;

/**
 * The path that a file must be renamed to so that it takes the place of what opening `path` for writing opens or makes: that of the
 * target, where `path` is a symbolic link, even of one that leads nowhere yet.
 *
 * @throws IoError for a loop of links.
 */
export function resolveLinks(calls: FileSystemCalls, path: string): string {
  return onPath("follow links", path, () => {
    let at = path;
    for (let links = 0; links <= MAX_LINKS; links++) {
      if (!calls.lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) return at;
      at = resolve(dirname(at), calls.readlinkSync(at));
    }
    throw Object.assign(new Error("ELOOP: too many symbolic links"), { code: "ELOOP" });
  });
}

/** What an entry of a directory is, links not followed; `undefined`: nothing. @throws IoError */
export function entryKind(calls: FileSystemCalls, path: string): EntryKind | undefined {
  return onPath("look up", path, () => {
    const stat = calls.lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    if (stat.isSymbolicLink()) return "link";
    return stat.isDirectory() ? "directory" : stat.isFile() ? "file" : "other";
  });
}
