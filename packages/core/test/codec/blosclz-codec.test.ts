import { noise } from "@b2frame/test-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blosclzCodec } from "../../src/codec/blosclz-codec.js";
import { compressed, contextOf, decompressed, expectRoundTrip, GuardedMemory } from "./codec-suite.js";

const hex = (value: string): Uint8Array => Uint8Array.from(Buffer.from(value, "hex"));

describe("BloscLZ streams", () => {
  it.each([
    ["literals", "02010203", "010203"],
    ["literals whose first control has its high bits set", "e2010203", "010203"],
    ["a near match", "00612000007a", "616161617a"],
    ["a match of 8 bytes at distance 2", "016162c001007a", "616261626162616261627a"],
    ["a long match", "0061e00100007a", `61${"61".repeat(10)}7a`],
    ["a very long match", "0061e0ff0000007a", `61${"61".repeat(9 + 255)}7a`],
  ])("%s", (_name, stream, expected) => {
    const bytes = hex(expected);
    expect(decompressed(blosclzCodec, hex(stream), bytes.byteLength, contextOf(5))).toEqual(bytes);
  });

  it("reads near distance 8191 and far distances 8192 and 73727", () => {
    for (const [code, distance] of [
      [[0x3f, 0xfe], 8191],
      [[0x3f, 0xff, 0x00, 0x00], 8192],
      [[0x3f, 0xff, 0xff, 0xff], 73_727],
    ] as const) {
      const history = noise(73_728, 21);
      const stream: number[] = [];
      for (let at = 0; at < history.byteLength; at += 32) stream.push(31, ...history.subarray(at, at + 32));
      stream.push(...code, 0, 0x7a);
      const start = history.byteLength - distance;
      const expected = Uint8Array.from([...history, ...history.subarray(start, start + 3), 0x7a]);
      const decoded = decompressed(blosclzCodec, Uint8Array.from(stream), expected.byteLength, contextOf(5));
      expect(Buffer.compare(decoded, expected)).toBe(0);
    }
  });

  it.each([
    ["a match before the start", "006120017a", 5],
    ["literals past the end", "0501", 6],
    ["literals past the target", "02010203", 2],
    ["a length that never ends", "0061e0ffff", 600],
    ["a far match cut short", "00613fff00", 9],
    ["an end on a match", "00612000", 4],
    ["a match past the target", "0061e0ff00007a", 20],
    ["a lone control byte", "20", 1],
    ["nothing", "", 1],
  ])("refuses %s", (_name, stream, byteLength) => {
    const memory = new GuardedMemory(byteLength);
    expect(() => blosclzCodec.decompress(hex(stream), memory.inner, contextOf(5))).toThrowError(/^blosclz stream/);
    memory.expectIntact();
  });
});

describe("the BloscLZ writer", () => {
  it("stores what is shorter than 16 bytes, or has less than 66 bytes of room, raw", () => {
    expect(compressed(blosclzCodec, new Uint8Array(15), 100, contextOf(5))).toBeUndefined();
    expect(compressed(blosclzCodec, new Uint8Array(100), 65, contextOf(5))).toBeUndefined();
    expect(compressed(blosclzCodec, new Uint8Array(100), 66, contextOf(5))).toBeDefined();
  });

  it("starts with marked literals", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 300 }), (source) => {
        const stream = expectRoundTrip(blosclzCodec, source, contextOf(5));
        if (stream !== undefined) expect(stream[0] & 0xe0).toBe(0x20);
      }),
    );
  });

  it("finds matches at every distance up to its farthest", () => {
    for (const distance of [1, 2, 255, 256, 7935, 7936, 8190, 8191, 8192, 8193, 20_000, 73_725, 73_726, 80_000]) {
      const source = new Uint8Array(distance + 200);
      source.set(noise(distance, 33));
      source.copyWithin(distance, 0, 200);
      for (const clevel of [1, 5, 9]) expectRoundTrip(blosclzCodec, source, contextOf(clevel));
    }
  });

  it("writes match lengths across the borders of their coding", () => {
    for (let run = 1; run < 600; run++) {
      const source = Uint8Array.from([...noise(40, 5), ...new Uint8Array(run), ...noise(40, 6)]);
      expectRoundTrip(blosclzCodec, source, contextOf(9));
    }
  });
});
