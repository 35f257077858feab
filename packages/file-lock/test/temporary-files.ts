/** A folder for one test file's files, removed after its tests. @module */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Gives paths in the folder at which nothing is. */
export function temporaryPaths(): () => string {
  const folder = mkdtempSync(join(tmpdir(), "b2frame-lock-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let count = 0;
  return () => join(folder, `file-${count++}`);
}
