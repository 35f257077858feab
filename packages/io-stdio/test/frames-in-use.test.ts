import { execFileSync, spawn } from "node:child_process";
import { renameSync, writeFileSync } from "node:fs";
import { isBlosc2Error, SChunk } from "@b2frame/core";
import { temporaryFiles } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { createHandleBudget, stdio } from "../src/index.js";
import { programPath } from "./descriptors.js";

const makePath = temporaryFiles().path;
const ITEMS = 250;

/** A frame of three chunks of one number; its size does not depend on the number. */
function putFrame(value: number): string {
  const path = makePath();
  const cparams = { clevel: 0 };
  using frame = SChunk.create({ urlpath: path, io: stdio(), typesize: 4, chunksize: 4 * ITEMS, cparams });
  for (let chunk = 0; chunk < 3; chunk++) frame.appendData(new Int32Array(ITEMS).fill(value));
  return path;
}

function int32s(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.slice().buffer);
}

describe("B43: another frame of the same length renamed over an open one", () => {
  it.each([
    ["held", 10, "old"],
    ["past the budget", 0, "stale"],
  ])("a frame whose file is %s never mixes the two", (_, budget, expected) => {
    const path = putFrame(1);
    const frame = SChunk.open(path, stdio({ handleBudget: createHandleBudget(budget), readBufferSize: 0 }));
    expect(int32s(frame.decompressChunk(0))).toEqual(new Int32Array(ITEMS).fill(1));
    renameSync(putFrame(2), path);
    const seen = new Set<string>();
    for (let chunk = 0; chunk < 3; chunk++) {
      try {
        const [first] = int32s(frame.decompressChunk(chunk));
        seen.add(first === 1 ? "old" : `the number ${first}`);
      } catch (error) {
        seen.add(isBlosc2Error(error, "BLOSC2_IO_STALE") ? "stale" : String(error));
      }
    }
    expect([...seen]).toEqual([expected]);
    frame.close();
    using fresh = SChunk.open(path, stdio());
    expect(int32s(fresh.decompressChunk(2))).toEqual(new Int32Array(ITEMS).fill(2));
  });
});

describe("B37: a frame that another process appends to", () => {
  it("opens at one of its commits each time, with all chunks of that commit right", async () => {
    const path = makePath();
    const writer = spawn(process.execPath, [programPath("append-chunks.mjs"), path, "2000", "20"]);
    const ended = new Promise<number | null>((resolve) => {
      writer.on("close", resolve);
    });
    await new Promise((resolve) => writer.stdout.once("data", resolve));
    let status: number | null | undefined;
    const watched = ended.then((code) => {
      status = code;
    });
    const counts = new Set<number>();
    let wrong = 0;
    while (status === undefined || !counts.has(2000)) {
      if (status !== undefined && status !== 0) break;
      using frame = SChunk.open(path, stdio());
      const { nchunks } = frame;
      counts.add(nchunks);
      if (nchunks % 20 !== 0) wrong++;
      for (const i of nchunks === 0 ? [] : [0, nchunks >> 1, nchunks - 1]) {
        if (!int32s(frame.decompressChunk(i)).every((item) => item === i)) wrong++;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    await watched;
    expect([status, wrong]).toEqual([0, 0]);
    expect(counts.size).toBeGreaterThan(3);
  });
});

it("B67: 10,000 times a good frame, or a malformed one, leave no descriptor and no memory behind", () => {
  const malformed = makePath();
  // A file as long as the frame's, of which no field is right.
  writeFileSync(malformed, new Uint8Array(1500).fill(0xff).fill(0x9e, 0, 1));
  const args = [programPath("open-again-and-again.mjs"), putFrame(3), malformed, "10000"];
  const output = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
  expect(output).toMatchObject({ refused: 5000, left: 0 });
  expect(output.grown).toBeLessThan(64 * 2 ** 20);
});
