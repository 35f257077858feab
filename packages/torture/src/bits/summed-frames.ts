/** Small frames and stores with checksums, of all kinds, whose every bit is flipped. @module */
import { asarray, type CParams, type IoBackend, SChunk, zeros } from "@b2frame/core";
import { createStore } from "@b2frame/stores";
import type { ReadAs } from "./sound-read.js";

/** A frame or store to damage. */
export interface SummedFrame {
  readonly name: string;
  readonly as: ReadAs;
  make(path: string, io: IoBackend): void;
}

function items(count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => (i * i * 31) % 4099);
}

function fill(s: SChunk): void {
  s.appendData(items(60));
  s.appendData(items(60).map((item) => item ^ 5));
  s.appendData(items(33));
  s.vlmeta.setValue("factor", 1.25);
  s.close();
}

function superChunk(name: string, cparams: Partial<CParams>, contiguous = true): SummedFrame {
  return {
    name,
    as: "schunk",
    make: (urlpath, io) =>
      fill(
        SChunk.create({
          urlpath,
          io,
          contiguous,
          typesize: 4,
          chunksize: 240,
          cparams,
          checksum: true,
          meta: { m: Uint8Array.of(1, 2, 3) },
        }),
      ),
  };
}

function array(name: string, contiguous: boolean): SummedFrame {
  return {
    name,
    as: "array",
    make: (urlpath, io) => {
      using a = asarray(items(120), {
        urlpath,
        io,
        contiguous,
        shape: [10, 12],
        chunks: [5, 7],
        blocks: [5, 4],
        checksum: true,
      });
      a.schunk.vlmeta.setValue("unit", "mm");
    },
  };
}

function store(name: string): SummedFrame {
  return {
    name,
    as: "store",
    make: (path, io) => {
      using made = createStore(path, io);
      using a = asarray(items(60), { shape: [60], checksum: true });
      using s = SChunk.create({ checksum: true, typesize: 4, data: items(40) });
      made.set("/group/numbers", a);
      made.set("/bytes", s);
    },
  };
}

/** Special chunks of all kinds: in the index, and as chunks of their own. */
const specials: SummedFrame = {
  name: "special chunks",
  as: "schunk",
  make: (urlpath, io) => {
    using s = SChunk.create({ urlpath, io, typesize: 4, chunksize: 240, checksum: true });
    s.appendData(new Float32Array(60));
    s.appendData(new Float32Array(60).fill(Number.NaN));
    s.appendData(new Float32Array(60).fill(2.5));
    s.appendData(Float32Array.from(items(60)));
  },
};

const empty: SummedFrame = {
  name: "an array of zeros",
  as: "array",
  make: (urlpath, io) => zeros([30], { dtype: "<f8", chunks: [8], urlpath, io, checksum: true }).close(),
};

const variable: SummedFrame = {
  name: "chunks of different sizes",
  as: "schunk",
  make: (urlpath, io) => {
    using s = SChunk.create({ urlpath, io, typesize: 4, chunksize: 240, checksum: true });
    for (const count of [60, 20, 45]) s.appendData(items(count));
    s.appendData(items(60));
  },
};

const varBlocks: SummedFrame = {
  name: "blocks of different sizes",
  as: "schunk",
  make: (urlpath, io) => {
    using s = SChunk.create({ urlpath, io, checksum: true });
    s.appendVlBlocks([new Uint8Array(items(20).buffer), new Uint8Array(items(7).buffer)]);
  },
};

export const SUMMED_FRAMES: readonly SummedFrame[] = [
  superChunk("blosclz", { codec: "blosclz" }),
  superChunk("lz4, sparse", { codec: "lz4" }, false),
  superChunk("lz4hc, bitshuffle", { codec: "lz4hc", filters: ["bitshuffle"] }),
  superChunk("zlib", { codec: "zlib" }),
  superChunk("zstd", { codec: "zstd" }),
  superChunk("stored as it is", { clevel: 0 }),
  array("array", true),
  array("array, sparse", false),
  specials,
  empty,
  variable,
  varBlocks,
  store("store.b2z"),
  store("store.b2d"),
];
