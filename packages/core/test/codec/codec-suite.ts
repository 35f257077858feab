/** What every codec must do, whoever implements it. @module */
import { noise } from "@b2frame/test-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Codec, CodecContext } from "../../src/codec/codec.js";
import { isBlosc2Error } from "../../src/errors.js";

/** One codec under test. */
export interface CodecSuiteOptions {
  /** For the test names. */
  readonly name: string;
  readonly codec: () => Codec;
  /** Whether any changed byte of a stream is noticed, or only what breaks its structure. */
  readonly checksummed?: boolean;
}

const GUARD = 24;
const GUARD_BYTE = 0x5a;
const CLEVELS = [1, 3, 5, 7, 9];

export function contextOf(clevel: number, dictionary?: Uint8Array): CodecContext {
  return { clevel, typesize: 4, meta: 0, dictionary, geometry: undefined };
}

/** Memory whose edges are checked after use. */
export class GuardedMemory {
  readonly inner: Uint8Array;
  readonly #all: Uint8Array;

  constructor(byteLength: number) {
    this.#all = new Uint8Array(byteLength + 2 * GUARD).fill(GUARD_BYTE);
    this.inner = this.#all.subarray(GUARD, GUARD + byteLength);
  }

  expectIntact(): void {
    const end = this.#all.byteLength - GUARD;
    for (let at = 0; at < GUARD; at++) {
      if (this.#all[at] !== GUARD_BYTE || this.#all[end + at] !== GUARD_BYTE) expect.fail("bytes beside were written");
    }
  }
}

/** As `toEqual`, but fast enough for inner loops. */
function expectSameBytes(found: Uint8Array, expected: Uint8Array, what: string): void {
  if (Buffer.compare(found, expected) !== 0) expect.fail(what);
}

/** Inputs with the structure of real blocks. */
export function structuredInputs(byteLength: number): [string, Uint8Array][] {
  const make = (byteAt: (at: number) => number): Uint8Array => {
    const bytes = new Uint8Array(byteLength);
    for (let at = 0; at < byteLength; at++) bytes[at] = byteAt(at);
    return bytes;
  };
  const text = "It was the best of times, it was the worst of times, it was the age of wisdom, ";
  const noisy = noise(byteLength, 7);
  return [
    ["zeros", make(() => 0)],
    ["one value", make(() => 213)],
    ["a ramp", make((at) => at >>> 3)],
    ["shuffled integers", make((at) => (at < byteLength / 4 ? at : at < byteLength / 2 ? at >>> 8 : 0))],
    ["text", make((at) => text.charCodeAt((at + (at >>> 9)) % text.length))],
    ["a long period", make((at) => noisy[at % 1031])],
    ["a period past 8 KiB", make((at) => noisy[at % 9001])],
    ["noise with gaps", make((at) => ((at >>> 6) & 1 ? noisy[at] : 0))],
    ["noise", noisy],
    ["runs of growing length", make((at) => Math.floor(Math.sqrt(at)))],
  ];
}

/** Compresses into guarded memory; `undefined` when the codec says that it does not fit. */
export function compressed(
  codec: Codec,
  source: Uint8Array,
  room: number,
  context: CodecContext,
): Uint8Array | undefined {
  const before = source.slice();
  const memory = new GuardedMemory(room);
  const written = codec.compress?.(source, memory.inner, context) ?? 0;
  memory.expectIntact();
  expectSameBytes(source, before, "the source was written");
  if (!Number.isInteger(written) || written < 0 || written > room) expect.fail(`compress returned ${written}`);
  return written === 0 ? undefined : memory.inner.slice(0, written);
}

/** Decompresses into guarded memory. */
export function decompressed(codec: Codec, stream: Uint8Array, byteLength: number, context: CodecContext): Uint8Array {
  const memory = new GuardedMemory(byteLength);
  codec.decompress(stream, memory.inner, context);
  memory.expectIntact();
  return memory.inner;
}

export function expectRoundTrip(codec: Codec, source: Uint8Array, context: CodecContext): Uint8Array | undefined {
  const stream = compressed(codec, source, source.byteLength * 2 + 128, context);
  if (stream === undefined) return undefined;
  const back = decompressed(codec, stream, source.byteLength, context);
  expectSameBytes(back, source, `a round trip of ${source.byteLength} bytes changed them`);
  return stream;
}

/** Runs `decompress`, which may succeed or fail, but only with a CodecError and inside its memory. */
function outcome(codec: Codec, stream: Uint8Array, byteLength: number, context: CodecContext): Uint8Array | undefined {
  const memory = new GuardedMemory(byteLength);
  try {
    codec.decompress(stream, memory.inner, context);
    return memory.inner;
  } catch (error) {
    if (!isBlosc2Error(error, "BLOSC2_CODEC_DECOMPRESS")) throw error;
    return undefined;
  } finally {
    memory.expectIntact();
  }
}

function roundTrips(codec: () => Codec): void {
  it("gives back inputs of every length up to 300", () => {
    for (let byteLength = 1; byteLength <= 300; byteLength++) {
      for (const [, source] of structuredInputs(byteLength)) expectRoundTrip(codec(), source, contextOf(5));
    }
  });

  it.each(CLEVELS)("gives back structured inputs at clevel %i", (clevel) => {
    for (const byteLength of [1000, 4096, 32768, 100_003]) {
      for (const [, source] of structuredInputs(byteLength)) expectRoundTrip(codec(), source, contextOf(clevel));
    }
  });

  it("shrinks what has structure", () => {
    for (const [name, source] of structuredInputs(32768)) {
      if (name === "noise" || name === "noise with gaps") continue;
      const stream = compressed(codec(), source, source.byteLength, contextOf(5));
      expect(stream?.byteLength ?? source.byteLength, name).toBeLessThan(source.byteLength / 2);
    }
  });

  it("gives back arbitrary bytes", () => {
    const repeated = fc
      .tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.array(fc.nat(60), { maxLength: 30 }))
      .map(([piece, gaps]) => Uint8Array.from(gaps.flatMap((gap) => [...piece, ...noise(gap % 7, gap)])));
    const inputs = fc.oneof(fc.uint8Array({ maxLength: 600 }), repeated);
    fc.assert(
      fc.property(inputs, fc.integer({ min: 1, max: 9 }), (source, clevel) => {
        expectRoundTrip(codec(), source, contextOf(clevel));
      }),
    );
  });

  it("gives the same stream every time", () => {
    const [, source] = structuredInputs(20_000)[4];
    const first = compressed(codec(), source, source.byteLength, contextOf(5));
    compressed(codec(), noise(5000, 3), 5000, contextOf(5));
    expect(compressed(codec(), source, source.byteLength, contextOf(5))).toEqual(first);
  });
}

function targets(codec: () => Codec): void {
  it("returns 0 for every target that is too small", () => {
    for (const [, source] of structuredInputs(600)) {
      const full = compressed(codec(), source, 2000, contextOf(5));
      for (let room = 0; room < (full?.byteLength ?? 600); room++) {
        if (compressed(codec(), source, room, contextOf(5)) !== undefined) expect.fail(`it fits ${room} bytes`);
      }
    }
  });

  it("refuses to decode to another length", () => {
    for (const [, source] of structuredInputs(2000)) {
      const stream = compressed(codec(), source, 4000, contextOf(5));
      if (stream === undefined) continue;
      for (const byteLength of [0, 1, 1000, 1999, 2001, 2255, 4000]) {
        expect(outcome(codec(), stream, byteLength, contextOf(5))).toBeUndefined();
      }
    }
  });
}

function malformed(codec: () => Codec, checksummed: boolean): void {
  it("refuses a stream cut at any length", () => {
    for (const [, source] of structuredInputs(500)) {
      const stream = compressed(codec(), source, 1000, contextOf(5));
      if (stream === undefined) continue;
      for (let length = 0; length < stream.byteLength; length++) {
        if (outcome(codec(), stream.subarray(0, length), 500, contextOf(5)) !== undefined)
          expect.fail(`cut at ${length}`);
      }
    }
  });

  it("fails only with a CodecError on arbitrary bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(400), (stream, byteLength) => {
        outcome(codec(), stream, byteLength, contextOf(5));
      }),
      { numRuns: 1000 },
    );
  });

  it("fails only with a CodecError on a stream with changed bytes", () => {
    const streams = structuredInputs(900)
      .map(([, source]) => ({ source, stream: compressed(codec(), source, 2000, contextOf(5)) }))
      .filter((entry): entry is { source: Uint8Array; stream: Uint8Array } => entry.stream !== undefined);
    const edits = fc.array(fc.tuple(fc.nat(1999), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.nat(streams.length - 1), edits, (which, changes) => {
        const { source, stream } = streams[which];
        const damaged = stream.slice();
        for (const [at, flip] of changes) damaged[at % damaged.byteLength] ^= flip;
        const result = outcome(codec(), damaged, source.byteLength, contextOf(5));
        if (checksummed && result !== undefined) expect(Buffer.compare(result, source)).toBe(0);
      }),
      { numRuns: 1000 },
    );
  });
}

function dictionaries(codec: () => Codec): void {
  const records = structuredInputs(60_000)[4][1];
  const samples = [0, 1, 2, 3].map((part) => records.subarray(part * 15_000, part * 15_000 + 15_000));
  const trained = (): Uint8Array => {
    const dictionary = codec().trainDictionary?.(samples, 1024);
    if (dictionary === undefined) throw new Error("expected a dictionary");
    return dictionary;
  };

  it("makes a dictionary of at most the size asked for", () => {
    for (const size of [256, 500, 1024, 4096]) {
      expect(codec().trainDictionary?.(samples, size)?.byteLength ?? 0).toBeLessThanOrEqual(size);
    }
    expect(trained().byteLength).toBeGreaterThan(200);
    expect(codec().trainDictionary?.(samples, 100)).toBeUndefined();
    expect(codec().trainDictionary?.([], 1024)).toBeUndefined();
  });

  it("gives back inputs with a dictionary, at all lengths and levels", () => {
    const dictionary = trained();
    for (let byteLength = 1; byteLength <= 200; byteLength++) {
      expectRoundTrip(codec(), records.subarray(300, 300 + byteLength), contextOf(5, dictionary));
    }
    for (const clevel of CLEVELS) {
      for (const [, source] of structuredInputs(20_000))
        expectRoundTrip(codec(), source, contextOf(clevel, dictionary));
    }
  });

  it("shrinks small inputs better with a dictionary", () => {
    const dictionary = trained();
    const source = records.subarray(20_000, 20_150);
    const without = compressed(codec(), source, 1000, contextOf(5))?.byteLength ?? source.byteLength;
    const having = compressed(codec(), source, 1000, contextOf(5, dictionary))?.byteLength ?? source.byteLength;
    expect(having).toBeLessThan(without * 0.7);
  });

  it("follows a dictionary whose bytes change in place", () => {
    const dictionary = trained();
    const source = records.subarray(20_000, 22_000);
    expectRoundTrip(codec(), source, contextOf(5, dictionary));
    dictionary.set(noise(dictionary.byteLength, 5));
    expectRoundTrip(codec(), source, contextOf(5, dictionary));
    expectRoundTrip(codec(), source, contextOf(5));
  });

  it("fails only with a CodecError when the dictionary is missing or damaged", () => {
    const dictionary = trained();
    const source = records.subarray(20_000, 20_400);
    const stream = compressed(codec(), source, 1000, contextOf(5, dictionary));
    if (stream === undefined) throw new Error("expected a stream");
    expect(outcome(codec(), stream, 400, contextOf(5))).toBeUndefined();
    outcome(codec(), stream, 400, contextOf(5, dictionary.subarray(40)));
    outcome(codec(), stream, 400, contextOf(5, noise(dictionary.byteLength, 9)));
    for (let length = 0; length < stream.byteLength; length++) {
      const cut = stream.subarray(0, length);
      if (outcome(codec(), cut, 400, contextOf(5, dictionary)) !== undefined) expect.fail(`cut at ${length}`);
    }
  });
}

/** Registers the tests of one codec. Dictionaries are tested if the codec claims them. */
export function runCodecSuite({ name, codec, checksummed = false }: CodecSuiteOptions): void {
  describe(`${name}: round trips`, () => roundTrips(codec));
  describe(`${name}: targets`, () => targets(codec));
  describe(`${name}: malformed streams`, () => malformed(codec, checksummed));
  if (codec().dictionaries) describe(`${name}: dictionaries`, () => dictionaries(codec));
}
