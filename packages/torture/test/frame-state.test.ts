import { crc32 } from "node:zlib";
import { asarray, memory, SChunk } from "@b2frame/core";
import { describe, expect, it } from "vitest";
import { readState, requireOneOf } from "../src/frame-state.js";

describe("the state of a frame", () => {
  it("is its chunks and vlmetalayers, without those of the checksums", () => {
    const backend = memory();
    const s = SChunk.create({ urlpath: "f", io: backend, chunksize: 4, checksum: true });
    s.appendData(Uint8Array.of(1, 2, 3, 4));
    s.vlmeta.setValue("a", 7);
    s.close();
    expect(readState("f", backend, "contiguous")).toEqual({
      parts: [crc32(Uint8Array.of(1, 2, 3, 4))],
      vlmeta: { a: 7 },
    });
  });

  it("of an array is its rows", () => {
    const backend = memory();
    asarray(Int32Array.of(1, 2, 3, 4), { shape: [2, 2], urlpath: "a", io: backend }).close();
    const rows = [Int32Array.of(1, 2), Int32Array.of(3, 4)].map((row) => crc32(new Uint8Array(row.buffer)));
    expect(readState("a", backend, "array").parts).toEqual(rows);
  });

  it("is not read from a damaged frame", () => {
    const backend = memory();
    SChunk.create({ urlpath: "f", io: backend, data: new Uint8Array(100).fill(3) }).close();
    const handle = backend.open("f", "r+");
    handle.truncate(handle.size() - 1);
    handle.close();
    expect(() => readState("f", backend, "contiguous")).toThrow("verify");
  });

  it("must be one of those allowed", () => {
    const state = { parts: [1, 2], vlmeta: { a: 1 } };
    expect(() => requireOneOf(state, [{ parts: [2, 1], vlmeta: { a: 1 } }, state], "reader")).not.toThrow();
    expect(() => requireOneOf(state, [{ parts: [1, 2], vlmeta: { a: 2 } }], "reader")).toThrow("reader: found 2 parts");
  });
});
