import { describe, expect, it } from "vitest";
import { chooseBlocksize, isSplit } from "../../src/chunk/choose-blocksize.js";
import { resolveCParams } from "../../src/chunk/cparams.js";

const KIB = 1024;
const choose = (nbytes: number, params: Parameters<typeof resolveCParams>[0]): number =>
  chooseBlocksize(nbytes, resolveCParams(params));

describe("the automatic blocksize", () => {
  it.each([
    ["fewer bytes than an item", 3, { typesize: 4 }, 1],
    ["no bytes", 0, { typesize: 4 }, 1],
    ["small, whole items", 1001, { typesize: 8, filters: [] }, 1000],
    ["lz4, clevel 1, not split", 1 << 22, { codec: "lz4", clevel: 1, typesize: 1, filters: [] }, 16 * KIB],
    ["lz4, clevel 5, not split", 1 << 22, { codec: "lz4", clevel: 5, typesize: 1, filters: [] }, 128 * KIB],
    ["lz4, clevel 9, not split", 1 << 22, { codec: "lz4", clevel: 9, typesize: 1, filters: [] }, 256 * KIB],
    ["zlib, clevel 5", 1 << 22, { codec: "zlib", clevel: 5, typesize: 4 }, 256 * KIB],
    ["zlib, clevel 9", 1 << 22, { codec: "zlib", clevel: 9, typesize: 4 }, 1024 * KIB],
    ["lz4, clevel 5, split by 4", 1 << 22, { codec: "lz4", clevel: 5, typesize: 4 }, 256 * KIB],
    ["lz4, clevel 9, split by 16: at most 4 MiB", 1 << 24, { codec: "lz4", clevel: 9, typesize: 16 }, 4096 * KIB],
    [
      "a typesize too large to split",
      1 << 22,
      { codec: "lz4", clevel: 5, typesize: 17 },
      17 * Math.floor((128 * KIB) / 17),
    ],
    [
      "a true typesize above 255",
      1 << 22,
      { codec: "lz4", clevel: 5, typesize: 300 },
      300 * Math.floor((128 * KIB) / 300),
    ],
  ])("%s", (_, nbytes, params, expected) => {
    expect(choose(nbytes, params)).toBe(expected);
  });

  it("rounds an explicit one down to whole items, but not to none", () => {
    expect(choose(10_000, { typesize: 8, blocksize: 1001 })).toBe(1000);
    expect(choose(10_000, { typesize: 100, blocksize: 7 })).toBe(7);
    expect(choose(1001, { typesize: 8, blocksize: 5000 })).toBe(1000);
  });
});

describe("the split rule", () => {
  it.each([
    [{ codec: "lz4", typesize: 4 }, 128, true],
    [{ codec: "lz4", typesize: 4 }, 127, false],
    [{ codec: "blosclz", typesize: 16 }, 512, true],
    [{ codec: "blosclz", typesize: 17 }, 5000, false],
    [{ codec: "lz4", typesize: 4, filters: ["bitshuffle"] }, 1000, false],
    [{ codec: "lz4hc", typesize: 4 }, 1000, false],
    [{ codec: "zlib", typesize: 4 }, 1000, false],
    [{ codec: "zlib", typesize: 4, splitmode: "always" }, 1000, true],
    [{ codec: "lz4", typesize: 4, splitmode: "never" }, 1000, false],
    [{ codec: "lz4", typesize: 4, splitmode: "always" }, 3, false],
  ] as const)("%j with blocks of %d bytes: %s", (params, blocksize, expected) => {
    expect(isSplit(resolveCParams(params), params.typesize, blocksize)).toBe(expected);
  });
});
