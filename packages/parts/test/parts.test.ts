import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  asarray,
  decodeNpy,
  encodeMsgpack,
  encodeNpy,
  NDBuffer,
  openArray,
  parseDType,
  SChunk,
  zeros,
} from "@b2frame/core";
import { stdio } from "@b2frame/io-stdio";
import { temporaryFolder } from "@b2frame/test-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  abortParts,
  arraySource,
  boxOfChunk,
  finalizeParts,
  mapParts,
  npySource,
  type PartSource,
  partStatus,
  partsPlanOf,
  planParts,
  schunkSource,
  writePart,
  zarrSource,
} from "../src/index.js";
import { sameContent } from "../src/same-content.js";

const folder = temporaryFolder();
let made = 0;
const newPath = (): string => join(folder, `${made++}.b2nd`);

/** Items that count up, with zeros at the front, so that some chunks are special. */
function items(shape: readonly number[], zerosAtFront: number): NDBuffer {
  const count = shape.reduce((n, m) => n * m, 1);
  const values = Float32Array.from({ length: count }, (_, i) => (i < zerosAtFront ? 0 : i / 3));
  return new NDBuffer(parseDType("<f4"), shape, new Uint8Array(values.buffer));
}

/** The frame as one writer makes it, chunk by chunk. */
function writeAlone(
  path: string,
  buffer: NDBuffer,
  options: { chunks: number[]; sparse: boolean; checksum: boolean },
): void {
  const { chunks, sparse, checksum } = options;
  const place = { urlpath: path, io: stdio(), contiguous: !sparse, checksum, commit: false };
  using all = asarray(new Float32Array(buffer.bytes.buffer), { shape: buffer.shape, dtype: "<f4" });
  using out = zeros(buffer.shape, { ...place, dtype: "<f4", chunks, cparams: { codec: "lz4" } });
  for (let i = 0; i < out.grid.nchunks; i++) {
    const { start, stop } = boxOfChunk(out, i);
    out.setSlice(start, stop, all.getSlice(start, stop));
  }
}

const arrays = fc
  .array(fc.record({ size: fc.integer({ min: 1, max: 13 }), chunk: fc.integer({ min: 1, max: 6 }) }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((dims) => ({
    shape: dims.map(({ size }) => size),
    chunks: dims.map(({ size, chunk }) => Math.min(size, chunk)),
  }));

describe("parts of an array", () => {
  it("join to the bytes that one writer makes, in whatever order and however often they were written", async () => {
    await fc.assert(
      fc.asyncProperty(
        arrays,
        fc.record({
          parts: fc.integer({ min: 1, max: 9 }),
          sparse: fc.boolean(),
          checksum: fc.boolean(),
          front: fc.nat(300),
        }),
        fc.infiniteStream(fc.nat()),
        async ({ shape, chunks }, { parts, sparse, checksum, front }, random) => {
          const [alone, target] = [newPath(), newPath()];
          const buffer = items(shape, front);
          writeAlone(alone, buffer, { chunks, sparse, checksum });
          const plan = planParts(target, {
            shape,
            dtype: "<f4",
            chunks,
            cparams: { codec: "lz4" },
            parts,
            sparse,
            checksum,
          });
          const left = new Set(plan.parts.keys());
          while (left.size > 0) {
            const part = (random.next().value as number) % plan.parts.length;
            const source = arraySource(asarray(new Float32Array(buffer.bytes.buffer), { shape }));
            await writePart(target, part, source, { again: (random.next().value as number) % 2 === 0 });
            left.delete(part);
            expect(partStatus(target).missing).toEqual([...left].sort((a, b) => a - b));
          }
          expect(finalizeParts(target)).toEqual({ target, published: true });
          expect(sameContent(alone, target)).toBe(true);
          expect(finalizeParts(target)).toEqual({ target, published: false });
          expect(abortParts(target).removed).toBe(0);
          for (const path of [alone, target]) rmSync(path, { recursive: true });
        },
      ),
      { numRuns: 60 },
    );
  });

  it("come from .npy files and from functions of what is there", async () => {
    const [npy, target] = [join(folder, "in.npy"), newPath()];
    const buffer = items([10, 4], 0);
    writeFileSync(npy, encodeNpy(buffer));
    const plan = planParts(target, { shape: [10, 4], dtype: "<f4", chunks: [3, 4], parts: 2, source: npy });
    expect(partsPlanOf(target)).toEqual(plan);
    const source = npySource(npy, stdio());
    await mapParts(
      target,
      [1, 0],
      source,
      (given) => (given as NDBuffer).data.map((value) => Number(value) * 2) as Float32Array,
    );
    source.close?.();
    finalizeParts(target);
    using array = openArray(target, { io: stdio() });
    expect([...array.getSlice().data]).toEqual(
      Array.from(decodeNpy(readFileSync(npy)).data, (value) => Number(value) * 2),
    );
  });

  it("come from Zarr arrays", async () => {
    const [path, target] = [join(folder, "a.zarr"), newPath()];
    const { create, root, set } = await import("zarrita");
    const { default: FileSystemStore } = await import("@zarrita/storage/fs");
    const written = await create(root(new FileSystemStore(path)), {
      shape: [5, 4],
      chunkShape: [2, 4],
      dtype: "int16",
    });
    await set(written, null, { data: Int16Array.from({ length: 20 }, (_, i) => i - 7), shape: [5, 4], stride: [4, 1] });
    const source = await zarrSource(path);
    planParts(target, { shape: source.shape, dtype: source.dtype?.str, chunks: [2, 4], parts: 2 });
    for (const part of [0, 1]) await writePart(target, part, source);
    finalizeParts(target);
    using array = openArray(target, { io: stdio() });
    expect([...array.getSlice().data]).toEqual(Array.from({ length: 20 }, (_, i) => i - 7));
  });
});

describe("parts of a super-chunk", () => {
  it("join to the bytes that one writer makes", async () => {
    const [alone, target] = [newPath(), newPath()];
    const data = Uint8Array.from({ length: 10_004 }, (_, i) => i % 251);
    const options = { typesize: 4, chunksize: 1000, cparams: { codec: "lz4" } };
    SChunk.create({ ...options, data, urlpath: alone, io: stdio() }).close();
    const plan = planParts(target, { ...options, nbytes: data.byteLength, parts: 3 });
    expect(plan.parts).toEqual([
      { first: 0, count: 3 },
      { first: 3, count: 4 },
      { first: 7, count: 4 },
    ]);
    for (const part of [2, 0, 1]) await writePart(target, part, schunkSource(SChunk.create({ typesize: 4, data })));
    finalizeParts(target);
    expect(readFileSync(target).equals(readFileSync(alone))).toBe(true);
  });
});

describe("what can't be joined is refused by name", () => {
  const counting: PartSource = { shape: [12], read: ({ start: [from = 0] }) => Float32Array.of(from, from + 1) };
  async function planned(): Promise<string> {
    const target = newPath();
    planParts(target, { shape: [12], dtype: "<f4", chunks: [2], parts: 3 });
    for (const part of [0, 1, 2]) await writePart(target, part, counting);
    return target;
  }
  const partPath = (target: string, part: number): string => `${target}.parts/part-00000${part}.b2frame`;

  it("a part that is missing", async () => {
    const target = await planned();
    rmSync(partPath(target, 1));
    expect(() => finalizeParts(target)).toThrow("part 1 of 3 is missing");
    expect(partStatus(target)).toMatchObject({ done: [0, 2], missing: [1], damaged: [], published: false });
  });

  it("a part that is cut, or another part's", async () => {
    const target = await planned();
    writeFileSync(partPath(target, 1), readFileSync(partPath(target, 1)).subarray(0, -9));
    writeFileSync(partPath(target, 2), readFileSync(partPath(target, 0)));
    expect(() => finalizeParts(target)).toThrow("part 1-2 at position 0: expected whole");
    const { done, damaged } = partStatus(target);
    expect([done, damaged.map(({ part }) => part)]).toEqual([[0], [1, 2]]);
    expect(damaged[1]?.message).toContain("part at position 0: expected 2, found 0");
    for (const part of [1, 2]) expect(await writePart(target, part, counting)).toMatchObject({ written: true });
    expect(finalizeParts(target).published).toBe(true);
  });

  it("a part with a changed byte in any chunk", async () => {
    const target = await planned();
    const bytes = readFileSync(partPath(target, 0));
    using part = SChunk.fromCframe(bytes);
    const { position = 0, cbytes } = [...part.iterChunksInfo()][1] as { position?: number; cbytes: number };
    bytes[position + cbytes - 1] = (bytes[position + cbytes - 1] as number) ^ 1;
    writeFileSync(partPath(target, 0), bytes);
    expect(partStatus(target).damaged).toEqual([]);
    expect(partStatus(target, { check: true }).damaged).toMatchObject([{ part: 0 }]);
    expect(() => finalizeParts(target)).toThrow(expect.objectContaining({ code: "BLOSC2_FORMAT_CHECKSUM" }));
  });

  it("a part of another plan", async () => {
    const [target, other] = [await planned(), await planned()];
    writeFileSync(partPath(target, 0), readFileSync(partPath(other, 0)));
    expect(() => finalizeParts(target)).toThrow(
      `plan id at position 0: expected ${partsPlanOf(target).id}, found ${partsPlanOf(other).id}`,
    );
  });

  it("a part whose chunks have another size", async () => {
    const target = await planned();
    const content = encodeMsgpack({ plan: partsPlanOf(target).id, part: 0, first: 0, count: 2 });
    const other = SChunk.create({ typesize: 4, meta: { b2frame_part: content } });
    for (let i = 0; i < 2; i++) other.appendData(new Float32Array(3).fill(1.5));
    writeFileSync(partPath(target, 0), other.toCframe());
    expect(() => finalizeParts(target)).toThrow(/part 0: chunk 0: nbytes .*expected 8, found 12/);
  });

  it("a plan with parts inside chunks", () => {
    const options = { shape: [12, 4], dtype: "<f4", chunks: [5, 2] };
    expect(() => planParts(newPath(), { ...options, boundaries: [0, 6] })).toThrow(
      "part 1 begins at row 6, which is inside a chunk of 5 rows",
    );
    expect(planParts(newPath(), { ...options, boundaries: [0, 10] }).parts).toEqual([
      { first: 0, count: 4 },
      { first: 4, count: 2 },
    ]);
  });

  it("a plan where something is", async () => {
    const target = await planned();
    const options = { shape: [12], dtype: "<f4", chunks: [2] };
    expect(planParts(target, { ...options, parts: 3 })).toEqual(partsPlanOf(target));
    expect(() => planParts(target, { ...options, parts: 2 })).toThrow("another plan is there");
    const path = `${target}.parts/plan.json`;
    const fields = Object.entries(JSON.parse(readFileSync(path, "utf8")));
    writeFileSync(path, JSON.stringify(Object.fromEntries(fields.reverse())));
    expect(planParts(target, { ...options, parts: 3 })).toEqual(partsPlanOf(target));
    finalizeParts(target, { keepParts: true });
    expect(() => planParts(target, { ...options, parts: 3 })).toThrow("something is there already");
    expect(finalizeParts(target).published).toBe(false);
    planParts(`${target}2`, options);
    writeFileSync(`${target}2.parts/mine.txt`, "");
    expect(() => abortParts(`${target}2`)).toThrow("holds mine.txt");
    expect(() => finalizeParts(newPath())).toThrow("no plan is there");
  });

  it("another frame at the target", async () => {
    const target = await planned();
    writeFileSync(target, "other");
    expect(() => finalizeParts(target)).toThrow("something else is there by now");
    rmSync(target);
    expect(finalizeParts(target).published).toBe(true);
  });

  it("a source of another shape, and a part that there is not", async () => {
    const target = await planned();
    await expect(writePart(target, 0, { ...counting, shape: [13] })).rejects.toThrow(
      "the plan has (12), the source (13)",
    );
    await expect(writePart(target, 3, counting)).rejects.toThrow("part 3: the plan has parts 0 to 2");
  });

  it("a source that fails, without leaving anything", async () => {
    const target = newPath();
    planParts(target, { shape: [12], dtype: "<f4", chunks: [2], parts: 3 });
    const failing: PartSource = {
      shape: [12],
      read: ({ index }) => {
        if (index === 3) throw new Error("gone");
        return new Float32Array(2);
      },
    };
    await expect(writePart(target, 1, failing)).rejects.toThrow("gone");
    expect(partStatus(target).missing).toEqual([0, 1, 2]);
    expect(abortParts(target).removed).toBe(1);
  });

  it.each([
    ["version", 2, /version .*expected 1, found 2/],
    ["id", "x", /id .*expected 32 hexadecimal digits/],
    ["nchunks", 7, /parts .*7 chunks/],
    [
      "parts",
      [
        [0, 2],
        [3, 3],
      ],
      /parts\[1\] .*expected \[2, a number of chunks\]/,
    ],
    [
      "geometry",
      { kind: "array", shape: [12], dtype: "<f4", chunks: [1], blocks: [1] },
      /nchunks .*expected 12, found 6/,
    ],
    ["cparams", {}, /codec .*expected a name or number/],
  ])("a plan with a bad %s", async (field, value, message) => {
    const target = await planned();
    const path = `${target}.parts/plan.json`;
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), [field]: value }));
    expect(() => partStatus(target)).toThrow(message);
  });
});
