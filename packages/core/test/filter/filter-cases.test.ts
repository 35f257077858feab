/** Inputs that broke other implementations, at filter level. */
import { describe, expect, it } from "vitest";
import type { Filter } from "../../src/filter/filter.js";
import { defaultFilters } from "../../src/filter/filter-registry.js";
import { contextOf, expectBytes, runFilter } from "./filter-run.js";

function bytesOf(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (i * 89 + (i >> 5) * 7) & 0xff);
}

interface Stage {
  readonly filter: Filter;
  readonly meta: number;
}

function stage(name: string, meta = 0): Stage {
  return { filter: defaultFilters.byName(name), meta };
}

/**
 * Runs a pipeline over the blocks of a chunk as chunks do: forward from the first stage, backward from the last; the
 * reference of later blocks is the raw block 0, which is decoded before them.
 */
function throughPipeline(
  chunk: Uint8Array,
  blocksize: number,
  typesize: number,
  stages: readonly Stage[],
): { filtered: Uint8Array[]; decoded: Uint8Array } {
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < chunk.byteLength; at += blocksize) blocks.push(chunk.slice(at, at + blocksize));
  const filtered = blocks.map((block, blockIndex) =>
    stages.reduce((data, { filter, meta }) => {
      const reference = blockIndex === 0 ? undefined : blocks[0];
      return runFilter(filter, "forward", data, contextOf({ typesize, meta, blockIndex, reference }));
    }, block),
  );
  const decoded = new Uint8Array(chunk.byteLength);
  filtered.forEach((block, blockIndex) => {
    const reference = blockIndex === 0 ? undefined : decoded.slice(0, blocksize);
    const raw = stages.reduceRight((data, { filter, meta }) => {
      if (filter.backward === undefined) return data;
      return runFilter(filter, "backward", data, contextOf({ typesize, meta, blockIndex, reference }));
    }, block);
    decoded.set(raw, blockIndex * blocksize);
  });
  return { filtered, decoded };
}

describe("bytedelta after shuffle on a length that is no multiple of the typesize (B01)", () => {
  it("keeps the last 4 of 200 bytes verbatim and gives everything back", () => {
    const data = bytesOf(200);
    const { filtered, decoded } = throughPipeline(data, 200, 7, [stage("shuffle"), stage("bytedelta", 7)]);
    expectBytes(filtered[0].subarray(196), data.subarray(196));
    expectBytes(decoded, data);
  });
});

describe("bitshuffle on sizes that are no multiple of the typesize (B02)", () => {
  it("gives back 64 KiB - 1 to 64 KiB + 71 bytes of typesize 8, remainders verbatim", () => {
    for (let length = 65_535; length <= 65_607; length++) {
      const data = bytesOf(length);
      const { filtered, decoded } = throughPipeline(data, length, 8, [stage("bitshuffle")]);
      const whole = length - (length % 64);
      expectBytes(filtered[0].subarray(whole), data.subarray(whole));
      expectBytes(decoded, data);
    }
  });
});

describe("two filters in a row (B03)", () => {
  const names = ["shuffle", "bitshuffle", "bytedelta", "delta", "trunc_prec"];
  const pairs = names.flatMap((first) => names.filter((name) => name !== first).map((second) => ({ first, second })));
  const data = new Uint8Array(Uint16Array.from({ length: 5000 }, (_, i) => (i * 7919 + (i >> 3)) % 118).buffer);

  it.each(pairs)("$first then $second", ({ first, second }) => {
    // Truncation is not undone; keeping every bit makes it the identity, so that the order of buffers is all that counts.
    const stages = [first, second].map((name) => stage(name, name === "trunc_prec" ? 23 : 0));
    const typesize = first === "trunc_prec" || second === "trunc_prec" ? 4 : 2;
    expectBytes(throughPipeline(data, 3000, typesize, stages).decoded, data);
  });
});

describe("delta after a filter that changes the bytes (B04)", () => {
  const invert: Filter = {
    id: 160,
    name: "invert",
    needsReference: false,
    forward: (source, target) => target.set(source.map((byte) => ~byte)),
    backward: (source, target) => target.set(source.map((byte) => ~byte)),
  };
  const data = bytesOf(3 * 3072);

  it.each([
    { name: "a user's exclusive or", first: { filter: invert, meta: 0 } },
    { name: "shuffle", first: stage("shuffle") },
  ])("$name, then delta", ({ first }) => {
    expectBytes(throughPipeline(data, 3072, 4, [first, stage("delta")]).decoded, data);
  });
});

describe("delta with a typesize that is no word (B12)", () => {
  it("gives back one item of 131 bytes", () => {
    const data = new Uint8Array(131);
    data[128] = 1;
    const { filtered, decoded } = throughPipeline(data, 131, 131, [stage("delta")]);
    // Bytes as words: the one, and its difference to the byte after it.
    expect([...filtered[0].keys()].filter((i) => filtered[0][i] !== 0)).toEqual([128, 129]);
    expectBytes(decoded, data);
  });
});
