import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const PROGRAM = fileURLToPath(new URL("programs/drop-handles.mjs", import.meta.url));

describe("files that are dropped without close()", () => {
  it.skipIf(process.platform !== "linux")("are closed, each with a warning, when they are collected", () => {
    const folder = mkdtempSync(join(tmpdir(), "b2frame-dropped-"));
    try {
      const args = ["--expose-gc", "--no-warnings", PROGRAM, folder, "40"];
      const printed = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
      // The one that is still held is open; givable descriptors of those for reading are held by nobody else.
      expect(printed).toEqual({ left: 1, warned: 40, codes: ["B2FRAME_DROPPED"], kept: 7 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
