/** What a commit outlives, in one place: every barrier of a frame passes here. @module */
import { ArgumentError } from "../errors.js";
import type { IoDirectories, IoHandle, NameChange } from "../io/backend.js";

/**
 * What a commit outlives. `"disk"`: the end of the process, of the operating system and of the power supply. `"process"`: the
 * end of the process, at any instant; the system writes to the disk when it likes, and in what order it likes.
 */
export type Durability = "disk" | "process";

const DURABILITIES: readonly unknown[] = ["disk", "process"] satisfies readonly Durability[];

/** The durability to use for one that was or was not given. @throws ArgumentError for anything else */
export function resolveDurability(durability: Durability | undefined): Durability {
  if (durability === undefined) return "disk";
  if (!DURABILITIES.includes(durability)) {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `durability: expected "disk" or "process", found ${JSON.stringify(durability)}`,
      { parameter: "durability", expected: '"disk" or "process"', found: String(durability) },
    );
  }
  return durability;
}

/** What was written before is kept, whatever happens to what is written next. */
export function settle(handle: IoHandle, durability: Durability): void {
  if (durability === "disk") handle.flush();
  else handle.drain?.();
}

/** Says that {@link settle} follows, so that the disk can begin. */
export function prepareToSettle(handle: IoHandle, durability: Durability): void {
  if (durability === "disk") handle.prepareFlush?.();
}

/** The same as {@link settle} for the names in a directory. The system knows them at once. */
export function settleNames(
  directories: IoDirectories | undefined,
  path: string,
  durability: Durability = "disk",
): void {
  if (durability === "disk") directories?.flush(path);
}

/** How a name is to be changed. */
export function nameChange(durability: Durability = "disk"): NameChange {
  return { durable: durability === "disk" };
}
