import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { runCli, runGood } from "../run-cli.js";

const cwd = temporaryFolder();

/** Not a whole number of items, nor of chunks. */
const numbers = Buffer.from(Float64Array.from({ length: 40_001 }, (_, i) => Math.sin(i / 100)).buffer).subarray(0, -3);
writeFileSync(join(cwd, "in.f64"), numbers);

/** A `.npy` file of version 1.0, as NumPy's format document describes it. */
function npyFile(descr: string, shape: string, items: Uint8Array): Buffer {
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${shape}, }`;
  const header = `${text.padEnd(128 - 11)}\n`;
  return Buffer.concat([
    Buffer.from([0x93]),
    Buffer.from("NUMPY"),
    Buffer.from([1, 0, 118, 0]),
    Buffer.from(header),
    items,
  ]);
}

const volume = Int16Array.from({ length: 7 * 30 * 41 }, (_, i) => (i * i) % 1000);
const volumeNpy = npyFile("<i2", "(7, 30, 41)", new Uint8Array(volume.buffer));
writeFileSync(join(cwd, "in.npy"), volumeNpy);

describe("raw bytes", () => {
  it.each([
    ["the defaults", "--typesize 8"],
    ["a codec and filters", "--typesize 8 --codec zstd --clevel 3 --filters bitshuffle,bytedelta --filters-meta 0,8"],
    ["small chunks and blocks", "--typesize 8 --chunksize 60000 --blocksize 4K --splitmode never --codec lz4"],
    ["dictionaries", "--typesize 8 --codec zstd --dict --blocksize 8K"],
    ["mmap", "--typesize 8 --io mmap"],
    ["a sparse frame", "--typesize 8 --sparse --chunksize 100000 --checksum"],
    ["no filters", "--filters none --codec lz4hc"],
  ])("come back with %s", (name, options) => {
    const frame = `${name.replaceAll(" ", "-")}.b2frame`;
    runGood(["pack", "in.f64", frame, ...options.split(" ")], { cwd });
    runGood(["unpack", frame, "back.f64"], { cwd });
    expect(readFileSync(join(cwd, "back.f64")).equals(numbers)).toBe(true);
    runGood(["verify", frame], { cwd });
  });

  it.each([1, 2])("give the same file with %i workers, and come back", (workers) => {
    const options = ["--typesize", "8", "--chunksize", "60000", "--codec", "zstd"];
    runGood(["pack", "in.f64", "serial.b2frame", ...options], { cwd });
    runGood(["pack", "in.f64", "workers.b2frame", ...options, "--workers", `${workers}`], { cwd });
    const [serial, parallel] = ["serial", "workers"].map((name) => readFileSync(join(cwd, `${name}.b2frame`)));
    expect(parallel?.equals(serial as Buffer)).toBe(true);
    runGood(["unpack", "workers.b2frame", "back.f64", "--workers", `${workers}`], { cwd });
    expect(readFileSync(join(cwd, "back.f64")).equals(numbers)).toBe(true);
  });

  it("are what workers are for: arrays are refused", () => {
    const { status, stderr } = runCli(["pack", "in.npy", "refused.b2nd", "--workers", "2"], { cwd });
    expect(status).toBe(2);
    expect(stderr.toString()).toContain("--workers is for the chunks of super-chunks");
  });

  it("go through pipes", () => {
    const packed = runCli(["pack", "-", "-", "--typesize", "8"], { cwd, input: numbers });
    expect(packed.status).toBe(0);
    expect(packed.stderr).toBe("");
    const back = runCli(["unpack", "-", "-"], { cwd, input: packed.stdout });
    expect(back.stdout.equals(numbers)).toBe(true);
    expect(JSON.parse(runGood(["info", "-", "--json"], { cwd, input: packed.stdout }))).toMatchObject({
      kind: "super-chunk",
      nbytes: numbers.byteLength,
      typesize: 8,
    });
  });

  it("may be none at all", () => {
    runGood(["pack", "-", "empty.b2frame"], { cwd });
    expect(runGood(["unpack", "empty.b2frame", "-"], { cwd })).toBe("");
  });

  it("are cut into chunks of whole items", () => {
    runGood(["pack", "in.f64", "cut.b2frame", "--typesize", "24", "--chunksize", "100"], { cwd });
    expect(JSON.parse(runGood(["info", "cut.b2frame", "--json"], { cwd })).chunksize).toBe(96);
  });
});

describe(".npy files", () => {
  it.each([
    ["by name", ["pack", "in.npy", "a.b2nd"]],
    ["with shapes", ["pack", "in.npy", "a.b2nd", "--chunks", "3,16,41", "--blocks", "2,8,8", "--codec", "zlib"]],
    ["through mmap", ["pack", "in.npy", "a.b2nd", "--io", "mmap"]],
    ["sparse", ["pack", "in.npy", "a-dir.b2nd", "--sparse", "--chunks", "3,16,41"]],
  ])("become arrays and come back: %s", (_, args) => {
    runGood(args, { cwd });
    const facts = JSON.parse(runGood(["info", args[2] as string, "--json"], { cwd }));
    expect(facts.array).toMatchObject({ shape: [7, 30, 41], dtype: "<i2" });
    expect(facts.deadBytes).toBe(0);
    runGood(["unpack", args[2] as string, "back.npy"], { cwd });
    expect(readFileSync(join(cwd, "back.npy")).equals(volumeNpy)).toBe(true);
    const raw = runCli(["unpack", args[2] as string, "-"], { cwd });
    expect(raw.stdout.equals(Buffer.from(volume.buffer))).toBe(true);
  });

  it("come through pipes", () => {
    const packed = runCli(["pack", "-", "-"], { cwd, input: volumeNpy });
    const back = runCli(["unpack", "-", "-", "--format", "npy"], { cwd, input: packed.stdout });
    expect(back.stdout.equals(volumeNpy)).toBe(true);
  });

  it("are bytes like any other if asked", () => {
    runGood(["pack", "in.npy", "raw.b2frame", "--format", "raw"], { cwd });
    expect(runCli(["unpack", "raw.b2frame", "-"], { cwd }).stdout.equals(volumeNpy)).toBe(true);
  });
});

describe("the output", () => {
  it("replaces what is there only when it is whole", () => {
    runGood(["pack", "in.f64", "kept.b2frame"], { cwd });
    const before = readFileSync(join(cwd, "kept.b2frame"));
    const { status, stderr } = runCli(["pack", "in.f64", "kept.b2frame", "--codec", "snappy"], { cwd });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^b2frame: codec name: expected one of blosclz, .* found "snappy"\n$/);
    expect(readFileSync(join(cwd, "kept.b2frame")).equals(before)).toBe(true);
    runGood(["pack", "in.f64", "kept.b2frame", "--clevel", "9", "--sparse"], { cwd });
    expect(statSync(join(cwd, "kept.b2frame")).isDirectory()).toBe(true);
    runGood(["pack", "in.f64", "kept.b2frame"], { cwd });
    expect(statSync(join(cwd, "kept.b2frame")).isFile()).toBe(true);
    expect(readdirSync(cwd).filter((name) => name.startsWith(".b2new-"))).toEqual([]);
  });

  it("goes through symbolic links, and into devices", () => {
    writeFileSync(join(cwd, "target.b2frame"), "old");
    symlinkSync("target.b2frame", join(cwd, "link.b2frame"));
    runGood(["pack", "in.f64", "link.b2frame"], { cwd });
    runGood(["info", "target.b2frame"], { cwd });
    runGood(["pack", "in.f64", "/dev/null"], { cwd });
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });

  it("is summed up in JSON if asked", () => {
    const summary = JSON.parse(runGood(["pack", "in.f64", "s.b2frame", "--chunksize", "100000", "--json"], { cwd }));
    const nchunks = Math.ceil(numbers.byteLength / 100_000);
    expect(summary).toMatchObject({ path: "s.b2frame", nbytes: numbers.byteLength, nchunks });
    expect(summary.cratio).toBeCloseTo(summary.nbytes / summary.cbytes);
  });

  it.each([
    ["a directory of another kind", ["pack", "in.f64", "."]],
    ["no such directory", ["pack", "in.f64", "no/where.b2frame"]],
    ["no such input", ["pack", "none", "x.b2frame"]],
    ["a sparse frame for a pipe", ["pack", "in.f64", "-", "--sparse"]],
    ["a sparse frame for mmap", ["pack", "in.f64", "x.b2frame", "--sparse", "--io", "mmap"]],
    ["JSON into the output", ["pack", "in.f64", "-", "--json"]],
    ["shapes for raw bytes", ["pack", "in.f64", "x.b2frame", "--chunks", "3"]],
    ["sizes for an array", ["pack", "in.npy", "x.b2frame", "--chunksize", "3"]],
    ["a typesize for an array", ["pack", "in.npy", "x.b2frame", "--typesize", "3"]],
    ["metas without filters", ["pack", "in.f64", "x.b2frame", "--filters-meta", "3"]],
    ["a level that there is not", ["pack", "in.f64", "x.b2frame", "--clevel", "10"]],
    [".npy of a super-chunk", ["unpack", "kept.b2frame", "x.npy"]],
  ])("is refused: %s", (_, args) => {
    const { status, stderr, stdout } = runCli(args, { cwd });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^b2frame: [^\n]+\n$/);
    expect(stdout.byteLength).toBe(0);
    expect(existsSync(join(cwd, "x.b2frame"))).toBe(false);
  });
});
