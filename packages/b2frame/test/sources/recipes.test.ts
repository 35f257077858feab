import { readFileSync } from "node:fs";
import { join } from "node:path";
import { memoryHandle, SChunk } from "@b2frame/core";
import { openArrayReader } from "@b2frame/core/read";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { asarray, frameKindOf, NDArray, open, openArray, openSChunk } from "../../src/index.js";
import { runCli, runGood } from "../run-cli.js";
import { expected, objectPath } from "./python-objects.js";

const cwd = temporaryFolder();
const unsupported = expect.objectContaining({ code: "BLOSC2_UNSUPPORTED" });

describe.each(Object.entries(expected.recipes))("%s, a recipe", (name, metalayer) => {
  const path = objectPath(name);
  const bytes = new Uint8Array(readFileSync(path));

  it("is refused by every way to open it as data, by name", () => {
    const doors = [
      () => open(path),
      () => openArray(path),
      () => openSChunk(path),
      () => openSChunk(path, { mode: "r+" }),
      () => openSChunk(path, { mode: "r+", recipes: "describe" }),
      () => open(bytes),
      () => SChunk.fromCframe(bytes),
      () => SChunk.openHandle(memoryHandle(bytes)),
      () => openArrayReader(bytes),
    ];
    for (const door of doors) {
      expect(door).toThrow(unsupported);
      expect(door).toThrow(`metalayer "${metalayer}"`);
    }
  });

  it("opens to be described, and gives no chunk then", () => {
    using schunk = openSChunk(path, { recipes: "describe" });
    expect(frameKindOf(schunk)).toBe("computed-array");
    expect(schunk.meta.has(metalayer)).toBe(true);
    using array = NDArray.fromSChunk(schunk);
    expect(array.shape).toEqual([400]);
    const reads = [
      () => array.getSlice([0], [1]),
      () => schunk.decompressChunk(0),
      () => schunk.getChunk(0),
      () => schunk.getSlice(0, 1),
      () => schunk.getSparse([0]),
      () => schunk.openChunk(0),
      () => [...schunk.iterChunks()],
      () => schunk.copy().decompressChunk(0),
      () => schunk.copy({ cparams: { codec: "lz4" } }).decompressChunk(0),
    ];
    for (const read of reads) expect(read).toThrow(unsupported);
  });

  it("is named by info, and refused by the commands that read data", () => {
    expect(JSON.parse(runGood(["info", path, "--json"], { cwd }))).toMatchObject({ holds: "computed-array" });
    const commands = [
      ["unpack", path, "x.npy"],
      ["slice", path, "x.npy"],
      ["cat", path],
      ["cat", path, "--chunk", "0"],
      ["convert", path, "x.b2nd"],
      ["convert", path, "x.b2nd", "--codec", "lz4"],
    ];
    for (const args of commands) {
      const { status, stdout, stderr } = runCli(args, { cwd });
      expect({ args, status, stdout: stdout.byteLength }).toEqual({ args, status: 2, stdout: 0 });
      expect(stderr).toContain(metalayer);
    }
    const verified = runCli(["verify", path], { cwd });
    expect(verified.status).toBe(2);
    expect(verified.stdout.toString()).toMatch(/^not supported /);
  }, 60_000);
});

describe.each(Object.entries(expected.caches))("%s, a proxy's cache", (name, { chunk, nchunks, fetched }) => {
  const path = objectPath(name);

  it("gives the chunks that were fetched, and refuses the others by number", () => {
    using array = openArray(path);
    for (let i = 0; i < nchunks; i++) {
      const read = () => array.getSlice([i * chunk], [(i + 1) * chunk]);
      if (fetched.includes(i)) {
        expect([...(read().data as Int32Array)]).toEqual(Array.from({ length: chunk }, (_, j) => i * chunk + j));
      } else {
        expect(read).toThrow(unsupported);
        expect(read).toThrow(`chunk ${i} has not been fetched`);
        expect(() => array.schunk.getChunk(i)).toThrow(unsupported);
      }
    }
  });

  it("can't be changed, and is not copied with gaps", () => {
    expect(() => openArray(path, { mode: "r+" })).toThrow(unsupported);
    const { status } = runCli(["convert", path, join(cwd, `copy-${name}`)], { cwd });
    expect(status).toBe(fetched.length === nchunks ? 0 : 2);
    expect(runCli(["verify", path], { cwd }).status).toBe(fetched.length === nchunks ? 0 : 2);
  });
});

it("goes by a record of blocks, by one of another length, and by one of an interrupted writer", () => {
  const records: [Record<string, unknown>, number[]][] = [
    // 4 chunks of 3 blocks: bits 3 to 5 are chunk 1, of chunk 2 there is a part.
    [{ "proxy-fetched-blocks": Uint8Array.of(0b1011_1000, 0), "proxy-fetched-bpc": 3 }, [1]],
    [{ "proxy-fetched-blocks": Uint8Array.of(0, 0), "proxy-fetched-bpc": 3, "proxy-fetched": Uint8Array.of(4) }, [2]],
    [{ "proxy-fetched": Uint8Array.of(255, 255) }, []],
    [{ "proxy-fetched": Uint8Array.of(15), "proxy-dirty": { pid: 1, version: 1 } }, []],
    [{ "proxy-fetched-blocks": Uint8Array.of(255, 255), "proxy-fetched-bpc": "many" }, []],
    // From before there were records: what is stored as data was fetched.
    [{}, [0, 1, 2, 3]],
  ];
  for (const [record, readable] of records) {
    const data = Int32Array.from({ length: 40 }, (_, i) => i + 1);
    using made = asarray(data, {
      shape: [40],
      chunks: [10],
      blocks: [4],
      meta: { "proxy-source": Uint8Array.of(0x80) },
    });
    for (const [name, value] of Object.entries(record)) made.schunk.vlmeta.setValue(name, value);
    using array = openArray(made.schunk.toCframe());
    const read = [0, 1, 2, 3].filter((i) => {
      try {
        return array.getSlice([10 * i], [10 * i + 10]).data.length === 10;
      } catch (error) {
        expect(error).toEqual(unsupported);
        return false;
      }
    });
    expect(read).toEqual(readable);
  }
});
