/** A store in one line. @module */
import { plainLine, showing } from "@b2frame/core/backend";
import type { Store } from "./store.js";

/** The line for a store: where it is, what it is, how much is in it. */
export function describeOpenStore(store: Store): string {
  const { path, type } = store;
  const facts = showing(() => {
    const { length } = store.keys();
    return `${type} store, ${length} member${length === 1 ? "" : "s"}`;
  });
  return `Store ${plainLine(path)} (${facts})`;
}
