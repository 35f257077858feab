import fc from "fast-check";
import { expect, it } from "vitest";
import { PieceReader } from "../../src/command-line/piece-reader.js";

async function* streamOf(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}

it("gives the bytes of the pieces in portions of any size", async () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(pieces, fc.integer({ min: 1, max: 20 }), fc.nat({ max: 12 }), async (given, size, peeked) => {
      const all = given.flatMap((piece) => [...piece]);
      const reader = new PieceReader(streamOf(given));
      expect([...(await reader.peek(peeked))]).toEqual(all.slice(0, peeked));
      const found: number[] = [];
      const target = new Uint8Array(size);
      for (let length = await reader.fill(target); length > 0; length = await reader.fill(target)) {
        found.push(...target.subarray(0, length));
        if (length < size) expect(found).toHaveLength(all.length);
      }
      expect(found).toEqual(all);
    }),
  );
});

it("gives what is left after a peek", async () => {
  const reader = new PieceReader(streamOf([Uint8Array.of(1, 2), Uint8Array.of(3, 4)]));
  await reader.peek(3);
  const rest: number[] = [];
  for await (const piece of reader.rest()) rest.push(...piece);
  expect(rest).toEqual([1, 2, 3, 4]);
});
