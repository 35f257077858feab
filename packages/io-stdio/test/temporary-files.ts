import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Gives paths in a directory that is removed after the file's tests. */
export function temporaryPaths(): () => string {
  const directory = mkdtempSync(join(tmpdir(), "b2frame-io-stdio-"));
  let count = 0;
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return () => join(directory, `file-${count++}`);
}
