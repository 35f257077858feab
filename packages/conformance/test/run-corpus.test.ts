import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseCommandLine, type RunRequest } from "../src/arguments.js";
import { readManifest } from "../src/manifest.js";
import { runCorpus } from "../src/run-corpus.js";
import { makeSetups } from "../src/setup.js";

const corpus = fileURLToPath(new URL("../../../fixtures/conformance", import.meta.url));

function request(...args: readonly string[]): RunRequest {
  const parsed = parseCommandLine([corpus, ...args]);
  if (parsed === "help") throw new Error("not a run");
  return parsed;
}

describe("the corpus of the fixtures", () => {
  it.each(["portable", "kernels"])("is right through the %s engine and every backend", async (engine) => {
    const outcome = runCorpus(corpus, readManifest(corpus), await makeSetups(request("--engine", engine)));
    expect(outcome.failures).toEqual([]);
    expect(outcome.passed).toBeGreaterThan(1000);
  });
});

describe("a corpus with a wrong byte", () => {
  let copy: string;

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), "b2frame-corpus-"));
    cpSync(corpus, copy, { recursive: true });
    const frame = join(copy, "frames/one.b2frame");
    const bytes = readFileSync(frame);
    bytes[200] = (bytes[200] as number) ^ 0xff;
    writeFileSync(frame, bytes);
  });

  afterAll(() => {
    rmSync(copy, { recursive: true });
  });

  it("fails, and says which file and why", async () => {
    const entries = readManifest(copy).filter(({ file }) => file === "frames/one.b2frame");
    const setups = await makeSetups(request("--engine", "portable", "--io", "stdio"));
    const { passed, failures } = runCorpus(copy, entries, setups);
    expect(passed).toBe(0);
    expect(failures).toHaveLength(1);
    expect(failures[0]).toContain("frames/one.b2frame frame/one [portable, stdio]: ");
  });
});
