import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { describeForeignFile, type FileKind, fileKindOf } from "../../src/frame/file-kind.js";
import { asarray, encodeNpy, SChunk } from "../../src/index.js";

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

/** First bytes as the formats' own documents have them. */
const FILES: readonly (readonly [FileKind, Uint8Array])[] = [
  ["frame", SChunk.create({ data: new Uint8Array(9) }).toCframe()],
  ["npy", encodeNpy(asarray([1, 2]).get([]))],
  ["gzip", gzipSync("x")],
  ["hdf5", Uint8Array.of(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a, 0)],
  ["zip", Uint8Array.of(0x50, 0x4b, 3, 4, 0)],
  ["zip", Uint8Array.of(0x50, 0x4b, 5, 6, 0)],
  ["html", text("<!DOCTYPE html><title>404")],
  ["html", text("\ufeff\n <HTML>")],
  ["xml", text('<?xml version="1.0"?><Error>')],
  ["json", text('{"zarr_format": 3}')],
  ["lfs-pointer", text("version https://git-lfs.github.com/spec/v1\n")],
  ["empty", new Uint8Array(0)],
  ["zeros", new Uint8Array(100)],
  ["other", text("hello")],
];

it.each(FILES)("tells %s by its first bytes", (kind, bytes) => {
  expect(fileKindOf(bytes, bytes.byteLength)).toBe(kind);
});

it("tells a chunk without a frame by its own length", () => {
  using schunk = SChunk.create({ data: new Uint8Array(100).map((_, i) => i) });
  const chunk = schunk.getChunk(0);
  expect(fileKindOf(chunk, chunk.byteLength)).toBe("blosc-chunk");
  expect(fileKindOf(chunk, chunk.byteLength + 1)).toBe("other");
});

it.each(FILES)("says in one clause what %s is and what to do, wherever a frame is expected", (kind, bytes) => {
  const advice = describeForeignFile(kind);
  if (advice === undefined) return expect(["frame", "other"]).toContain(kind);
  expect(advice).toMatch(/^[a-zA-Z][^\n]+: [^\n]+$/);
  expect(() => SChunk.fromCframe(bytes)).toThrow(`expected a Blosc2 frame, found ${advice}`);
});
