/** What a frame holds, as its metalayers say. @module */
import { PROXY_METALAYER, RECIPE_METALAYERS } from "../super-chunk/recipe.js";
import type { SuperChunkReader } from "../super-chunk/super-chunk-reader.js";
import { holdsArray } from "./array-reader.js";

/**
 * What a frame holds. `"array"` and `"super-chunk"` are data; the others are objects of python-blosc2:
 *
 * - `"object-array"` (`ObjectArray`), `"batch-array"` (`BatchArray`), `"list-array"` (`ListArray`): Python objects in chunks;
 * - `"computed-array"` (lazy expressions, addresses of remote arrays): a recipe, no data;
 * - `"proxy-cache"`: those chunks of an array or super-chunk that a proxy has fetched;
 * - `"store"`: the members of a store, or of a part of one, in one frame.
 */
export type FrameKind =
  | "array"
  | "super-chunk"
  | "object-array"
  | "batch-array"
  | "list-array"
  | "computed-array"
  | "proxy-cache"
  | "store";

/** Metalayers by which python-blosc2 knows its objects, in the order in which it asks. */
const KIND_METALAYERS: readonly (readonly [string, FrameKind])[] = [
  ...RECIPE_METALAYERS.map((name): [string, FrameKind] => [name, "computed-array"]),
  [PROXY_METALAYER, "proxy-cache"],
  ["b2embed", "store"],
  ["b2tree", "store"],
  ["b2dict", "store"],
  ["listarray", "list-array"],
  ["vlarray", "object-array"],
  ["batcharray", "batch-array"],
];

/** What the metalayers of a super-chunk say that it is. */
export function frameKindOf(schunk: SuperChunkReader): FrameKind {
  for (const [name, kind] of KIND_METALAYERS) if (schunk.meta.has(name)) return kind;
  return holdsArray(schunk) ? "array" : "super-chunk";
}
