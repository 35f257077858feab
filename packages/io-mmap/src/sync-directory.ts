/** Making names durable. @module */
import { closeSync, fsyncSync, openSync } from "node:fs";

/** File systems that can't make a directory durable answer with these; there is nothing more to do then. */
const UNABLE: ReadonlySet<string | undefined> = new Set(["EINVAL", "ENOTSUP", "EOPNOTSUPP"]);

/** Makes the creations, renames and removals in a directory durable, on file systems that can. */
export function syncDirectory(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (!UNABLE.has((error as NodeJS.ErrnoException).code)) throw error;
  } finally {
    closeSync(descriptor);
  }
}
