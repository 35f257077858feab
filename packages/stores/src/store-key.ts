/** Keys of a store, and the names of the files that stand for them. @module */
import { ArgumentError } from "@b2frame/core";

/** Last part of the key under which a group's attributes are kept. */
export const ATTRIBUTES_NAME = "__vlmeta__";

/** File name suffixes that are taken for frames without looking; files with others are looked into. */
export const FRAME_SUFFIXES: readonly string[] = [".b2nd", ".b2f", ".b2b"];

/** The key, with its leading slash. @throws ArgumentError if it is no string */
export function normaliseKey(key: string): string {
  if (typeof key !== "string") {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `key: expected a string, found ${typeof key}`, {
      parameter: "key",
    });
  }
  return key.startsWith("/") ? key : `/${key}`;
}

/**
 * A key that something may be stored under.
 *
 * @throws ArgumentError for one that python-blosc2 refuses, or that would lead out of the store as a file name.
 */
export function requireStorableKey(key: string): string {
  const normalised = normaliseKey(key);
  const refuse = (expected: string): ArgumentError =>
    new ArgumentError("BLOSC2_ARGUMENT_INVALID", `key ${JSON.stringify(key)}: expected ${expected}`, {
      parameter: "key",
      expected,
      found: key,
    });
  for (const part of normalised.slice(1).split("/")) {
    if (part === "") throw refuse("parts between the slashes that are not empty");
    if (part === "." || part === "..") throw refuse('no part "." or ".."');
    for (const character of part) {
      if (character < " " || character === "\u007f" || character === "\\") {
        throw refuse("no control characters and no backslash");
      }
    }
  }
  return normalised;
}

/** Position of the dot before a file name's suffix, or the name's length if it has none; a leading dot is none. */
function suffixStart(name: string): number {
  const base = name.lastIndexOf("/") + 1;
  let first = base;
  while (name[first] === ".") first += 1;
  const dot = name.lastIndexOf(".");
  return dot > first ? dot : name.length;
}

/** The key of a file: its relative path without the suffix. */
export function keyOfFile(name: string): string {
  return normaliseKey(name.slice(0, suffixStart(name)));
}

/** The suffix of a file name, with its dot; `""` if there is none. */
export function suffixOf(name: string): string {
  return name.slice(suffixStart(name));
}

/** The file name of a key. */
export function fileOfKey(key: string, suffix: string): string {
  return key.slice(1) + suffix;
}

/** The key of the group that a key is in; `"/"` at the top. */
export function parentKey(key: string): string {
  return key.slice(0, key.lastIndexOf("/")) || "/";
}

/** The key of a group's attributes. */
export function attributesKey(group: string): string {
  return group === "/" ? `/${ATTRIBUTES_NAME}` : `${group}/${ATTRIBUTES_NAME}`;
}

/** Whether a key holds a group's attributes. */
export function isAttributesKey(key: string): boolean {
  return key.endsWith(`/${ATTRIBUTES_NAME}`);
}
