import { describe, expect, it } from "vitest";
import { resolveCParams } from "../../src/chunk/cparams.js";
import { ArgumentError, UnsupportedError } from "../../src/errors.js";

describe("resolveCParams", () => {
  it("has C-Blosc2's defaults", () => {
    expect(resolveCParams()).toMatchObject({
      compcode: 0,
      codecMeta: 0,
      clevel: 5,
      typesize: 1,
      filters: Uint8Array.of(0, 0, 0, 0, 0, 1),
      filtersMeta: new Uint8Array(6),
      blocksize: 0,
      splitmode: "forward_compat",
      useDict: false,
    });
  });

  it("looks up names and ids", () => {
    const byName = resolveCParams({ codec: "lz4hc", filters: [{ filter: "trunc_prec", meta: -3 }, "bitshuffle"] });
    expect(byName).toMatchObject({ compcode: 2, formatCode: 1, filters: Uint8Array.of(4, 2, 0, 0, 0, 0) });
    expect(byName.filtersMeta[0]).toBe(0xfd);
    expect(resolveCParams({ codec: 4 })).toMatchObject({ compcode: 4, formatCode: 3 });
  });

  it.each([
    [{ clevel: 10 }],
    [{ clevel: -1 }],
    [{ clevel: 1.5 }],
    [{ typesize: 0 }],
    [{ typesize: Number.NaN }],
    [{ blocksize: -1 }],
    [{ blocksize: 536866817 }],
    [{ codec: "lzma" }],
    [{ codec: 256 }],
    [{ codecMeta: 256 }],
    [{ splitmode: "sometimes" as "auto" }],
    [{ filters: Array(7).fill("shuffle") }],
    [{ filters: ["median"] }],
    [{ codec: "blosclz", useDict: true }],
    [{ codec: "zlib", useDict: true }],
  ])("refuses %j", (params) => {
    expect(() => resolveCParams(params)).toThrow(ArgumentError);
  });

  it.each([[{ codec: "zfp_rate" }], [{ codec: 200 }], [{ filters: [200] }]])(
    "says what is missing for %j",
    (params) => {
      expect(() => resolveCParams(params)).toThrow(UnsupportedError);
    },
  );
});
