import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeNpy } from "@b2frame/core";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { asarray, createSChunk, openArray, openSChunk } from "../../src/index.js";
import { fixturePath } from "../fixture.js";
import { runCli, runGood } from "../run-cli.js";

const cwd = temporaryFolder();
const shape = [6, 10, 14];
const values = Int32Array.from({ length: 6 * 10 * 14 }, (_, i) => i);

asarray(values, { shape, urlpath: join(cwd, "a.b2nd"), chunks: [4, 6, 14], blocks: [2, 3, 7] }).close();

describe("slice", () => {
  it.each([
    ["--start 1,2,3 --stop 4,8,9", [3, 6, 6], (i: number, j: number, k: number) => [i + 1, j + 2, k + 3]],
    ["--start ,,-4", [6, 10, 4], (i: number, j: number, k: number) => [i, j, k + 10]],
    ["--step 2,-3", [3, 4, 14], (i: number, j: number, k: number) => [2 * i, 9 - 3 * j, k]],
  ] as const)("%s", (options, expectedShape, from) => {
    runGood(["slice", "a.b2nd", "part.npy", ...options.split(" ")], { cwd });
    const part = decodeNpy(readFileSync(join(cwd, "part.npy")));
    expect(part.shape).toEqual(expectedShape);
    expect(part.dtype.str).toBe("<i4");
    for (const [i, j, k] of [
      [0, 0, 0],
      [1, 2, 3],
      [expectedShape[0] - 1, expectedShape[1] - 1, expectedShape[2] - 1],
    ] as const) {
      const [z, y, x] = from(i, j, k) as [number, number, number];
      expect(part.get(i, j, k)).toBe((z * 10 + y) * 14 + x);
    }
  });

  it("writes to a pipe, and takes arrays only", () => {
    const { stdout } = runCli(["slice", "a.b2nd", "-", "--start", "5", "--stop", "6"], { cwd });
    expect([...decodeNpy(stdout).data]).toEqual([...values.subarray(5 * 140)]);
    expect(runCli(["slice", fixturePath("frames/one.b2frame"), "x.npy"], { cwd }).status).toBe(2);
    expect(runCli(["slice", "a.b2nd", "x.npy", "--start", "1,2,3,4"], { cwd }).status).toBe(2);
    expect(runCli(["slice", "a.b2nd", "x.npy", "--step", "0"], { cwd }).status).toBe(2);
  });
});

describe("convert", () => {
  it("refuses a damaged chunk that has a checksum, rather than to give it a new one", () => {
    const bytes = Uint8Array.from({ length: 3000 }, (_, i) => Math.imul(i, 2654435761) >>> 24);
    createSChunk(join(cwd, "sums.b2frame"), {
      data: bytes,
      chunksize: 1000,
      checksum: true,
      cparams: { clevel: 0 },
    }).close();
    const damaged = readFileSync(join(cwd, "sums.b2frame"));
    const at = damaged.indexOf(bytes.subarray(1500, 1600));
    damaged[at] = (damaged[at] as number) ^ 1;
    writeFileSync(join(cwd, "sums.b2frame"), damaged);
    for (const how of [[], ["--clevel", "9"], ["--chunksize", "500"]]) {
      const { status, stderr } = runCli(["convert", "sums.b2frame", "laundered.b2frame", ...how], { cwd });
      expect(status).toBe(1);
      expect(stderr).toContain("chunk 1: CRC-32C");
    }
    expect(existsSync(join(cwd, "laundered.b2frame"))).toBe(false);
  });

  it("changes layout, parameters and shapes of an array, and keeps values and metalayers", () => {
    using array = openArray(join(cwd, "a.b2nd"), { mode: "r+" });
    array.schunk.vlmeta.setValue("author", "nobody");
    array.close();
    runGood(["convert", "a.b2nd", "dir.b2nd", "--sparse"], { cwd });
    runGood(["convert", "dir.b2nd", "small.b2nd", "--codec", "zstd", "--clevel", "9", "--checksum"], { cwd });
    runGood(["convert", "small.b2nd", "other.b2nd", "--chunks", "3,5,7", "--blocks", "3,5,7", "--io", "mmap"], { cwd });
    for (const [name, sparse, codec, chunks] of [
      ["dir.b2nd", true, "blosclz", [4, 6, 14]],
      ["small.b2nd", false, "zstd", [4, 6, 14]],
      ["other.b2nd", false, "zstd", [3, 5, 7]],
    ] as const) {
      using copy = openArray(join(cwd, name));
      expect(copy.schunk.contiguous).toBe(!sparse);
      expect(copy.schunk.cparams.codec).toBe(codec);
      expect(copy.chunks).toEqual(chunks);
      expect(copy.getSlice().data).toEqual(values);
      expect(copy.schunk.vlmeta.getValue("author")).toBe("nobody");
    }
    expect(runGood(["verify", "dir.b2nd", "small.b2nd", "other.b2nd"], { cwd })).toMatch(/small.*checksums right/);
  });

  it.each(["varchunks", "vlblocks", "special-mix", "meta16", "empty", "typesize300", "dict"])(
    "keeps the content of %s, with the same and with other parameters",
    (name) => {
      const original = fixturePath(`frames/${name}.b2frame`);
      runGood(["convert", original, "same.b2frame"], { cwd });
      runGood(["convert", original, "other.b2frame", "--codec", "zlib", "--clevel", "1"], { cwd });
      using from = openSChunk(original);
      for (const copy of ["same.b2frame", "other.b2frame"]) {
        using to = openSChunk(join(cwd, copy));
        expect([...to.iterChunks()]).toEqual([...from.iterChunks()]);
        expect([...to.meta]).toEqual([...from.meta]);
        expect([...to.vlmeta]).toEqual([...from.vlmeta]);
        expect(to.typesize).toBe(from.typesize);
      }
    },
  );

  it("cuts super-chunks anew", () => {
    const original = fixturePath("frames/set-slice.b2frame");
    runGood(["convert", original, "anew.b2frame", "--chunksize", "1000"], { cwd });
    using from = openSChunk(original);
    using to = openSChunk(join(cwd, "anew.b2frame"));
    expect(to.nchunks).toBe(16);
    expect(to.getSlice()).toEqual(from.getSlice());
  });
});

describe("compact", () => {
  it("gives superseded bytes back", () => {
    using log = createSChunk(join(cwd, "log.b2frame"), { cparams: { clevel: 0 } });
    for (let i = 0; i < 10; i++) log.appendData(new Uint8Array(1000).fill(i));
    log.flush();
    for (let i = 0; i < 5; i++) log.updateData(i, new Uint8Array(1000).fill(100 + i));
    log.close();
    const { reclaimed, nbytes } = JSON.parse(runGood(["compact", "log.b2frame", "--json"], { cwd }));
    expect(nbytes).toBe(10_000);
    // Five chunks of 1000 bytes and a header of 32, and what the first commit wrote after them.
    expect(reclaimed).toBeGreaterThanOrEqual(5 * 1032);
    expect(JSON.parse(runGood(["info", "log.b2frame", "--json"], { cwd })).deadBytes).toBe(0);
    using back = openSChunk(join(cwd, "log.b2frame"));
    expect([0, 4, 5, 9].map((i) => back.decompressChunk(i)[0])).toEqual([100, 104, 5, 9]);
  });
});

describe("repair", () => {
  it("says by its exit code that something is lost, also if that is all", () => {
    writeFileSync(join(cwd, "noise"), new Uint8Array(1000).fill(7));
    expect(runCli(["repair", "noise", "nothing.b2frame", "-q"], { cwd }).status).toBe(1);
    const head = readFileSync(fixturePath("frames/set-slice.b2frame"));
    head.fill(0, 0, 8);
    writeFileSync(join(cwd, "headless.b2frame"), head);
    const { status, stdout } = runCli(["repair", "headless.b2frame", "headed.b2frame"], { cwd });
    expect(status).toBe(1);
    expect(stdout.toString()).toContain("the header is lost");
  });

  it("saves the chunks of a frame whose end is gone", () => {
    const original = fixturePath("frames/set-slice.b2frame");
    const whole = readFileSync(original);
    using from = openSChunk(original);
    const lost = from.nchunks - 1;
    const { position } = [...from.iterChunksInfo()][lost] as { position: number };
    writeFileSync(join(cwd, "torn.b2frame"), whole.subarray(0, position + 10));
    expect(runCli(["verify", "torn.b2frame", "-q"], { cwd }).status).toBe(1);
    const { stdout } = runCli(["repair", "torn.b2frame", "saved.b2frame", "--json"], { cwd });
    expect(JSON.parse(stdout.toString())).toMatchObject({ chunksRecovered: lost, outPath: "saved.b2frame" });
    runGood(["verify", "saved.b2frame"], { cwd });
    using saved = openSChunk(join(cwd, "saved.b2frame"));
    for (let i = 0; i < lost; i++) expect(saved.decompressChunk(i)).toEqual(from.decompressChunk(i));
  });
});
