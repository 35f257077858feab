/** A folder for one test file's files, removed after its tests. @module */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

export interface TemporaryFiles {
  readonly folder: string;
  /** A new path in the folder at which nothing is. */
  path(): string;
}

export function temporaryFiles(): TemporaryFiles {
  const folder = mkdtempSync(join(tmpdir(), "b2frame-mmap-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let count = 0;
  return { folder, path: () => join(folder, `file-${count++}`) };
}
