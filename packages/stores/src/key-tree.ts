/** The tree that keys with slashes make. @module */
import { isAttributesKey, parentKey } from "./store-key.js";

/** A group with what is directly in it, as {@link Store.walk} visits it. Names are last parts of keys. */
export interface GroupContent {
  /** The group's key. */
  readonly key: string;
  /** Names of the groups in it, sorted. */
  readonly groups: readonly string[];
  /** Names of the members in it, sorted. */
  readonly members: readonly string[];
}

/** The keys of all groups: what comes before a slash in a key, and what has attributes. The root is not among them. */
function groupKeys(keys: Iterable<string>): Set<string> {
  const groups = new Set<string>();
  for (const key of keys) {
    let group = parentKey(key);
    while (group !== "/" && !groups.has(group)) {
      groups.add(group);
      group = parentKey(group);
    }
  }
  return groups;
}

/** The keys directly in a group, sorted: those of members and groups. */
export function childKeys(keys: Iterable<string>, group: string): string[] {
  const prefix = group === "/" ? "/" : `${group}/`;
  const children = new Set<string>();
  for (const key of keys) {
    if (!key.startsWith(prefix)) continue;
    const slash = key.indexOf("/", prefix.length);
    if (slash >= 0) children.add(key.slice(0, slash));
    else if (!isAttributesKey(key)) children.add(key);
  }
  return [...children].sort();
}

/** Visits a group and those in it, from the top. */
export function* walkGroups(keys: readonly string[], group: string): IterableIterator<GroupContent> {
  const groups = groupKeys(keys);
  const pending = [group];
  for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
    const children = childKeys(keys, key);
    const name = (child: string): string => child.slice(child.lastIndexOf("/") + 1);
    const inner = children.filter((child) => groups.has(child));
    yield { key, groups: inner.map(name), members: children.filter((child) => !groups.has(child)).map(name) };
    pending.push(...inner.reverse());
  }
}
