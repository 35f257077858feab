/** Faults that users have met with filters and odd sizes, tried with each engine; what one writes the other reads. */
import { seededRandom } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { Chunk } from "../../src/chunk/chunk.js";
import { defaultEnvironment } from "../../src/chunk/chunk-environment.js";
import { chunkFromBytes } from "../../src/chunk/chunk-source.js";
import { compressChunk } from "../../src/chunk/compress-chunk.js";
import type { CParams } from "../../src/chunk/cparams.js";
import { expectBytes } from "./expect-bytes.js";
import { sampleData } from "./sample-data.js";

const ENGINES = ["kernels", "portable"] as const;
const environments = {
  kernels: defaultEnvironment({ engine: "kernels" }),
  portable: defaultEnvironment({ engine: "portable" }),
};

/** What each engine writes, both read, whole and in part. */
function expectBothWays(data: Uint8Array, params: Partial<CParams>): void {
  for (const writer of ENGINES) {
    const compressed = compressChunk(data, params, environments[writer]);
    for (const reader of ENGINES) {
      const chunk = Chunk.open(chunkFromBytes(compressed), environments[reader]);
      expectBytes(chunk.decompress(), data);
      const from = Math.floor(data.byteLength / 3);
      const part = new Uint8Array(data.byteLength - from);
      chunk.readBytes(from, data.byteLength, part);
      expectBytes(part, data.subarray(from));
    }
  }
}

it("runs with two engines", () => {
  expect(ENGINES.map((name) => environments[name].engine.name)).toEqual([...ENGINES]);
});

describe("B01: bytedelta on lengths that are no multiple of the typesize", () => {
  it.each([200, 201, 205, 7 * 512 + 3, 70_001])("%i bytes of typesize 7", (length) => {
    for (const filters of [["shuffle", "bytedelta"], ["bytedelta"], ["bitshuffle", "bytedelta"]]) {
      for (const codec of ["lz4", "blosclz", "zlib"]) {
        expectBothWays(sampleData("walk", length, 7), { codec, typesize: 7, filters });
      }
    }
  });
});

describe("B02: bitshuffle on lengths that are no multiple of the typesize", () => {
  it("64 KiB - 1 to 64 KiB + 71 bytes of typesize 8", () => {
    for (let length = 65_535; length <= 65_607; length++) {
      expectBothWays(sampleData("walk", length, 8), { codec: "lz4", typesize: 8, filters: ["bitshuffle"] });
    }
  });
});

describe("B03: two filters in a row", () => {
  const random = seededRandom(3);
  const data = new Uint8Array(Uint16Array.from({ length: 6000 }, () => random() * 118).buffer);
  const names = ["shuffle", "bitshuffle", "bytedelta", "delta"];

  it.each(names.flatMap((first) => names.map((second) => [first, second] as const)))("%s, then %s", (first, second) => {
    for (const blocksize of [0, 1000])
      expectBothWays(data, { codec: "lz4", typesize: 2, blocksize, filters: [first, second] });
  });
});

it("B04: delta after shuffle over three blocks", () => {
  expectBothWays(sampleData("walk", 3 * 3072, 4), {
    codec: "lz4",
    typesize: 4,
    blocksize: 3072,
    filters: ["shuffle", "delta"],
  });
});

it("B10: 0 to 40 bytes", () => {
  for (let length = 0; length <= 40; length++) {
    for (const codec of ["blosclz", "lz4", "lz4hc", "zlib"]) {
      expectBothWays(sampleData("random", length, 1, length), { codec, typesize: 1 });
      expectBothWays(new Uint8Array(length).fill(7), { codec, typesize: 4 });
    }
  }
});

it("B12: one item of 131 bytes under delta", () => {
  const item = new Uint8Array(131);
  item[128] = 1;
  for (const filters of [["delta"], ["delta", "shuffle"], ["shuffle", "delta"]]) {
    expectBothWays(item, { codec: "lz4", typesize: 131, filters });
  }
});
