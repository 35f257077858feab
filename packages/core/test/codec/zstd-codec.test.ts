import { describe, expect, it, vi } from "vitest";
import { CodecRegistry } from "../../src/codec/codec-registry.js";
import { createZstdCodec } from "../../src/codec/create-zstd-codec.js";
import { nextZstdFrame } from "../../src/codec/zstd-frames.js";
import { loadZstd, registerZstd } from "../../src/zstd.js";
import {
  compressed,
  contextOf,
  decompressed,
  expectRoundTrip,
  GuardedMemory,
  structuredInputs,
} from "./codec-suite.js";

const zstd = await loadZstd();
const context = contextOf(5);
const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];

/** A frame of raw blocks, after RFC 8878: no content size unless `declared` (one byte, single segment) is given. */
function rawFrame(content: readonly number[], declared?: number): number[] {
  const header = declared === undefined ? [0x00, 0x50] : [0x20, declared];
  const block = (content.length << 3) | 1;
  return [...MAGIC, ...header, block & 0xff, (block >>> 8) & 0xff, block >>> 16, ...content];
}

function skippable(content: readonly number[]): number[] {
  return [0x5a, 0x2a, 0x4d, 0x18, content.length, 0, 0, 0, ...content];
}

function decode(stream: readonly number[], byteLength: number): number[] {
  return [...decompressed(zstd, Uint8Array.from(stream), byteLength, context)];
}

function expectRefused(stream: readonly number[], byteLength: number, reason: RegExp = /^zstd stream/): void {
  const memory = new GuardedMemory(byteLength);
  expect(() => zstd.decompress(Uint8Array.from(stream), memory.inner, context)).toThrowError(reason);
  memory.expectIntact();
}

describe("zstd frames", () => {
  it("may lack a content size", () => {
    expect(decode(rawFrame([1, 2, 3]), 3)).toEqual([1, 2, 3]);
    expectRefused(rawFrame([1, 2, 3]), 2);
    expectRefused(rawFrame([1, 2, 3]), 4);
  });

  it("may follow each other, with skippable ones between", () => {
    const frames = [
      ...skippable([]),
      ...rawFrame([1, 2]),
      ...skippable([9, 9]),
      ...rawFrame([3], 1),
      ...rawFrame([], 0),
    ];
    expect(decode(frames, 3)).toEqual([1, 2, 3]);
    expectRefused(frames, 2);
    expectRefused(frames, 4);
    expect(decode(skippable([1]), 0)).toEqual([]);
  });

  it("may hold run-length blocks", () => {
    expect(decode([...MAGIC, 0x20, 40, ((40 << 3) & 0xff) | 3, 40 >>> 5, 0, 7], 40)).toEqual(Array(40).fill(7));
  });

  it("of 1 to 8 content size bytes are read", () => {
    for (const [, source] of structuredInputs(70_000)) {
      for (const byteLength of [1, 100, 255, 256, 257, 65_791, 65_792, 70_000]) {
        const stream = expectRoundTrip(zstd, source.subarray(0, byteLength), context);
        expect(stream && nextZstdFrame(stream, 0)?.contentSize).toBe(byteLength);
        expect(stream && nextZstdFrame(stream, 0)?.end).toBe(stream?.byteLength);
      }
    }
    const eight = [...MAGIC, 0xe0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0];
    expect(nextZstdFrame(Uint8Array.from(eight), 0)?.contentSize).toBe(2 ** 33 + 1);
    expectRefused(eight, 1, /found 8589934593/);
  });

  it.each([
    ["trailing byte", [...rawFrame([1, 2, 3]), 0]],
    ["another magic number", [0x29, ...rawFrame([1, 2, 3]).slice(1)]],
    ["a reserved bit", rawFrame([1, 2, 3]).map((byte, at) => (at === 4 ? 0x08 : byte))],
    ["a reserved block type", rawFrame([1, 2, 3]).map((byte, at) => (at === 6 ? byte | 6 : byte))],
    ["a content size that lies low", rawFrame([1, 2, 3], 2)],
    ["a content size that lies high", rawFrame([1, 2, 3], 4)],
    ["a skippable frame that is too long", skippable([1, 2]).map((byte, at) => (at === 4 ? 3 : byte))],
    ["a cut skippable frame", [0x5a, 0x2a, 0x4d, 0x18, 1]],
    ["nothing", []],
  ])("with a %s are refused", (_name, stream) => {
    expectRefused(stream, 3);
    expectRefused(stream, 2);
    expectRefused(stream, 4);
  });

  it("never reach the library when their size can't be right", () => {
    const untouched = createZstdCodec({
      compress: () => new Uint8Array(0),
      decompress: () => {
        throw new Error("called");
      },
    });
    const huge = [...MAGIC, 0xa0, 0xff, 0xff, 0xff, 0x7f, 1, 0, 0];
    expect(() => untouched.decompress(Uint8Array.from(huge), new Uint8Array(100), context)).toThrowError(
      /expected 100 decoded bytes, found 2147483647/,
    );
  });
});

describe("loadZstd", () => {
  it("says by name that WebAssembly is missing or forbidden, and can be called again", async () => {
    const { WebAssembly: real } = globalThis;
    const refusal = (): never => {
      throw new real.CompileError("unsafe-eval is not an allowed source of script");
    };
    vi.resetModules();
    const fresh = await import("../../src/zstd.js");
    const stub = { Module: refusal, compile: () => Promise.reject(new real.CompileError("unsafe-eval")) };
    for (const replacement of [stub, undefined]) {
      vi.stubGlobal("WebAssembly", replacement);
      try {
        await expect(fresh.loadZstd()).rejects.toMatchObject({ code: "BLOSC2_UNSUPPORTED_CODEC" });
        await expect(fresh.registerZstd()).rejects.toThrowError(/^zstd: .*wasm-unsafe-eval/);
        expect(() =>
          fresh.zstdCodec.decompress(Uint8Array.from(rawFrame([1])), new Uint8Array(1), context),
        ).toThrowError(/^zstd: .*wasm-unsafe-eval/);
        expect(() => compressed(fresh.zstdCodec, new Uint8Array(100), 100, context)).toThrowError(/^zstd: /);
      } finally {
        vi.unstubAllGlobals();
      }
    }
    const codec = await fresh.loadZstd();
    expect([...decompressed(codec, Uint8Array.from(rawFrame([1, 2])), 2, context)]).toEqual([1, 2]);
  });

  it("loads once", async () => {
    expect(await loadZstd()).toBe(zstd);
    const registry = new CodecRegistry();
    await registerZstd(registry);
    await registerZstd(registry);
    expect(registry.byName("zstd")).toBe(zstd);
  });

  it("recovers from a failed call", () => {
    const source = structuredInputs(5000)[4][1];
    const stream = compressed(zstd, source, 5000, context);
    if (stream === undefined) throw new Error("expected a stream");
    for (let round = 0; round < 100; round++) {
      const damaged = stream.slice();
      damaged[10 + round] ^= 0xff;
      try {
        zstd.decompress(damaged, new Uint8Array(5000), context);
      } catch {
        // Either outcome will do: only the next call matters.
      }
      expect(Buffer.compare(decompressed(zstd, stream, 5000, context), source)).toBe(0);
    }
  });
});
