/** A directory for one test file's files. @module */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Makes the directory; it is removed when the tests of the file are over. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "b2frame-io-files-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
