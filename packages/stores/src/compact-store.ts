/** Giving back what replaced and removed data left behind in a store. @module */
import { frameKindOf, type IoBackend, SChunk, type SChunkEnvironmentOptions } from "@b2frame/core";
import { firstFailure } from "@b2frame/core/backend";
import { EmbeddedMembers } from "./embedded-members.js";
import { EMBED_NAME, isMemberName, type MemberFiles } from "./member-files.js";
import { formatAt, openFiles, requireMap } from "./open-store.js";

/** What all frames of a store come to after it has been compacted. */
export interface StoreCompaction {
  readonly nbytes: number;
  readonly cbytes: number;
  readonly nchunks: number;
  /** Compressed bytes that were given back. */
  readonly reclaimed: number;
}

/** Adds up what is left, and what has been given back. */
class Sum implements StoreCompaction {
  nbytes = 0;
  cbytes = 0;
  nchunks = 0;
  reclaimed = 0;

  add({ nbytes, nchunks }: SChunk, before: number, after: number): void {
    this.nbytes += nbytes;
    this.cbytes += after;
    this.nchunks += nchunks;
    this.reclaimed += before - after;
  }
}

/** Moves the embedded members together, and gives back what their moves and other changes left. */
function compactMap(schunk: SChunk, path: string): void {
  new EmbeddedMembers(schunk, path).compact();
  if (schunk.deadBytes > 0) schunk.compact();
}

/** Whether a frame may be rewritten: what python-blosc2 keeps of a source elsewhere, only it may change. */
function isWasteful(schunk: SChunk): boolean {
  const kind = frameKindOf(schunk);
  return kind !== "computed-array" && kind !== "proxy-cache" && schunk.deadBytes > 0;
}

function compactFile(files: MemberFiles, name: string, environment: SChunkEnvironmentOptions, sum: Sum): void {
  using schunk = files.open(name, { ...environment, mode: "r", recipes: "describe" });
  const { cbytes } = schunk;
  const dead = isWasteful(schunk) ? schunk.deadBytes : 0;
  if (dead > 0) files.put(name, schunk);
  sum.add(schunk, cbytes, cbytes - dead);
}

function compactMapFile(files: MemberFiles, path: string, environment: SChunkEnvironmentOptions, sum: Sum): void {
  using schunk = files.open(EMBED_NAME, { ...environment, mode: "r" });
  using copy = schunk.copy();
  compactMap(copy, path);
  if (copy.cbytes < schunk.cbytes) files.put(EMBED_NAME, copy);
  sum.add(copy, schunk.cbytes, Math.min(schunk.cbytes, copy.cbytes));
}

/**
 * Rewrites the frames of a store that have superseded bytes, and moves what is embedded together. Frames of a `.b2d` are replaced one by
 * one, each when the new one is whole; a `.b2z` is written beside its place, which it takes when all is there, and only if there is
 * something to give back. Recipes and caches of python-blosc2 stay as they are: only it may change them.
 *
 * @throws IoError; FormatError for a store that is damaged where it is read; UnsupportedError for a `.b2z` with compressed members
 * @example
 * ```ts
 * const { reclaimed } = compactStore("run.b2z", stdio());
 * ```
 */
export function compactStore(
  path: string,
  backend: IoBackend,
  environment: SChunkEnvironmentOptions = {},
): StoreCompaction {
  const format = formatAt(path, backend);
  const sum = new Sum();
  if (format === "b2e") {
    using schunk = SChunk.open(path, backend, { ...environment, mode: "r+" });
    const before = schunk.cbytes;
    compactMap(schunk, path);
    sum.add(schunk, before, schunk.cbytes);
    return sum;
  }
  const files = openFiles(format, path, backend, environment, true);
  try {
    requireMap(path, files);
    for (const name of files.names().filter(isMemberName)) {
      files.check?.(name);
      if (name === EMBED_NAME) compactMapFile(files, path, environment, sum);
      else compactFile(files, name, environment, sum);
    }
  } catch (error) {
    throw firstFailure(error, () => files.discard());
  }
  files.close();
  return sum;
}
