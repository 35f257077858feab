import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeNpy, NDBuffer, parseDType } from "@b2frame/core";
import { temporaryFolder } from "@b2frame/test-kit";
import { expect, it } from "vitest";
import { partNumber } from "../../src/parts/part-number.js";
import { runCli, runGood } from "../run-cli.js";

const cwd = temporaryFolder();
const values = Int32Array.from({ length: 4096 }, (_, i) => (i * i) % 1009);
writeFileSync(join(cwd, "in.npy"), encodeNpy(new NDBuffer(parseDType("<i4"), [64, 64], new Uint8Array(values.buffer))));
writeFileSync(join(cwd, "in.bin"), new Uint8Array(values.buffer));

it.each([
  ["in.npy", ["--chunks", "10,20", "--codec", "zstd"]],
  ["in.npy", ["--chunks", "16,64", "--checksum"]],
  ["in.bin", ["--typesize", "4", "--chunksize", "1000", "--codec", "lz4"]],
])("writes %s in parts, with %j, as pack does", (input, options) => {
  runGood(["pack", input, "alone", ...options], { cwd });
  const parts = Number(runGood(["part", "init", "joint", "--like", input, "--parts", "3", ...options], { cwd }));
  expect(parts).toBe(3);
  for (const part of [2, 0, 1]) runGood(["part", "write", "joint", String(part)], { cwd });
  expect(runGood(["part", "status", "joint", "--check"], { cwd })).toBe("joint: 3 of 3 parts done\n");
  runGood(["part", "finalize", "joint"], { cwd });
  expect(readFileSync(join(cwd, "joint")).equals(readFileSync(join(cwd, "alone")))).toBe(true);
  rmSync(join(cwd, "joint"));
});

it("copies the layout of a frame, and finalizes to a sparse one", () => {
  runGood(["pack", "in.npy", "layout.b2nd", "--chunks", "8,64", "--codec", "lz4"], { cwd });
  runGood(["convert", "layout.b2nd", "alone.b2nd", "--sparse"], { cwd });
  runGood(["part", "init", "joint.b2nd", "--like", "layout.b2nd", "--parts", "2"], { cwd });
  for (const task of ["1", "2"]) {
    runGood(["part", "write", "joint.b2nd", "--one-based"], { cwd, env: { SLURM_ARRAY_TASK_ID: task } });
  }
  runGood(["part", "finalize", "joint.b2nd", "--sparse"], { cwd });
  expect(
    readFileSync(join(cwd, "joint.b2nd/chunks.b2frame")).equals(readFileSync(join(cwd, "alone.b2nd/chunks.b2frame"))),
  ).toBe(true);
});

it("names what is missing, with the exit code of a call that can't be done", () => {
  runGood(["part", "init", "later.b2nd", "--like", "in.npy", "--chunks", "8,64", "--parts", "4"], { cwd });
  runGood(["part", "write", "later.b2nd", "1"], { cwd });
  expect(runCli(["part", "finalize", "later.b2nd"], { cwd })).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("parts 0, 2-3 of 4 are missing"),
  });
  expect(JSON.parse(runGood(["part", "abort", "later.b2nd", "--json"], { cwd }))).toEqual({
    target: "later.b2nd",
    removed: 2,
  });
});

it("takes its part from the call, else from the scheduler", () => {
  expect(partNumber(3, false, { SLURM_ARRAY_TASK_ID: "7" })).toBe(3);
  expect(partNumber(undefined, true, { SLURM_ARRAY_TASK_ID: "7" })).toBe(6);
  expect(partNumber(undefined, false, { JOB_COMPLETION_INDEX: "0" })).toBe(0);
  expect(() => partNumber(undefined, false, {})).toThrow("set SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX");
  expect(() => partNumber(undefined, true, { JOB_COMPLETION_INDEX: "0" })).toThrow("count from 1");
  expect(() => partNumber(undefined, false, { JOB_COMPLETION_INDEX: "a" })).toThrow("expected a number, found a");
});
