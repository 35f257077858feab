/** Folders for the files of one test file. @module */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A folder that is removed after the tests of the file or group that asks for it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "b2frame-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What {@link temporaryFiles} gives. */
export interface TemporaryFiles {
  readonly folder: string;
  /** A new path in the folder at which nothing is. */
  readonly path: () => string;
}

/** A folder as {@link temporaryFolder}, and names for files in it. */
export function temporaryFiles(): TemporaryFiles {
  const folder = temporaryFolder();
  let count = 0;
  return { folder, path: () => join(folder, `file-${count++}`) };
}
