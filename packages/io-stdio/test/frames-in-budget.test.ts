import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SChunk } from "@b2frame/core";
import { temporaryFiles } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { handleBudgetState, MAX_HELD_HANDLES_VARIABLE, stdio } from "../src/index.js";
import { programPath, runWorkers, withProcessLimit } from "./descriptors.js";
import { descriptorsOn } from "./programs/descriptors-on.mjs";

const makePath = temporaryFiles().path;
const CHUNKS = 500;

function makeSparseFrame(): string {
  const path = makePath();
  using frame = SChunk.create({ urlpath: path, io: stdio(), contiguous: false, typesize: 4, chunksize: 4000 });
  for (let i = 0; i < CHUNKS; i++) frame.appendData(Int32Array.from({ length: 1000 }, (_, j) => i * 1000 + j));
  return path;
}

describe("a sparse frame of 500 chunks", () => {
  const path = makeSparseFrame();

  it("read by 8 worker threads: right data, never more than the budget open, everything closed at the end", async () => {
    const before = handleBudgetState().held;
    await withProcessLimit(60, async () => {
      let most = 0;
      const timer = setInterval(() => {
        most = Math.max(most, descriptorsOn(path));
      }, 1);
      const data = Array.from({ length: 8 }, (_, worker) => ({ path, first: worker * 61 }));
      const results = await runWorkers<{ wrong: number }>("sparse-frame-worker.mjs", data);
      clearInterval(timer);
      expect(results.map((each) => each.wrong)).toEqual(Array(8).fill(0));
      expect(handleBudgetState().held).toBe(before);
      expect(handleBudgetState().peak).toBe(60);
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThanOrEqual(60 + 8); // Past the budget each worker opens one file at a time.
      expect(descriptorsOn(path)).toBe(0);
    });
  });

  it("holds its chunk files between reads, and lets all go on close", () => {
    const before = handleBudgetState().held;
    const frame = SChunk.open(path, stdio());
    for (let i = 0; i < CHUNKS; i++) frame.decompressChunk(i);
    expect(handleBudgetState().held).toBeGreaterThanOrEqual(before + CHUNKS);
    frame.close();
    expect(handleBudgetState().held).toBe(before);
    expect(descriptorsOn(path)).toBe(0);
  });
});

describe("200 frames under a limit of 64 open files", () => {
  it("are open together and read, each twice, and none is left open", () => {
    const directory = makePath();
    mkdirSync(directory);
    for (let i = 0; i < 200; i++) {
      using frame = SChunk.create({
        urlpath: join(directory, `frame-${i}`),
        io: stdio(),
        typesize: 4,
        chunksize: 1000,
      });
      for (let chunk = 0; chunk < 2; chunk++) frame.appendData(new Int32Array(250).fill(i));
    }
    const env = { ...process.env, [MAX_HELD_HANDLES_VARIABLE]: "" };
    const args = [programPath("open-many-frames.mjs"), directory, "64"];
    const output: unknown = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", env }));
    expect(output).toEqual({ right: 400, held: 0, limit: 32, peak: 32, left: 0 });
  });
});
