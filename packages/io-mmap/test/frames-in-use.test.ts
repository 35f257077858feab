/** Frames in maps that others change, replace or open in great number. */
import { spawn } from "node:child_process";
import { mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isBlosc2Error, SChunk } from "@b2frame/core";
import { temporaryFiles } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { mmap } from "../src/index.js";
import { AVAILABLE } from "./drivers.js";
import { runChild } from "./run-child.js";

const files = temporaryFiles();
const ITEMS = 250;
const PACKAGE = dirname(dirname(fileURLToPath(import.meta.url)));

/** A frame of three chunks of one number; its size does not depend on the number. */
function putFrame(path: string, value: number): string {
  using frame = SChunk.create({
    ...{ urlpath: path, io: mmap(), typesize: 4, chunksize: 4 * ITEMS },
    cparams: { clevel: 0 },
  });
  for (let chunk = 0; chunk < 3; chunk++) frame.appendData(new Int32Array(ITEMS).fill(value));
  return path;
}

function int32s(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.slice().buffer);
}

describe.each(AVAILABLE)("%s", (driver) => {
  it("B43: a mapped frame over which another of the same length is renamed gives the old one or an error, never a mix", () => {
    const path = putFrame(files.path(), 1);
    const frame = SChunk.open(path, mmap({ driver }));
    expect(int32s(frame.decompressChunk(0))).toEqual(new Int32Array(ITEMS).fill(1));
    renameSync(putFrame(files.path(), 2), path);
    const seen = new Set<string>();
    for (let chunk = 0; chunk < 3; chunk++) {
      try {
        for (const item of int32s(frame.decompressChunk(chunk))) seen.add(item === 1 ? "old" : `the number ${item}`);
      } catch (error) {
        seen.add(isBlosc2Error(error, "BLOSC2_IO_STALE") ? "stale" : String(error));
      }
    }
    frame.close();
    expect(["old", "stale"]).toContain([...seen].join());
    using fresh = SChunk.open(path, mmap({ driver }));
    expect(int32s(fresh.decompressChunk(2))).toEqual(new Int32Array(ITEMS).fill(2));
  });

  it("B37: a frame that another process appends to opens at one of its commits each time", async () => {
    const path = files.path();
    const program = `
      import { SChunk } from "@b2frame/core";
      import { mmap } from "@b2frame/io-mmap";
      const [, path, driver] = process.argv;
      const frame = SChunk.create({ urlpath: path, io: mmap({ driver }), typesize: 4, chunksize: 1000 });
      process.stdout.write("created");
      for (let i = 0; i < 600; i++) {
        frame.appendData(new Int32Array(250).fill(i));
        if (i % 20 === 19) frame.flush();
      }
      frame.close();`;
    const writer = spawn(process.execPath, ["--input-type=module", "-e", program, "--", path, driver], {
      cwd: PACKAGE,
    });
    let status: number | null | undefined;
    const ended = new Promise<void>((resolve) => {
      writer.on("close", (code) => {
        status = code;
        resolve();
      });
    });
    await Promise.race([new Promise((resolve) => writer.stdout.once("data", resolve)), ended]);
    const counts = new Set<number>();
    let wrong = 0;
    while (status === undefined || !counts.has(600)) {
      if (status !== undefined && status !== 0) break;
      using frame = SChunk.open(path, mmap({ driver }));
      const { nchunks } = frame;
      counts.add(nchunks);
      if (nchunks % 20 !== 0) wrong++;
      for (const i of nchunks === 0 ? [] : [0, nchunks >> 1, nchunks - 1]) {
        if (!int32s(frame.decompressChunk(i)).every((item) => item === i)) wrong++;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    await ended;
    expect([status, wrong]).toEqual([0, 0]);
    expect(counts.size).toBeGreaterThan(3);
  });

  it("B44: a map needs its file open; past the limit on open files that is said, what is open reads on, nothing is left open", () => {
    const folder = files.path();
    mkdirSync(folder);
    for (let i = 0; i < 100; i++) putFrame(join(folder, `${i}.b2frame`), i);
    const { stdout, stderr } = runChild(
      `import { SChunk } from "@b2frame/core";
      import { mmap } from "@b2frame/io-mmap";
      import { execFileSync } from "node:child_process";
      import { descriptorsOn } from "../io-stdio/test/programs/descriptors-on.mjs";
      const [, folder, driver] = process.argv;
      execFileSync("prlimit", [\`--pid=\${process.pid}\`, "--nofile=64:64"]);
      const backend = mmap({ driver });
      const frames = [];
      let refusal = "none";
      try {
        for (let i = 0; i < 100; i++) frames.push(SChunk.open(\`\${folder}/\${i}.b2frame\`, backend));
      } catch (error) {
        refusal = [error.code, error.details.errno, error.message.includes(\`\${frames.length}.b2frame\`)].join();
      }
      let wrong = 0;
      frames.forEach((frame, i) => {
        const items = new Int32Array(frame.decompressChunk(2).slice().buffer);
        if (!items.every((item) => item === i)) wrong++;
      });
      const many = frames.length > 20;
      for (const frame of frames) frame.close();
      console.log(JSON.stringify({ refusal, many, wrong, left: descriptorsOn(folder) }));`,
      [folder, driver],
    );
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({ refusal: "BLOSC2_IO_FAILED,EMFILE,true", many: true, wrong: 0, left: 0 });
  });
});
