/** What the members of a store are. @module */
import { holdsArray, type SChunk } from "@b2frame/core";

/**
 * What a member is. `"array"` and `"super-chunk"` can be opened; the others are objects of python-blosc2 that are made of them:
 *
 * - `"object-array"` (`ObjectArray`), `"batch-array"` (`BatchArray`), `"list-array"` (`ListArray`): Python objects in chunks;
 * - `"table"` (`CTable`): a group of columns, each a member of its own;
 * - `"remote-array"` (`C2Array`), `"remote-store"` (`RemoteStore`): an address, no data;
 * - `"computed-array"` (lazy expressions, proxies and the like): a recipe;
 * - `"object"`: registered as something else than those;
 * - `"group"`: nothing but a place for other members.
 */
export type MemberKind =
  | "array"
  | "super-chunk"
  | "object-array"
  | "batch-array"
  | "list-array"
  | "table"
  | "remote-array"
  | "remote-store"
  | "computed-array"
  | "object"
  | "group";

/** Metalayers by which python-blosc2 knows its objects, in the order in which it asks. */
const KIND_METALAYERS: readonly (readonly [string, MemberKind])[] = [
  ["proxy-source", "computed-array"],
  ["b2o", "computed-array"],
  ["listarray", "list-array"],
  ["vlarray", "object-array"],
  ["batcharray", "batch-array"],
  ["LazyArray", "computed-array"],
];

/** What a super-chunk's metalayers say that it is. */
export function kindOfSChunk(schunk: SChunk): MemberKind {
  for (const [name, kind] of KIND_METALAYERS) if (schunk.meta.has(name)) return kind;
  return holdsArray(schunk) ? "array" : "super-chunk";
}

/** What an entry of the object registry is. */
export function kindOfObject(registered: string): MemberKind {
  if (registered === "ctable") return "table";
  return registered === "remote_store" ? "remote-store" : "object";
}

/** The suffix of the file that python-blosc2 keeps such a super-chunk in. */
export function fileSuffix(schunk: SChunk): string {
  if (holdsArray(schunk)) return ".b2nd";
  const kind = kindOfSChunk(schunk);
  return kind === "batch-array" || kind === "list-array" ? ".b2b" : ".b2f";
}
