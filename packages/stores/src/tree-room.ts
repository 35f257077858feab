/** Where a tree store has room: a member of a tree is a leaf. @module */
import { kindOfObject } from "./member-kind.js";
import { unstorableKey } from "./store-errors.js";
import type { StoreIndex } from "./store-index.js";
import { isAttributesKey, parentKey } from "./store-key.js";

/**
 * Throws unless a member can be put under a key.
 *
 * @param path of the store, for messages.
 * @param attributes whether the member holds the attributes of a group.
 * @throws ArgumentError
 */
export function requireRoom(index: StoreIndex, path: string, key: string, attributes = false): void {
  const refuse = (why: string): Error => unstorableKey(path, key, why);
  if (!attributes && isAttributesKey(key)) throw refuse("that name is for attributes; use setAttributes");
  const objects = index.objects();
  const object = objects.get(key);
  if (object !== undefined) throw refuse(`it is a ${kindOfObject(object)}; delete it first`);
  if (index.isGroup(key)) throw refuse("it is a group; delete it first");
  for (let parent = parentKey(key); parent !== "/"; parent = parentKey(parent)) {
    if (index.has(parent) || objects.has(parent)) throw refuse(`"${parent}" is a member, and no group`);
  }
}
