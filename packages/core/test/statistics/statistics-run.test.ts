import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBlosc2Error } from "../../src/errors.js";
import { coarser, StatisticsRun, statisticsValues } from "../../src/stats.js";
import { NDBuffer } from "../../src/values/nd-buffer.js";
import { parseDType } from "../../src/values/parse-dtype.js";

interface CountedArray {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly base64: string;
  readonly nans: number;
  readonly infinities: number;
  readonly zeros: number;
  readonly min: string | null;
  readonly max: string | null;
  readonly mean: string | null;
  readonly std: string | null;
  readonly units: Readonly<Record<string, number>>;
}

const counted = JSON.parse(
  readFileSync(new URL("../../../../fixtures/statistics/arrays.json", import.meta.url), "utf8"),
) as CountedArray[];

function bufferOf({ dtype, shape, base64 }: CountedArray): NDBuffer {
  return new NDBuffer(parseDType(dtype), shape, new Uint8Array(Buffer.from(base64, "base64")));
}

/** Counts of [k, k + 1), out of bins that are not wider than 1. */
function units({ exponent, first, counts }: ReturnType<StatisticsRun["result"]>["histogram"]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [i, count] of counts.entries()) {
    const unit = String(Math.floor((first + i) * 2 ** exponent));
    if (count > 0) found[unit] = (found[unit] ?? 0) + count;
  }
  return found;
}

/** Python's spelling of a double. */
const pythonNumber = (text: string): number => Number(text.replace("inf", "Infinity").replace("nan", "NaN"));

describe("what NumPy says of the same values", () => {
  it.each(counted.map((array, i) => [i, `${array.dtype} (${array.shape})`, array] as const))(
    "%i: %s",
    (_, __, array) => {
      const buffer = bufferOf(array);
      const run = new StatisticsRun({ times: buffer.dtype.kind === "M" });
      run.add(statisticsValues(buffer));
      const found = run.result();
      const { nans, infinities, zeros, histogram } = found;
      expect({ nans, infinities, zeros }).toEqual({
        nans: array.nans,
        infinities: array.infinities,
        zeros: array.zeros,
      });
      expect(found.count).toBe(buffer.itemCount);
      const extreme = (text: string | null) =>
        text === null ? undefined : typeof found.min === "bigint" ? BigInt(text) : pythonNumber(text);
      // -0 and 0 are the same value.
      expect(found.min === extreme(array.min) && found.max === extreme(array.max)).toBe(true);
      const largest = Math.max(...[array.min, array.max].map((text) => Math.abs(Number(text))).filter(Number.isFinite));
      const close = (value: number, text: string | null): void => {
        const expected = pythonNumber(text ?? "nan");
        if (!Number.isFinite(expected)) expect(value).toBe(expected);
        else expect(Math.abs(value - expected)).toBeLessThanOrEqual(1e-12 * Math.abs(expected) + 1e-15 * largest);
      };
      close(found.mean, array.mean);
      close(found.std, array.std);
      expect(histogram.counts.reduce((sum, n) => sum + n, 0)).toBe(found.finite);
      if (Object.keys(array.units).length > 0 && histogram.exponent <= 0) expect(units(histogram)).toEqual(array.units);
    },
  );

  it("a constant has itself for a mean, and no deviation; integers have their exact mean", () => {
    const run = new StatisticsRun();
    for (let i = 0; i < 10; i++) run.add(new Float64Array(10_000).fill(0.1));
    expect([run.result().mean, run.result().std]).toEqual([0.1, 0]);
    const integers = new StatisticsRun();
    const values = Float64Array.from({ length: 9999 }, (_, i) => (i % 7 === 0 ? 1e6 : -i));
    integers.add(values);
    expect(integers.result().mean).toBe(Number(values.reduce((sum, value) => sum + BigInt(value), 0n)) / 9999);
  });

  it("strings and records have no numbers", () => {
    for (const dtype of ["|S4", "<U2", "[('a', '<i4')]", "|V4"]) {
      const type = parseDType(dtype);
      const buffer = new NDBuffer(type, [1], new Uint8Array(type.itemsize));
      expect(() => statisticsValues(buffer)).toThrow(/no numbers/);
    }
  });
});

const anyDouble = fc.double({ noDefaultInfinity: false });

describe("runs that were counted apart", () => {
  it("give the same bits as one, wherever they are cut, and through JSON", () => {
    const chunks = fc.array(fc.array(anyDouble, { maxLength: 20 }), { minLength: 1, maxLength: 24 });
    fc.assert(
      fc.property(chunks, fc.array(fc.nat(24), { maxLength: 5 }), fc.boolean(), (values, cuts, isFirstZero) => {
        const from = isFirstZero ? 0 : 5;
        const whole = new StatisticsRun({ first: from });
        for (const chunk of values) whole.add(Float64Array.from(chunk));
        const ends = [...new Set([...cuts.filter((cut) => cut < values.length), values.length])].sort((a, b) => a - b);
        const joined = new StatisticsRun({ first: from });
        let first = 0;
        for (const end of ends) {
          const part = new StatisticsRun({ first: from + first });
          for (const chunk of values.slice(first, end)) part.add(Float64Array.from(chunk));
          joined.join(JSON.parse(JSON.stringify(part.partial())));
          first = end;
        }
        expect(joined.result()).toEqual(whole.result());
        expect(StatisticsRun.from(joined.partial()).result()).toEqual(whole.result());
      }),
    );
  });

  it("keep 64-bit integers exact", () => {
    const part = (first: number, values: bigint[]) => {
      const run = new StatisticsRun({ first });
      run.add(BigInt64Array.from(values));
      return JSON.parse(JSON.stringify(run.partial()));
    };
    const run = new StatisticsRun();
    run.join(part(0, [2n ** 62n + 1n, -5n]));
    run.join(part(1, [2n ** 62n + 3n]));
    expect([run.result().min, run.result().max]).toEqual([-5n, 2n ** 62n + 3n]);
  });

  it("are refused if they do not follow, or are none, with the field named", () => {
    const run = new StatisticsRun();
    run.add(Float64Array.of(1, 2, 3));
    const good = run.partial();
    const spoilt: [string, unknown][] = [
      ["first", { ...good, first: 1, stop: 2 }],
      ["first", { ...good, first: -1 }],
      ["nodes", { ...good, stop: 5 }],
      ["nodes[0]", { ...good, nodes: [["0", "3", "x", "0", "2"]] }],
      ["nodes[0]", { ...good, nodes: [["0", "-3", "6", "0", "2"]] }],
      ["histogram", { ...good, histogram: { ...good.histogram, counts: [1e9] } }],
      ["histogram.exponent", { ...good, histogram: { ...good.histogram, exponent: "1" } }],
      ["histogram", { ...good, range: ["1", "1e300"] }],
      ["range", { ...good, range: ["3", "1"] }],
      ["min, max", { ...good, min: "many" }],
      ["partial", null],
      ["partial", [1]],
    ];
    for (const [parameter, partial] of spoilt) {
      try {
        new StatisticsRun().join(partial);
        expect.unreachable(`${parameter} was taken`);
      } catch (error) {
        if (!isBlosc2Error(error, "BLOSC2_ARGUMENT_INVALID")) throw error;
        expect(error.details.parameter).toBe(parameter);
      }
    }
  });

  it("of anything at all are refused with an error of ours", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        try {
          new StatisticsRun().join(value);
        } catch (error) {
          expect(isBlosc2Error(error, "BLOSC2_ARGUMENT_INVALID")).toBe(true);
        }
      }),
    );
  });
});

describe("the histogram", () => {
  it("counts each value in the bin that holds it, however they come", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }), (values) => {
        const runs = [values, [...values].reverse()].map((ordered) => {
          const run = new StatisticsRun();
          for (const value of ordered) run.add(Float64Array.of(value));
          return run.result().histogram;
        });
        expect(runs[0]).toEqual(runs[1]);
        const { exponent, first, counts } = runs[0] as (typeof runs)[0];
        const expected = counts.map(() => 0);
        for (const value of values) {
          // What scaling takes to 0 lies below it, if it is negative.
          const bin = (Math.floor(value * 2 ** -exponent) || (value < 0 ? -1 : 0)) - first;
          expected[bin] = (expected[bin] ?? 0) + 1;
        }
        expect(counts).toEqual(expected);
        expect(counts.length).toBeLessThanOrEqual(1024);
      }),
    );
  });

  it("in fewer bins has the same counts", () => {
    const run = new StatisticsRun();
    run.add(Uint8Array.from({ length: 256 }, (_, i) => i));
    const { histogram } = run.result();
    expect(coarser(histogram, 16)).toEqual({ exponent: 4, first: 0, counts: new Array(16).fill(16) });
    expect(coarser(histogram, 1)).toEqual({ exponent: 8, first: 0, counts: [256] });
    expect(coarser(new StatisticsRun().result().histogram, 4).counts).toEqual([]);
  });
});
