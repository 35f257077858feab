import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFiles } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import {
  createHandleBudget,
  handleBudgetState,
  MAX_HELD_HANDLES_VARIABLE,
  shareHandleBudget,
  stdio,
} from "../src/index.js";
import { countedCalls, systemError } from "./counted-calls.js";
import { programPath, runWorkers, withProcessLimit } from "./descriptors.js";
import { expectBytes } from "./expect-bytes.js";
import { descriptorsOn } from "./programs/descriptors-on.mjs";

const makePath = temporaryFiles().path;

/** Files `…-0`, `…-1`, ... of 10,000 bytes, each filled with its number. */
function makeFiles(count: number): { directory: string; paths: string[] } {
  const directory = makePath();
  mkdirSync(directory);
  const paths = Array.from({ length: count }, (_, i) => join(directory, `file-${i}`));
  paths.forEach((path, i) => {
    writeFileSync(path, new Uint8Array(10_000).fill(i & 0xff));
  });
  return { directory, paths };
}

describe("the budget", () => {
  it("is counted when a file is opened or closed, never on a read", () => {
    const handleBudget = createHandleBudget(3);
    const { calls, counts, reset } = countedCalls();
    const backend = stdio({ handleBudget, fs: calls, readBufferSize: 0 });
    const { paths } = makeFiles(5);
    const handles = paths.map((path) => backend.open(path, "r"));
    expect(handleBudgetState(handleBudget)).toEqual({ held: 3, limit: 3, peak: 3 });
    for (const handle of handles) handle.read(0, 10);
    reset();
    for (const handle of handles) handle.read(10, 10);
    expect(counts).toEqual({ openSync: 2, closeSync: 2, fstatSync: 2, readSync: 5 });
    expect(handleBudgetState(handleBudget).held).toBe(3);
    handles[0]?.close();
    expect(handleBudgetState(handleBudget).held).toBe(2);
    handles[4]?.read(0, 10);
    expect(handleBudgetState(handleBudget).held).toBe(2);
    for (const handle of handles) handle.close();
    for (const handle of handles) handle.close();
    expect(handleBudgetState(handleBudget)).toEqual({ held: 0, limit: 3, peak: 3 });
  });

  it("is shared by all backends of the process, and half the limit on open files", () => {
    const limit = Number(execFileSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" }));
    const before = handleBudgetState();
    expect(before.limit).toBe(Math.floor(limit / 2));
    const { paths } = makeFiles(2);
    const handles = paths.map((path) => stdio().open(path, "r"));
    expect(handleBudgetState().held).toBe(before.held + 2);
    for (const handle of handles) handle.close();
    expect(handleBudgetState().held).toBe(before.held);
    expect(shareHandleBudget()).toBe(shareHandleBudget());
  });

  it.each([-1, 0.5, 2 ** 31, Number.NaN])("a limit of %s is refused", (limit) => {
    expect(() => createHandleBudget(limit)).toThrow(expect.objectContaining({ code: "BLOSC2_ARGUMENT_INVALID" }));
  });

  it("only memory made for it is taken", () => {
    expect(() => stdio({ handleBudget: new SharedArrayBuffer(16) })).toThrow(
      expect.objectContaining({ code: "BLOSC2_ARGUMENT_INVALID" }),
    );
  });

  it("many opens and closes leave nothing behind", () => {
    const { paths } = makeFiles(1);
    const handleBudget = createHandleBudget(10);
    const backend = stdio({ handleBudget });
    for (let i = 0; i < 3000; i++) {
      const handle = backend.open(paths[0] as string, "r");
      handle.read(0, 10);
      handle.close();
    }
    expect(handleBudgetState(handleBudget)).toEqual({ held: 0, limit: 10, peak: 1 });
    expect(descriptorsOn(paths[0] as string)).toBe(0);
  });
});

describe("the system's limit", () => {
  it("when it is reached, held files open for reading are given up, oldest first, and read on", () => {
    let room = 3;
    const { calls } = countedCalls((name) => {
      if (name === "openSync" && room === 0) throw systemError("EMFILE");
      if (name === "openSync") room--;
      if (name === "closeSync") room++;
    });
    const handleBudget = createHandleBudget(100);
    const backend = stdio({ handleBudget, fs: calls });
    const { paths } = makeFiles(6);
    const handles = paths.map((path) => backend.open(path, "r"));
    expect(handleBudgetState(handleBudget).held).toBe(3);
    for (let round = 0; round < 2; round++) {
      for (const [i, handle] of handles.entries()) {
        expectBytes(handle.read(5000 * round, 5000), new Uint8Array(5000).fill(i));
      }
    }
    for (const handle of handles) handle.close();
    expect(handleBudgetState(handleBudget).held).toBe(0);
  });

  it("when nothing can be given up, the error says so", () => {
    const { calls } = countedCalls((name) => {
      if (name === "openSync") throw systemError("EMFILE");
    });
    const { paths } = makeFiles(1);
    expect(() => stdio({ fs: calls, handleBudget: createHandleBudget(1) }).open(paths[0] as string, "r")).toThrow(
      expect.objectContaining({
        code: "BLOSC2_IO_FAILED",
        message: expect.stringContaining("limit on open files"),
        cause: systemError("EMFILE"),
      }),
    );
  });

  it("B44: a limit of 64 and 200 files open: all are read and written, none is left open", () => {
    const { directory } = makeFiles(200);
    const program = programPath("open-many-files.mjs");
    const env = { ...process.env, [MAX_HELD_HANDLES_VARIABLE]: "" };
    const output: unknown = JSON.parse(
      execFileSync(process.execPath, [program, directory, "64"], { encoding: "utf8", env }),
    );
    expect(output).toEqual({ right: 400, written: 200, held: 0, limit: 32, peak: 32, most: 32, left: 0 });
  });

  it("the environment variable sets the budget", () => {
    const { directory } = makeFiles(20);
    const run = (value: string): string =>
      execFileSync(process.execPath, [programPath("open-many-files.mjs"), directory], {
        encoding: "utf8",
        env: { ...process.env, [MAX_HELD_HANDLES_VARIABLE]: value },
        stdio: ["ignore", "pipe", "pipe"],
      });
    expect(JSON.parse(run("5"))).toMatchObject({ right: 40, limit: 5, peak: 5, most: 5, left: 0 });
    expect(() => run("many")).toThrow(/B2FRAME_MAX_HELD_HANDLES: expected an integer/);
  });
});

describe("worker threads", () => {
  it("8 workers on 100 files share one budget without being told, and never hold more", async () => {
    const { directory, paths } = makeFiles(100);
    const { held } = handleBudgetState();
    await withProcessLimit(50, async () => {
      let most = 0;
      const timer = setInterval(() => {
        most = Math.max(most, descriptorsOn(directory));
      }, 2);
      const results = await runWorkers<{ wrong: number }>("budget-worker.mjs", Array(8).fill({ paths, rounds: 4 }));
      clearInterval(timer);
      expect(results.map((each) => each.wrong)).toEqual(Array(8).fill(0));
      expect(handleBudgetState()).toEqual({ held, limit: 50, peak: 50 });
      // Past the budget each worker opens one file at a time.
      expect(most).toBeLessThanOrEqual(50 + 8);
      expect(most).toBeGreaterThan(0);
      expect(descriptorsOn(directory)).toBe(0);
    });
  });

  it("a budget can be handed to workers, and is given back by those that end with files open", async () => {
    const { paths } = makeFiles(30);
    const handleBudget = createHandleBudget(40);
    const results = await runWorkers<{ wrong: number }>(
      "budget-worker.mjs",
      Array(3).fill({ paths, rounds: 2, leave: true, handleBudget }),
    );
    expect(results.map((each) => each.wrong)).toEqual([0, 0, 0]);
    const { held, peak } = handleBudgetState(handleBudget);
    expect(held).toBe(0);
    expect(peak).toBeGreaterThanOrEqual(30);
    expect(peak).toBeLessThanOrEqual(40);
  });

  it("B40: 16 readers of one handle, a thousand rounds: each gets its own bytes", async () => {
    const path = makePath();
    const bytes = Uint8Array.from({ length: 160_000 }, (_, i) => Math.floor(i / 10_000));
    writeFileSync(path, bytes);
    const handle = stdio().open(path, "r");
    const wrong: number[] = [];
    await Promise.all(
      Array.from({ length: 16 }, async (_, reader) => {
        const target = new Uint8Array(reader % 2 === 0 ? 10_000 : 100);
        for (let round = 0; round < 1000; round++) {
          handle.readInto(reader * 10_000, target);
          await undefined;
          if (target[0] !== reader || target[target.length - 1] !== reader) wrong.push(round);
        }
      }),
    );
    handle.close();
    expect(wrong).toEqual([]);
  });
});
