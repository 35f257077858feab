import { noise } from "@b2frame/test-kit";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { KERNEL_ERRORS } from "../src/index.js";
import { compressible } from "./arbitraries.js";
import { expectSame } from "./expect-bytes.js";
import { GuardedMemory } from "./guarded-memory.js";
import { type BlockContext, decodeStreamsModel, filterModel, type Slot } from "./models/block-model.js";

const memory = new GuardedMemory();
const k = memory.kernels.exports;
const PLANE_GAP = 128;
const NOTHING = new Uint8Array(0);

interface Case extends BlockContext {
  readonly slots: readonly Slot[];
  readonly streams: number;
  readonly codec: number;
  readonly level: number;
  readonly bare: boolean;
  readonly dictionary: Uint8Array;
}

const SIMPLE: Case = {
  typesize: 4,
  superChunkTypesize: 4,
  reference: undefined,
  slots: [[1, 0]],
  streams: 4,
  codec: 1,
  level: 5,
  bare: false,
  dictionary: NOTHING,
};

/** Items that change slowly, so that planes of all kinds come out: runs, compressible, raw. */
function walk(byteLength: number, typesize: number, seed: number): Uint8Array {
  const bytes = noise(byteLength, seed);
  for (let i = 0; i < byteLength; i++) {
    const place = i % typesize;
    if (place > 0) bytes[i] = place === 1 ? (i / typesize) >> 5 : place === 2 ? 7 : 0;
  }
  return bytes;
}

function setFilters(slots: readonly Slot[]): void {
  const ids = new Uint8Array(6);
  const metas = new Uint8Array(6);
  slots.forEach(([id, meta], i) => {
    ids[i] = id;
    metas[i] = meta;
  });
  memory.kernels.setFilters(ids, metas);
}

function placeDictionary(dictionary: Uint8Array, room: number): number {
  const at = memory.output(dictionary.length + room);
  memory.kernels.bytes.set(dictionary, at);
  return at;
}

function encode(block: Uint8Array, c: Case, room = block.length + 4 * c.streams): Uint8Array | number {
  memory.reset();
  setFilters(c.slots);
  const n = block.length;
  const from = memory.input(block);
  const reference = c.reference === undefined ? 0 : memory.input(c.reference);
  const [scratch, other] = [memory.output(n), memory.output(n)];
  const filtered = memory.output(n + c.streams * PLANE_GAP);
  const to = memory.output(room);
  const dictionary = placeDictionary(c.dictionary, n);
  const length = memory.run(() =>
    k.encodeBlock(
      ...([from, n, c.typesize, c.superChunkTypesize, c.streams, c.codec, c.level, 1, c.bare ? 1 : 0] as const),
      ...([reference, scratch, other, filtered, to, room, dictionary, c.dictionary.length] as const),
    ),
  );
  return length < 0 ? length : memory.bytes(to, length);
}

function decode(
  encoded: Uint8Array,
  n: number,
  c: Case,
  from = 0,
  to = n,
  format = c.codec === 0 ? 0 : 1,
): Uint8Array | number {
  memory.reset();
  setFilters(c.slots);
  const source = memory.input(encoded);
  const reference = c.reference === undefined ? 0 : memory.input(c.reference);
  const scratch = memory.output(n + c.streams * PLANE_GAP);
  const other = memory.output(n);
  const target = memory.output(n);
  const dictionary = placeDictionary(c.dictionary, n);
  const status = memory.run(() =>
    k.decodeBlock(
      ...([source, source + encoded.length, n, c.typesize, c.superChunkTypesize, 5, c.streams] as const),
      ...([c.bare ? 1 : 0, format, from, to, reference, scratch, other, target] as const),
      ...([dictionary, c.dictionary.length] as const),
    ),
  );
  return status < 0 ? status : memory.bytes(target + from, to - from);
}

const slot: fc.Arbitrary<Slot> = fc.constantFrom<Slot[]>([1, 0], [1, 3], [2, 0], [3, 0], [35, 0], [35, 5], [0, 0]);

const anyCase: fc.Arbitrary<[Uint8Array, Case]> = fc
  .record({
    typesize: fc.constantFrom(1, 2, 3, 4, 7, 8, 12, 16, 24, 64),
    slots: fc.oneof(fc.constant<Slot[]>([[1, 0]]), fc.array(slot, { maxLength: 6 })),
    split: fc.boolean(),
    codec: fc.integer({ min: 0, max: 2 }),
    level: fc.integer({ min: 1, max: 9 }),
    bare: fc.boolean(),
    items: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 41, max: 700 })),
    rest: fc.nat(),
    withReference: fc.boolean(),
    withDictionary: fc.boolean(),
    seed: fc.integer(),
  })
  .map((r) => {
    const split = r.split && !r.bare;
    const length = r.items * r.typesize + (split ? 0 : r.rest % r.typesize);
    const block = walk(length, r.typesize, r.seed);
    return [
      block,
      {
        ...r,
        superChunkTypesize: r.typesize,
        streams: split ? r.typesize : 1,
        reference: r.withReference ? walk(length, r.typesize, r.seed + 1) : undefined,
        dictionary: r.withDictionary && r.codec > 0 ? block.slice(0, length >> 1) : NOTHING,
      },
    ];
  });

describe("whole blocks", () => {
  test("encode to what the model reads and decode to what they were, in any part", () => {
    fc.assert(
      fc.property(anyCase, fc.nat(), fc.nat(), ([block, c], a, b) => {
        const encoded = encode(block, c) as Uint8Array;
        const filtered = filterModel(c.slots, block, c);
        if (!c.bare) {
          expectSame(decodeStreamsModel(encoded, block.length, c.streams, c.codec, c.dictionary), filtered);
        } else if (encoded.length === block.length) {
          expectSame(encoded, filtered);
        }
        expectSame(decode(encoded, block.length, c), block);
        const from = Math.min(a, b) % (block.length + 1);
        const to = from + (Math.max(a, b) % (block.length - from + 1));
        expectSame(decode(encoded, block.length, c, from, to), block.slice(from, to));
      }),
      { numRuns: 600 },
    );
  });

  test("every part of a small split block", () => {
    const block = walk(4 * 40, 4, 1);
    const encoded = encode(block, SIMPLE) as Uint8Array;
    for (let from = 0; from <= block.length; from += 3) {
      for (let to = from; to <= block.length; to++) {
        expectSame(decode(encoded, block.length, SIMPLE, from, to), block.slice(from, to));
      }
    }
  });

  test("truncated precision is kept through encoding, and not undone", () => {
    const block = noise(800, 4);
    for (const slots of [
      [[4, 10]],
      [
        [36, 9],
        [1, 0],
      ],
    ] as Slot[][]) {
      const c: Case = { ...SIMPLE, slots, streams: slots.length === 1 ? 1 : 4 };
      const encoded = encode(block, c) as Uint8Array;
      const truncated = filterModel(slots.slice(0, 1), block, c);
      expectSame(decode(encoded, block.length, c), truncated);
    }
  });

  test("a block of zeros is all zero runs, and only that one says so", () => {
    const encoded = encode(new Uint8Array(400), SIMPLE) as Uint8Array;
    expect(encoded).toEqual(new Uint8Array(16));
    expect(k.encodedAllZeros()).toBe(1);
    const block = new Uint8Array(400);
    block[399] = 1;
    encode(block, SIMPLE);
    expect(k.encodedAllZeros()).toBe(0);
  });

  test("equal bytes become a run with its token", () => {
    const encoded = encode(new Uint8Array(400).fill(0xfe), { ...SIMPLE, streams: 1 }) as Uint8Array;
    expect(encoded).toEqual(Uint8Array.from([2, 0xff, 0xff, 0xff, 1]));
  });

  test("no room, no write outside", () => {
    const block = walk(4 * 300, 4, 2);
    const full = encode(block, SIMPLE) as Uint8Array;
    for (let room = 0; room < full.length; room++) {
      expect(encode(block, SIMPLE, room)).toBe(KERNEL_ERRORS.DOES_NOT_FIT);
    }
    expectSame(encode(block, SIMPLE, full.length + 32), full);
  });

  test("what was encoded before does not matter", () => {
    fc.assert(
      fc.property(anyCase, anyCase, ([block, c], [otherBlock, otherCase]) => {
        const first = encode(block, c);
        encode(otherBlock, otherCase);
        expectSame(encode(block, c), first);
      }),
      { numRuns: 60 },
    );
  });

  test("chunks of version 2 have bitshuffled only blocks of a multiple of 8 elements", () => {
    const block = noise(4 * 20, 2);
    memory.reset();
    setFilters([[2, 0]]);
    const [source, scratch, other, target] = [
      memory.input(block),
      memory.output(80),
      memory.output(80),
      memory.output(80),
    ];
    memory.run(() => k.backwardFilters(4, 4, 2, block.length, source, 0, scratch, other, target));
    expectSame(memory.bytes(target, 80), block);
  });
});

describe("malformed blocks", () => {
  const block = walk(4 * 100, 4, 3);
  let encoded: Uint8Array;

  beforeEach(() => {
    encoded = encode(block, SIMPLE) as Uint8Array;
  });

  test("a raw, a coded and two run streams are what this block has", () => {
    const view = new DataView(encoded.buffer);
    expect(view.getInt32(0, true)).toBe(100);
    const coded = view.getInt32(104, true);
    expect(coded).toBeGreaterThan(0);
    expect(coded).toBeLessThan(100);
    expect(view.getInt32(108 + coded, true)).toBe(-7);
    expect(view.getInt32(113 + coded, true)).toBe(0);
  });

  test.each([
    ["csize cut", (b: Uint8Array) => b.slice(0, 3), KERNEL_ERRORS.FIELD_TRUNCATED, 0],
    ["stream cut", (b: Uint8Array) => b.slice(0, 50), KERNEL_ERRORS.STREAM_TRUNCATED, 0],
    ["last csize cut", (b: Uint8Array) => b.slice(0, -1), KERNEL_ERRORS.FIELD_TRUNCATED, 3],
    ["token cut", (b: Uint8Array) => b.slice(0, -5), KERNEL_ERRORS.FIELD_TRUNCATED, 2],
    ["token bit 0 clear", (b: Uint8Array) => b.fill(2, b.length - 5, b.length - 4), KERNEL_ERRORS.TOKEN_INVALID, 2],
    ["csize -256", (b: Uint8Array) => b.fill(0xff, 0, 4).fill(0, 0, 1), KERNEL_ERRORS.CSIZE_INVALID, 0],
    ["csize 2^31 - 1", (b: Uint8Array) => b.fill(0xff, 0, 3).fill(0x7f, 3, 4), KERNEL_ERRORS.STREAM_TRUNCATED, 0],
    ["stream changed", (b: Uint8Array) => b.fill(0, 108, 112), KERNEL_ERRORS.STREAM_MALFORMED, 1],
  ])("%s", (_what, change, status, stream) => {
    expect(decode(change(encoded.slice()), block.length, SIMPLE)).toBe(status);
    expect(k.failedStream()).toBe(stream);
  });

  test("streams that are not equal or are empty", () => {
    expect(decode(encoded, 3, SIMPLE)).toBe(KERNEL_ERRORS.STREAMS_UNEQUAL);
    expect(decode(encoded, 401, SIMPLE)).toBe(KERNEL_ERRORS.STREAMS_UNEQUAL);
    expect(decode(encoded, 0, SIMPLE)).toBe(KERNEL_ERRORS.STREAMS_UNEQUAL);
  });

  test("codecs and filters that the kernels lack", () => {
    expect(decode(encoded, block.length, SIMPLE, 0, block.length, 4)).toBe(KERNEL_ERRORS.NOT_IN_KERNELS);
    expect(encode(block, { ...SIMPLE, codec: 5 })).toBe(KERNEL_ERRORS.NOT_IN_KERNELS);
    for (const id of [5, 32, 34, 160]) {
      expect(decode(encoded, block.length, { ...SIMPLE, slots: [[id, 0]] })).toBe(KERNEL_ERRORS.NOT_IN_KERNELS);
      expect(encode(block, { ...SIMPLE, slots: [[id, 0]] })).toBe(KERNEL_ERRORS.NOT_IN_KERNELS);
    }
  });

  test("any bytes give a block or a status, and nothing is written outside", () => {
    fc.assert(
      fc.property(
        anyCase,
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 4 }),
        fc.option(fc.nat()),
        fc.nat(),
        fc.nat(),
        ([bytes, c], edits, cut, a, b) => {
          let changed = encode(bytes, c) as Uint8Array;
          for (const [at, value] of edits) changed[at % changed.length] = value;
          if (cut !== null) changed = changed.slice(0, cut % changed.length);
          const whole = decode(changed, bytes.length, c);
          const from = Math.min(a, b) % (bytes.length + 1);
          const to = from + (Math.max(a, b) % (bytes.length - from + 1));
          const part = decode(changed, bytes.length, c, from, to);
          // A part may be fine where the whole is not; but where the whole is, parts agree with it.
          if (typeof whole !== "number") expectSame(part, whole.slice(from, to));
        },
      ),
      { numRuns: 1500 },
    );
  });

  test("any bytes at all", () => {
    fc.assert(
      fc.property(compressible, anyCase, (bytes, [block2, c]) => {
        decode(bytes.slice(0, 2000), block2.length, c);
      }),
      { numRuns: 500 },
    );
  });
});
