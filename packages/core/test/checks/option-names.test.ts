import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkOptionNames } from "../../src/checks/option-names.js";
import { compressChunk } from "../../src/codec.js";
import { asarray, createUdio, full, memory, openArray, SChunk, zeros } from "../../src/index.js";
import { openArrayReader, openSChunkReader } from "../../src/read.js";
import { SCHUNK_CREATE_NAMES } from "../../src/super-chunk/schunk-option-names.js";

/** Options as a caller in plain JavaScript writes them. */
const odd = (options: object): never => options as never;

describe("names of options", () => {
  it("are refused at every door when they are unknown, with the nearest one that is known", () => {
    const io = memory();
    asarray(Float64Array.of(1, 2, 3), { urlpath: "a", io }).close();
    using schunk = SChunk.create({ typesize: 8, data: Float64Array.of(1, 2) });
    using array = zeros([4]);
    const frame = array.toCframe();
    const doors: readonly (readonly [string, (options: never) => unknown])[] = [
      ["SChunk.create", (options) => SChunk.create(options)],
      ["createUdio", (options) => createUdio("x", io, options)],
      ["zeros", (options) => zeros([4], options)],
      ["full", (options) => full([4], 1, options)],
      ["asarray", (options) => asarray([1, 2], options)],
      ["SChunk.copy", (options) => schunk.copy(options)],
      ["NDArray.copy", (options) => array.copy(options)],
    ];
    for (const [door, call] of doors) {
      const cases: readonly (readonly [object, string, string])[] = [
        [{ codec: "zstd" }, "codec", "cparams.codec"],
        [{ cparams: { cname: "zstd" } }, "cparams.cname", "cparams.codec"],
        [{ cparams: { level: 9 } }, "cparams.level", "cparams.clevel"],
        [{ limits: { maxAlloc: 1 } }, "limits.maxAlloc", "limits.maxAllocation"],
        [{ chekcsum: true }, "chekcsum", "checksum"],
        [{ url_path: "x" }, "url_path", "urlpath"],
      ];
      for (const [options, found, expected] of cases) {
        // The path is given beside the options there.
        if (door === "createUdio" && found === "url_path") continue;
        const refused = { name: "ArgumentError", details: { parameter: found, expected, found } };
        expect(() => call(odd(options)), `${door}: ${found}`).toThrow(expect.objectContaining(refused));
      }
    }
    const readers: readonly ((options: never) => unknown)[] = [
      (options) => openSChunkReader(frame, options),
      (options) => openArrayReader(frame, options),
      (options) => SChunk.fromCframe(frame, options),
      (options) => SChunk.open("a", io, options),
      (options) => openArray("a", options),
    ];
    for (const call of readers) expect(() => call(odd({ checksums: true }))).toThrow('nearest known one is "checksum"');
    expect(() => zeros([4], odd({ block_shape: [1] }))).toThrow(
      'unknown option "block_shape"; the nearest known one is "blocks"',
    );
    expect(() => zeros([4], odd({ chunkShape: [1] }))).toThrow('the nearest known one is "chunks"');
    expect(() => asarray([1], odd({ shap: [1] }))).toThrow('the nearest known one is "shape"');
    expect(() => SChunk.open("a", io, odd({ mmap_mode: "r" }))).toThrow('unknown option "mmap_mode"');
    expect(() => compressChunk(new Uint8Array(10), odd({ compcode: 1 }))).toThrow(
      'unknown option "compcode"; the nearest known one is "codec',
    );
    expect(() => memory(odd({ maxFilesize: 1 }))).toThrow('the nearest known one is "maxFileSize"');
    expect(() => array.rowWriter(odd({ buffer: 1 }))).toThrow('the nearest known one is "bufferBytes"');
  });

  it("are listed when none is near, and options must be an object", () => {
    expect(() => checkOptionNames<{ a: 1; b: 2 }>({ a: true, b: true }, odd({ zzz: 1 }))).toThrow(
      'unknown option "zzz"; known are a, b',
    );
    for (const options of ["zstd", 5, null]) {
      expect(() => zeros([4], options as never)).toThrow("options: expected an object");
    }
  });

  it("count as absent when they are undefined, and properties of Object are no options", () => {
    expect(zeros([2], odd({ nothing: undefined })).shape).toEqual([2]);
    expect(() => zeros([2], odd({ toString: 1 }))).toThrow('unknown option "toString"');
    expect(() => zeros([2], odd(JSON.parse('{"__proto__": 1}')))).toThrow('unknown option "__proto__"');
  });

  it("are found again with a letter too many, too few or another", () => {
    // One letter after "codec" may be of `codecs` as well as of `cparams.codec`; short names have little to go by.
    const known = Object.keys(SCHUNK_CREATE_NAMES).filter((name) => name.length > 5 && name !== "codecs");
    const slip = fc.record({
      name: fc.constantFrom(...known),
      at: fc.nat(),
      kind: fc.constantFrom("more", "less", "other"),
      letter: fc.constantFrom("q", "x", "z"),
    });
    fc.assert(
      fc.property(slip, ({ name, at, kind, letter }) => {
        const i = at % name.length;
        const misspelt = `${name.slice(0, i)}${kind === "less" ? "" : letter}${name.slice(kind === "more" ? i : i + 1)}`;
        fc.pre(!known.includes(misspelt));
        expect(() => checkOptionNames(SCHUNK_CREATE_NAMES, odd({ [misspelt]: 1 }))).toThrow(
          `unknown option "${misspelt}"; the nearest known one is "${name}"`,
        );
      }),
    );
  });
});
