import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { asarray, createSChunk, nans } from "../../src/index.js";
import { renderStats } from "../../src/render/stats-view.js";
import { runCli, runGood } from "../run-cli.js";

const cwd = temporaryFolder();

function array(name: string, ...[values, options]: Parameters<typeof asarray>): string {
  asarray(values, { ...options, urlpath: join(cwd, name) }).close();
  return name;
}

function json(...args: string[]) {
  return JSON.parse(runGood(["stats", "--json", ...args], { cwd }));
}

describe("stats", () => {
  it("counts each item once, whatever the chunks: arithmetic says what they come to", () => {
    const side = [7, 11, 13] as const;
    const length = side[0] * side[1] * side[2];
    const name = array(
      "odd.b2nd",
      Int32Array.from({ length }, (_, i) => i - 5),
      {
        shape: side,
        chunks: [3, 4, 13],
        blocks: [2, 3, 5],
      },
    );
    const std = Math.sqrt((length ** 2 - 1) / 12);
    expect(json(name, "--bins", "8")).toEqual({
      path: name,
      dtype: "<i4",
      shape: [...side],
      count: length,
      finite: length,
      nans: 0,
      infinities: 0,
      zeros: 1,
      min: -5,
      max: length - 6,
      mean: (length - 1) / 2 - 5,
      std: expect.closeTo(std, 9),
      histogram: { edges: [-256, 0, 256, 512, 768, 1024], counts: [5, 256, 256, 256, length - 5 - 3 * 256] },
    });
  });

  it("tells NaN, infinities and times that are none apart, and says nothing of no values", () => {
    expect(json(array("odd-values.b2nd", Float32Array.of(Number.NaN, 2, Number.POSITIVE_INFINITY, -0)))).toMatchObject({
      ...{ count: 4, finite: 2, nans: 1, infinities: 1, zeros: 1 },
      ...{ min: 0, max: "Infinity", mean: 1, std: 1 },
    });
    nans([3, 4], { dtype: "<f8", urlpath: join(cwd, "nans.b2nd") }).close();
    expect(json("nans.b2nd")).toMatchObject({ nans: 12, min: null, max: null, mean: null, std: null });
    expect(json(array("empty.b2nd", new Float64Array(0), { shape: [0, 5] }))).toMatchObject({ count: 0, mean: null });
    const times = array("times.b2nd", BigInt64Array.of(0n, -(2n ** 63n), 18_262n), { dtype: "<M8[D]" });
    expect(json(times)).toMatchObject({ finite: 2, nans: 1, max: 18_262 });
    // numpy.datetime64(18262, "D")
    expect(runGood(["stats", times], { cwd })).toMatch(/^max +2020-01-01$/m);
  });

  it("keeps 64-bit integers whole", () => {
    const name = array("wide.b2nd", BigUint64Array.of(1n, 2n ** 64n - 1n));
    expect(json(name)).toMatchObject({ min: 1, max: "18446744073709551615" });
  });

  it("takes a super-chunk if it is told what its bytes are", () => {
    using schunk = createSChunk(join(cwd, "log.b2frame"), { typesize: 8 });
    for (const value of [1, 2, 6]) schunk.appendData(new Float64Array(100).fill(value));
    schunk.close();
    expect(json("log.b2frame", "--dtype", "<f8")).toMatchObject({ count: 300, mean: 3, min: 1, max: 6 });
    for (const [args, message] of [
      [["log.b2frame"], /--dtype says what its bytes are/],
      [["log.b2frame", "--dtype", "|S3"], /no numbers/],
      [["log.b2frame", "--dtype", "nonsense"], /nonsense/],
      [["odd.b2nd", "--dtype", "<f8"], /has its own type/],
    ] as const) {
      const { status, stderr } = runCli(["stats", ...args], { cwd });
      expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
    }
  });
});

it("bars fill the width that there is, and no more", () => {
  const histogram = { exponent: 0, first: -2, counts: [1, 0, 8, 4] };
  const statistics = {
    count: 13,
    finite: 13,
    nans: 0,
    infinities: 0,
    zeros: 8,
    min: -2,
    max: 1,
    mean: 0,
    std: 1,
    histogram,
  };
  using made = asarray(new Float32Array(13));
  for (const width of [60, 80, 120]) {
    const facts = { path: "a", dtype: made.dtype, shape: [13], nchunks: 1, statistics };
    const lines = stripVTControlCharacters(renderStats(facts, 20, width)).split("\n");
    const bars = lines.slice(-5, -1).map((line) => line.replace(/[^█▏▎▍▌▋▊▉]/g, "").length);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(width);
    expect([bars[1], bars[2]]).toEqual([0, Math.max(...bars)]);
    expect(bars[2]).toBeGreaterThan(width - 20);
    expect(Math.abs((bars[3] as number) - (bars[2] as number) / 2)).toBeLessThanOrEqual(1);
  }
});
