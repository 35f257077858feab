/** Bytes that compress in the ways that numeric data does. @module */
import { noise } from "@b2frame/test-kit";
import fc from "fast-check";

/** One piece of a buffer: random bytes, a run, a short period, a repeat of what came before, a small-step walk. */
interface Piece {
  readonly kind: number;
  readonly length: number;
  readonly seed: number;
}

const piece: fc.Arbitrary<Piece> = fc.record({
  kind: fc.integer({ min: 0, max: 4 }),
  length: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 3000 })),
  seed: fc.integer({ min: 1, max: 0x7fffffff }),
});

function build(pieces: readonly Piece[]): Uint8Array {
  const out: number[] = [];
  for (const { kind, length, seed } of pieces) {
    let state = seed;
    const next = (): number => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return state >>> 16;
    };
    const period = 1 + (seed % 20);
    const start = out.length;
    const back = out.length === 0 ? 0 : 1 + (seed % out.length);
    for (let i = 0; i < length; i++) {
      if (kind === 0) out.push(next() & 0xff);
      else if (kind === 1) out.push(seed & 0xff);
      else if (kind === 2) out.push(i < period ? next() & 0xff : out[start + i - period]!);
      else if (kind === 3 && back > 0) out.push(out[out.length - back]!);
      else out.push(((out[out.length - 1] ?? 0) + (next() % 3)) & 0xff);
    }
  }
  return Uint8Array.from(out);
}

/** Compressible and incompressible buffers of 0 to some 20,000 bytes. */
export const compressible: fc.Arbitrary<Uint8Array> = fc.array(piece, { maxLength: 14 }).map(build);

/** Typesizes with code of their own, and all kinds of others. */
export const typesizes: readonly number[] = [...Array.from({ length: 33 }, (_, i) => i + 1), 64, 131, 255];

/** A typesize and a length with every kind of remainder. */
export const typesizeAndBytes: fc.Arbitrary<[number, Uint8Array]> = fc.constantFrom(...typesizes).chain((typesize) =>
  fc.tuple(
    fc.constant(typesize),
    fc
      .tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: typesize - 1 }), fc.integer())
      .map(([items, rest, seed]) => noise(items * typesize + rest, seed)),
  ),
);
