import { createReadStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { temporaryFolder } from "@b2frame/test-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asarray, type NDArray, SChunk, zeros } from "../../src/index.js";

const folder = temporaryFolder();

/** Bytes that differ from their neighbours. */
const noise = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (i * 2654435761) >>> 24);

/** Cuts bytes at places that are given in 0..1. */
function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((place) => Math.floor(place * bytes.byteLength)), bytes.byteLength].sort((a, b) => a - b);
  return ends.map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end));
}

/** The kinds of streams that there are; each gives the same pieces. */
const KINDS: readonly (readonly [string, (pieces: readonly Uint8Array[]) => AsyncIterable<Uint8Array>])[] = [
  ["a Node stream", (pieces) => Readable.from(pieces)],
  ["a web stream", (pieces) => ReadableStream.from(pieces) as ReadableStream<Uint8Array>],
  [
    "an asynchronous generator",
    async function* (pieces) {
      yield* pieces;
    },
  ],
];

async function collected(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await buffer(stream as AsyncIterable<Uint8Array>));
}

const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

describe.each(KINDS)("appending from %s", (_, streamOf) => {
  it("stores the bytes of a super-chunk wherever they are cut, in chunks of its size", async () => {
    await fc.assert(
      fc.asyncProperty(cuts, fc.nat(40), fc.nat(300), async (places, there, added) => {
        using schunk = SChunk.create({ typesize: 4, chunksize: 64 });
        const bytes = noise((there + added) * 4);
        if (there > 0) schunk.setSlice(0, bytes.subarray(0, there * 4));
        expect(await schunk.appendFrom(streamOf(cutAt(bytes.subarray(there * 4), places)))).toBe(added);
        expect(schunk.getSlice()).toEqual(bytes);
        expect(schunk.nchunks).toBe(Math.ceil(bytes.byteLength / 64));
      }),
      { numRuns: 30 },
    );
  });

  it("stores the rows of an array wherever their bytes are cut", async () => {
    await fc.assert(
      fc.asyncProperty(cuts, fc.nat(9), fc.nat(50), async (places, there, added) => {
        const bytes = noise((there + added) * 12);
        const rows = (from: number, to: number) => bytes.subarray(from * 12, to * 12);
        using array = zeros([0, 3], { dtype: "<i4", chunks: [7, 3], blocks: [2, 2] });
        await array.appendFrom([rows(0, there)]);
        const places2 = streamOf(cutAt(rows(there, there + added), places));
        expect(await array.appendFrom(places2, { bufferBytes: 40 })).toBe(added);
        expect(array.shape).toEqual([there + added, 3]);
        expect(array.get().bytes).toEqual(bytes);
      }),
      { numRuns: 30 },
    );
  });
});

describe("appending", () => {
  it("takes pieces of values as rows, converted as append converts them", async () => {
    using array = zeros([0, 2], { dtype: "<f4" });
    const pieces = [[1, 2], Float64Array.of(3, 4, 5, 6), asarray([[7, 8]], { dtype: "<i2" })];
    expect(await array.appendFrom(pieces)).toBe(4);
    expect([...array.get().data]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("asks for a piece only when the last one is stored", async () => {
    using schunk = SChunk.create({ typesize: 1, chunksize: 10 });
    let given = 0;
    const source = function* () {
      for (; given < 50; given++) {
        // All whole chunks of what was given before.
        expect(schunk.nbytes).toBe(Math.floor((given * 5) / 10) * 10);
        yield noise(5);
      }
    };
    await schunk.appendFrom(source());
    expect([given, schunk.nbytes]).toEqual([50, 250]);
  });

  it("commits at the end, and nothing before", async () => {
    using schunk = SChunk.create({ typesize: 1, chunksize: 10 });
    await schunk.appendFrom([noise(25)]);
    const failing = function* () {
      yield noise(30);
      throw new TypeError("the line is dead");
    };
    await expect(schunk.appendFrom(failing())).rejects.toMatchObject({
      code: "BLOSC2_IO_FAILED",
      message: "appendFrom: the stream failed: the line is dead",
      cause: expect.any(TypeError),
    });
    expect(schunk.nbytes).toBe(50);
  });

  it("refuses bytes that end inside an item or a row, by name", async () => {
    using schunk = SChunk.create({ typesize: 8, chunksize: 80 });
    await expect(schunk.appendFrom([noise(83)])).rejects.toMatchObject({
      code: "BLOSC2_IO_SHORT_READ",
      message: "appendFrom: the bytes end inside item 10 of the stream: 3 of 8 bytes",
      details: { unit: "item", index: 10, found: 3, expected: 8 },
    });
    using array = zeros([0, 3], { dtype: "<i2" });
    await expect(array.appendFrom([noise(6), noise(7)])).rejects.toThrow(
      "the bytes end inside row 2 of the stream: 1 of 6",
    );
    await expect(array.appendFrom([noise(4), [[1, 2, 3]]])).rejects.toThrow(
      "the bytes end inside row 0 of the stream: 4 of 6",
    );
    expect(array.shape).toEqual([0, 3]);
  });

  it("refuses what is no stream, and pieces that are no bytes", async () => {
    using schunk = SChunk.create({ typesize: 1, chunksize: 10 });
    const failure = { code: "BLOSC2_ARGUMENT_INVALID" };
    for (const source of [undefined, 5, noise(4), new ArrayBuffer(4)]) {
      await expect(schunk.appendFrom(source as never)).rejects.toMatchObject(failure);
    }
    await expect(schunk.appendFrom(["text"] as never)).rejects.toMatchObject(failure);
    await expect(schunk.appendFrom([Float32Array.of(1)] as never)).rejects.toMatchObject(failure);
    await expect(schunk.appendFrom([], { signals: undefined, sinal: 1 } as never)).rejects.toThrow('"signal"');
    using single = asarray(5);
    await expect(single.appendFrom([])).rejects.toThrow("has no rows");
  });

  it("ends with the signal's reason, also while the stream is silent, and tells the stream", async () => {
    const reason = new Error("enough");
    for (const kind of ["node", "web", "generator"] as const) {
      using array = zeros([0, 2], { dtype: "|u1" });
      const controller = new AbortController();
      const silent = new PassThrough();
      let cancelled: unknown;
      const web = new ReadableStream({
        cancel: (why) => {
          cancelled = why;
        },
      });
      const never = async function* (): AsyncGenerator<Uint8Array> {
        await new Promise(() => {});
        yield noise(2);
      };
      const source = { node: silent, web, generator: never() }[kind] as AsyncIterable<Uint8Array>;
      silent.on("error", () => {});
      const appending = array.appendFrom(source, { signal: controller.signal });
      setTimeout(() => controller.abort(reason), 5);
      await expect(appending).rejects.toBe(reason);
      if (kind === "node") expect(silent.destroyed).toBe(true);
      if (kind === "web") expect(cancelled).toBe(reason);
      await expect(array.appendFrom([noise(2)], { signal: controller.signal })).rejects.toBe(reason);
    }
  });

  it("destroys a Node stream whose pieces do not fit", async () => {
    const path = join(folder, "odd.raw");
    writeFileSync(path, noise(1001));
    using schunk = SChunk.create({ typesize: 2, chunksize: 100, limits: { maxAllocation: 50 } });
    const file = createReadStream(path);
    await expect(schunk.appendFrom(file)).rejects.toMatchObject({ code: "BLOSC2_LIMIT_EXCEEDED" });
    expect(file.destroyed).toBe(true);
  });
});

const SHAPES = fc
  .array(fc.tuple(fc.nat(9), fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 4 })), {
    minLength: 1,
    maxLength: 3,
  })
  .map((dims) => ({
    shape: dims.map(([length]) => length),
    chunks: dims.map(([, chunk]) => chunk),
    blocks: dims.map(([, chunk, block]) => Math.min(chunk, block)),
  }));

function arrayOf(shape: readonly number[], chunks: readonly number[], blocks: readonly number[]): NDArray {
  const itemCount = shape.reduce((all, length) => all * length, 1);
  const values = new Uint16Array(noise(2 * itemCount).buffer);
  return asarray(values, { shape, chunks, blocks, dtype: "<u2" });
}

describe("a stream of rows", () => {
  it("has the bytes of the rows in C order, in pieces that are no larger than asked", async () => {
    const range = fc.option(fc.integer({ min: -12, max: 12 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(SHAPES, range, range, fc.integer({ min: 1, max: 60 }), async (dims, start, stop, pieceBytes) => {
        using array = arrayOf(dims.shape, dims.chunks, dims.blocks);
        const pieces: Uint8Array[] = [];
        for await (const piece of array.toReadable({ start, stop, pieceBytes })) pieces.push(piece);
        // The rows that slice() gives of a list of rows.
        const numbers = Array.from({ length: dims.shape[0]! }, (_, i) => i).slice(start, stop);
        const rowBytes = array.nbytes / Math.max(1, dims.shape[0]!);
        const first = (numbers[0] ?? 0) * rowBytes;
        expect(Buffer.concat(pieces)).toEqual(
          Buffer.from(noise(array.nbytes).subarray(first, first + numbers.length * rowBytes)),
        );
        for (const piece of pieces) expect(piece.byteLength).toBeLessThanOrEqual(Math.max(2, pieceBytes));
      }),
      { numRuns: 150 },
    );
  });

  it("reads as it is asked for, one piece at a time", async () => {
    using array = arrayOf([100, 10], [10, 10], [5, 5]);
    let read = 0;
    const get = array.get.bind(array);
    array.get = (...index) => {
      read++;
      return get(...index);
    };
    const reader = (array.toReadable({ pieceBytes: 100 }) as ReadableStream<Uint8Array>).getReader();
    expect(read).toBe(0);
    for (let i = 1; i <= 3; i++) {
      expect((await reader.read()).value?.byteLength).toBe(100);
      expect(read).toBe(i);
    }
    await reader.cancel();
    expect(read).toBe(3);
  });

  it("goes into Node's pipes, Response and a file, and back", async () => {
    using array = arrayOf([33, 5], [7, 3], [2, 2]);
    const expected = noise(330);
    expect(new Uint8Array(await new Response(array.toReadable()).arrayBuffer())).toEqual(expected);
    const through = new PassThrough();
    const [, piped] = await Promise.all([pipeline(array.toReadable(), through), collected(through)]);
    expect(piped).toEqual(expected);
    using copy = zeros([0, 5], { dtype: "<u2" });
    const gzipped = array.toReadable().pipeThrough(new CompressionStream("gzip"));
    await copy.appendFrom(gzipped.pipeThrough(new DecompressionStream("gzip")) as ReadableStream<Uint8Array>);
    expect(copy.get().bytes).toEqual(expected);
  });

  it("fails with the signal's reason, or where the array was cut meanwhile", async () => {
    const controller = new AbortController();
    using array = arrayOf([100, 10], [10, 10], [5, 5]);
    const reader = (
      array.toReadable({ pieceBytes: 100, signal: controller.signal }) as ReadableStream<Uint8Array>
    ).getReader();
    await reader.read();
    controller.abort(new Error("enough"));
    await expect(reader.read()).rejects.toThrow("enough");
    const late = (array.toReadable({ pieceBytes: 100 }) as ReadableStream<Uint8Array>).getReader();
    await late.read();
    array.resize([5, 10]);
    await expect(late.read()).rejects.toMatchObject({ code: "BLOSC2_IO_CHANGED" });
  });

  it("refuses bad options at once", () => {
    using array = arrayOf([10, 10], [10, 10], [5, 5]);
    expect(() => array.toReadable({ pieceBytes: 0 })).toThrow("pieceBytes is 0");
    expect(() => array.toReadable({ start: 1.5 })).toThrow("index[0].start");
    expect(() => array.toReadable({ peaceBytes: 1 } as never)).toThrow('"pieceBytes"');
    using single = asarray(5);
    expect(() => single.toReadable()).toThrow("has no rows");
  });
});

describe("a stream of a super-chunk", () => {
  it("has the bytes of the items, whether chunks are of one size or not", async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(100), fc.nat(100), async (counts, first, length) => {
        using schunk = SChunk.create({ typesize: 4 });
        let at = 0;
        const items = counts.reduce((sum, count) => sum + count, 0);
        const bytes = noise(items * 4);
        for (const count of counts) {
          schunk.appendData(bytes.subarray(at, at + count * 4));
          at += count * 4;
        }
        expect(await collected(schunk.toReadable())).toEqual(bytes);
        const start = Math.min(items, first);
        const stop = Math.min(items, start + length);
        expect(await collected(schunk.toReadable({ start, stop }))).toEqual(bytes.subarray(start * 4, stop * 4));
        expect(() => schunk.toReadable({ start: items + 1 })).toThrow("start: expected an integer in");
        expect(() => schunk.toReadable({ stop: items + 1 })).toThrow("stop: expected an integer in");
      }),
      { numRuns: 40 },
    );
  });

  it("fails where chunks changed meanwhile", async () => {
    using schunk = SChunk.create({ typesize: 1, chunksize: 10 });
    schunk.setSlice(0, noise(30));
    const reader = (schunk.toReadable() as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    schunk.insertData(1, noise(4));
    await expect(reader.read()).rejects.toMatchObject({ code: "BLOSC2_IO_CHANGED" });
  });
});

it("takes no more memory for a long stream than for a short one", async () => {
  using schunk = SChunk.create({ typesize: 1, chunksize: 2 ** 20 });
  const piece = new Uint8Array(2 ** 18);
  const grown = async (pieces: number): Promise<number> => {
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const source = function* () {
      for (let i = 0; i < pieces; i++) {
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
        yield piece;
      }
    };
    await schunk.appendFrom(source());
    return most;
  };
  await grown(16);
  // 256 MiB pass through; a chunk of 1 MiB waits, and what is collected later.
  expect(await grown(1024)).toBeLessThan(32 * 2 ** 20);
  expect(schunk.nbytes).toBe(1040 * 2 ** 18);
});
