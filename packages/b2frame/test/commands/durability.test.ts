import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { asarray, createSChunk } from "../../src/index.js";
import { runCli, runGood } from "../run-cli.js";

const cwd = temporaryFolder();
const COUNTER = new URL("../programs/count-flushes.mjs", import.meta.url).href;

/** How often a command waits for the disk. */
function flushes(command: string): number {
  const env = { NODE_OPTIONS: `--import=${COUNTER}`, COUNT_FLUSHES: join(cwd, "count") };
  runGood(command.split(" "), { cwd, env });
  return Number(readFileSync(join(cwd, "count"), "utf8"));
}

/** A frame with superseded bytes. */
function writeFrame(): void {
  using schunk = createSChunk(join(cwd, "s.b2frame"), { typesize: 4, chunksize: 4000 });
  for (let i = 0; i < 4; i++) schunk.appendData(Int32Array.from({ length: 1000 }, (_, k) => i * k));
  schunk.flush();
  schunk.deleteChunk(0);
}

describe("--durability", () => {
  writeFileSync(join(cwd, "in.raw"), new Uint8Array(10_000).fill(5));
  asarray(new Float64Array(1000).fill(0.5), { urlpath: join(cwd, "a.b2nd"), chunks: [100] }).close();

  it.each([
    "pack in.raw out.b2frame",
    "pack in.raw out-dir.b2frame --sparse",
    "pack in.raw out.b2frame --io mmap",
    "convert a.b2nd other.b2nd",
    "convert a.b2nd other.b2nd --chunks 50",
    "convert s.b2frame other.b2frame --clevel 1",
    "compact s.b2frame",
  ])("is waiting for the disk or not: %s", (command) => {
    writeFrame();
    const waits = flushes(command);
    writeFrame();
    expect(flushes(`${command} --durability process`)).toBe(0);
    expect(waits).toBeGreaterThan(0);
    writeFrame();
    expect(flushes(`${command} --durability disk`)).toBe(waits);
    runGood(["verify", command.split(" ")[command.startsWith("compact") ? 1 : 2] as string], { cwd });
  });

  it("is one of two", () => {
    const { status, stderr } = runCli(["compact", "s.b2frame", "--durability", "ram"], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain("disk, process");
  });
});
