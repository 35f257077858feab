import { join } from "node:path";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import * as facade from "../src/index.js";
import {
  asarray,
  createSChunk,
  full,
  isBlosc2Error,
  NDArray,
  open,
  openArray,
  openSChunk,
  SChunk,
  zeros,
} from "../src/index.js";
import { corpusEntry, fixturePath } from "./fixture.js";

const folder = temporaryFolder();

function codeOf(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    return isBlosc2Error(error) ? error.code : String(error);
  }
  return undefined;
}

describe("open", () => {
  it.each(["stdio", "mmap"] as const)("tells arrays from super-chunks, through %s", (io) => {
    const { shape } = corpusEntry("b2nd/3d");
    using array = open(fixturePath("b2nd/3d.b2nd"), { io });
    expect(array).toBeInstanceOf(NDArray);
    expect((array as NDArray).shape).toEqual(shape);
    using schunk = open(fixturePath("frames/one.b2frame"), { io });
    expect(schunk).toBeInstanceOf(SChunk);
    expect(schunk.nbytes).toBe(4000);
  });

  it("opens the super-chunk of an array, and no array where there is none", () => {
    using schunk = openSChunk(fixturePath("b2nd/3d.b2nd"));
    expect(schunk.nchunks).toBe(2 * 3 * 3);
    expect(codeOf(() => openArray(fixturePath("frames/one.b2frame")))).toBe("BLOSC2_FORMAT_INVALID");
  });

  it("opens a frame inside a file", () => {
    using schunk = openSChunk(fixturePath("frames/embedded.bin"), { offset: embeddedOffset() });
    expect(schunk.nbytes).toBe(corpusEntry("frame/embedded-1").nbytes);
  });

  it("reads plugin codecs", () => {
    using array = openArray(fixturePath("plugins/zfp-rate.b2nd"));
    expect(array.getSlice([0, 0], [1, 1]).data).toHaveLength(1);
  });

  it("refuses what can't be", () => {
    expect(codeOf(() => open(join(folder, "none.b2frame")))).toBe("BLOSC2_IO_NOT_FOUND");
    expect(codeOf(() => open(fixturePath("sframes/plain.b2frame"), { io: "mmap" }))).toBe("BLOSC2_UNSUPPORTED_BACKEND");
    expect(codeOf(() => open("x", { io: "fopen" as "stdio" }))).toBe("BLOSC2_ARGUMENT_INVALID");
  });
});

function embeddedOffset(): number {
  return (corpusEntry("frame/embedded-1") as unknown as { offset: number }).offset;
}

describe("create", () => {
  it.each(["stdio", "mmap"] as const)("makes super-chunks with every codec, through %s", (io) => {
    const data = Float64Array.from({ length: 1000 }, (_, i) => Math.sqrt(i));
    for (const codec of ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]) {
      const path = join(folder, `${io}-${codec}.b2frame`);
      createSChunk(path, { io, data, cparams: { codec } }).close();
      using back = openSChunk(path, { io });
      expect(back.cparams.codec).toBe(codec);
      expect(new Float64Array(back.getSlice().buffer)).toEqual(data);
    }
  });

  it("makes arrays in memory and at paths, and copies them", () => {
    using inMemory = zeros([3, 4], { dtype: "int16" });
    expect(inMemory.schunk.urlpath).toBeUndefined();
    const path = join(folder, "full.b2nd");
    full([5, 6], 7, { dtype: "<i4", urlpath: path, io: "mmap" }).close();
    using kept = openArray(path);
    using copy = kept.copy({ urlpath: join(folder, "copy.b2nd"), contiguous: false, chunks: [2, 2] });
    expect(copy.schunk.contiguous).toBe(false);
    expect([...copy.getSlice([4, 5]).data]).toEqual([7]);
    using nested = asarray([
      [1, 2],
      [3, 4],
    ]);
    expect(nested.shape).toEqual([2, 2]);
  });

  it("takes a backend that the caller made", () => {
    const backend = facade.memory();
    createSChunk("inside", { io: backend, data: new Uint8Array(10) }).close();
    expect(backend.exists("inside")).toBe(true);
  });
});

it("exports these names", () => {
  expect(Object.keys(facade).sort()).toMatchInlineSnapshot(`
    [
      "ArgumentError",
      "BLOSC2_ERROR_CODES",
      "Blosc2Error",
      "CodecError",
      "CodecRegistry",
      "DEFAULT_LIMITS",
      "FilterRegistry",
      "FormatError",
      "FrameLock",
      "IoError",
      "NDArray",
      "NDBuffer",
      "SChunk",
      "Store",
      "UnsupportedError",
      "allocate",
      "arrayFromCframe",
      "arrayOfTensor",
      "asarray",
      "compact",
      "compress",
      "concatenate",
      "copy",
      "createSChunk",
      "createStore",
      "createUdio",
      "decodeNpy",
      "decompress",
      "defaultCodecs",
      "defaultFilters",
      "empty",
      "encodeNpy",
      "frameKindOf",
      "full",
      "holdsArray",
      "isBlosc2Error",
      "lockingStatus",
      "memory",
      "mmap",
      "nans",
      "objectsOf",
      "open",
      "openArray",
      "openSChunk",
      "openStore",
      "openUdio",
      "parseDType",
      "registerCodec",
      "registerFilter",
      "repair",
      "rowStream",
      "stdio",
      "tableOf",
      "tensorLayoutOf",
      "uninit",
      "verify",
      "zeros",
    ]
  `);
});
