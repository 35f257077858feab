/** Faults of array stores that users have met, each with what must happen here. */
import { expect, it } from "vitest";
import { decodeChunkHeader } from "../../src/chunk/chunk-header.js";
import {
  arrayFromCframe,
  asarray,
  empty,
  full,
  isBlosc2Error,
  memory,
  type NDArray,
  openArray,
  SChunk,
} from "../../src/index.js";

const RAMP = Float64Array.from({ length: 1000 }, (_, i) => i);

it("B18: the itemsize of an array reaches the header of every chunk, whichever way the items came", () => {
  const layout = { chunks: [500], blocks: [100] };
  const written = empty([1000], { ...layout, dtype: "float64" });
  written.set([], RAMP);
  const ways: readonly NDArray[] = [
    asarray(RAMP, layout),
    asarray([...RAMP], { ...layout, dtype: "float64" }),
    written,
    asarray(RAMP, layout).copy({ chunks: [250], blocks: [50] }),
    arrayFromCframe(asarray(RAMP, layout).toCframe()),
  ];
  for (const { schunk } of ways) {
    expect(schunk.typesize).toBe(8);
    for (let i = 0; i < schunk.nchunks; i++) {
      expect(decodeChunkHeader(schunk.getChunk(i), { structure: "chunk", position: 0 }).typesize).toBe(8);
    }
    // A ramp of doubles that is shuffled by bytes of one instead of eight does not shrink to a third.
    expect(schunk.cbytes * 3).toBeLessThan(RAMP.byteLength);
  }
});

it("B29: 146 x 23,802 doubles in chunks of 147 x 23,802 are read as they were written", () => {
  const values = Float64Array.from({ length: 146 * 23_802 }, (_, i) => (i * 7919) % 10_007);
  const array = asarray(values, { shape: [146, 23_802], chunks: [147, 23_802], cparams: { clevel: 1 } });
  const back = array.getSlice().data as Float64Array;
  expect(back.length).toBe(values.length);
  expect(back.findIndex((value, i) => value !== values[i])).toBe(-1);
  expect([...array.getSlice([145, 23_800], [146, 23_802]).data]).toEqual([...values.subarray(-2)]);
});

it("B32: a block has room for an item of 1.3 MB, and each of three items comes back", () => {
  const itemsize = 1_298_784;
  const items = [3, 5, 7].map((step) => Uint8Array.from({ length: itemsize }, (_, i) => (i * step) & 255));
  const array = full([3], items[0] as Uint8Array);
  items.forEach((item, i) => {
    array.set([i], item);
  });
  expect(array.schunk.blocksize).toBeGreaterThanOrEqual(itemsize);
  expect(array.blocks[0]).toBeGreaterThanOrEqual(1);
  items.forEach((item, i) => {
    expect(Buffer.compare(array.getSlice([i], [i + 1]).bytes, item)).toBe(0);
  });
});

it("B47: every change of an array that was opened in mode r is refused, and the file stays as it is", () => {
  const backend = memory();
  asarray(RAMP, { urlpath: "a.b2nd", io: backend, chunks: [500], blocks: [100] }).close();
  const before = SChunk.open("a.b2nd", backend).toCframe();
  using array = openArray("a.b2nd", { io: backend });
  const { schunk } = array;
  const changes: readonly (() => unknown)[] = [
    () => array.set([0], 1),
    () => schunk.appendData(RAMP),
    () => schunk.insertData(0, RAMP),
    () => schunk.updateData(0, RAMP),
    () => schunk.deleteChunk(0),
    () => schunk.setSlice(0, RAMP),
    () => schunk.fillSpecial(500, "zeros"),
    () => schunk.reorderOffsets([1, 0]),
    () => schunk.vlmeta.set("v", new Uint8Array(1)),
    () => schunk.compact(),
  ];
  for (const change of changes) expect(change).toThrow(expect.objectContaining({ code: "BLOSC2_IO_READ_ONLY" }));
  expect(SChunk.open("a.b2nd", backend).toCframe()).toEqual(before);
});

it("B62: a file whose b2nd metalayer states shapes that wrap or do not fit is refused, and costs no memory", () => {
  // ndim, shape (int64), chunk shape (int32), block shape (int32), as the metalayer has them.
  const metalayer = (shape: readonly bigint[], chunkShape: readonly number[], blockShape: readonly number[]) => {
    const bytes: number[] = [0x97, 0, shape.length];
    const list = <T>(values: readonly T[], marker: number, length: number, put: (view: DataView, value: T) => void) => {
      bytes.push(0x90 + values.length);
      for (const value of values) {
        const view = new DataView(new ArrayBuffer(length));
        put(view, value);
        bytes.push(marker, ...new Uint8Array(view.buffer));
      }
    };
    list(shape, 0xd3, 8, (view, value) => view.setBigInt64(0, value));
    list(chunkShape, 0xd2, 4, (view, value) => view.setInt32(0, value));
    list(blockShape, 0xd2, 4, (view, value) => view.setInt32(0, value));
    bytes.push(0, 0xdb, 0, 0, 0, 3, ...Buffer.from("<i4"));
    return Uint8Array.from(bytes);
  };
  const open = (b2nd: Uint8Array): NDArray => {
    using s = SChunk.create({ typesize: 4, chunksize: 160, meta: { b2nd } });
    s.fillSpecial(80, "zeros");
    return arrayFromCframe(s.toCframe());
  };
  expect(open(metalayer([80n], [40], [20])).shape).toEqual([80]);
  const before = process.memoryUsage().arrayBuffers;
  for (const bad of [
    metalayer([65_536n, 65_536n], [65_536, 65_536], [65_536, 65_536]),
    metalayer([80n], [40], [0]),
    metalayer([80n], [0], [20]),
    metalayer([80n], [-40], [20]),
    metalayer([-80n], [40], [20]),
    metalayer([2n ** 62n, 2n ** 62n], [1, 1], [1, 1]),
    metalayer([2n ** 31n, 2n ** 31n], [46_341, 46_341], [1, 1]),
  ]) {
    expect(() => open(bad)).toThrow(expect.toSatisfy((error: unknown) => isBlosc2Error(error)));
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
});
