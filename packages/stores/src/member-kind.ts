/** What the members of a store are. @module */
import { type FrameKind, frameKindOf, holdsArray, type SChunk } from "@b2frame/core";

/**
 * What a member is: what its frame holds, as `FrameKind` lists it, or
 *
 * - `"table"` (`CTable`): a group of columns, each a member of its own;
 * - `"remote-array"` (`C2Array`), `"remote-store"` (`RemoteStore`): an address, no data;
 * - `"object"`: registered as something else than those;
 * - `"group"`: nothing but a place for other members.
 *
 * `"array"`, `"super-chunk"`, the arrays of Python objects and, for reading what it holds, `"proxy-cache"` can be opened.
 */
export type MemberKind = FrameKind | "table" | "remote-array" | "remote-store" | "object" | "group";

/** Kinds that no frame of data stands for. */
const UNOPENABLE: readonly FrameKind[] = ["computed-array", "store"];

/** Whether a member of a kind has data that can be read as an array or super-chunk. */
export function isOpenable(kind: FrameKind): boolean {
  return !UNOPENABLE.includes(kind);
}

/** What an entry of the object registry is. */
export function kindOfObject(registered: string): MemberKind {
  if (registered === "ctable") return "table";
  return registered === "remote_store" ? "remote-store" : "object";
}

/** The suffix of the file that python-blosc2 keeps such a super-chunk in. */
export function fileSuffix(schunk: SChunk): string {
  if (holdsArray(schunk)) return ".b2nd";
  const kind = frameKindOf(schunk);
  return kind === "batch-array" || kind === "list-array" ? ".b2b" : ".b2f";
}
