/** The errors that name a member of a store. @module */
import { ArgumentError, UnsupportedError } from "@b2frame/core";
import type { MemberKind } from "./member-kind.js";

/** There is nothing under the key. */
export function unknownMember(path: string, key: string, what: "member" | "group" = "member"): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_OUT_OF_RANGE", `${path}: there is no ${what} "${key}"`, {
    parameter: what === "group" ? what : "key",
    found: key,
    path,
  });
}

/** What is under the key has no frame of data. */
export function unsupportedMember(path: string, key: string, kind: MemberKind): UnsupportedError {
  return new UnsupportedError(
    "BLOSC2_UNSUPPORTED",
    `${path}: member "${key}" is a ${kind} of python-blosc2; it has no frame of data to open`,
    { feature: kind, path, member: key },
  );
}

/** Nothing can be stored under the key. */
export function unstorableKey(path: string, key: string, why: string): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${path}: nothing can be stored under "${key}": ${why}`, {
    parameter: "key",
    found: key,
    path,
  });
}
