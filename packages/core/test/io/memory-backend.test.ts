import { describe, expect, it } from "vitest";
import { memory, memoryHandle } from "../../src/index.js";

describe("memory", () => {
  it("keeps the files of two backends apart", () => {
    const first = memory();
    first.open("a", "w+").close();
    expect(first.exists("a")).toBe(true);
    expect(memory().exists("a")).toBe(false);
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 53])("refuses a largest size of %s", (maxFileSize) => {
    expect(() => memory({ maxFileSize })).toThrow(expect.objectContaining({ code: "BLOSC2_ARGUMENT_INVALID" }));
  });

  it("says so when the runtime has no buffer as large as allowed", () => {
    const handle = memory({ maxFileSize: 2 ** 53 - 1 }).open("a", "w+");
    handle.write(0, Uint8Array.of(1, 2, 3));
    expect(() => handle.write(2 ** 50, Uint8Array.of(1))).toThrow(
      expect.objectContaining({ code: "BLOSC2_LIMIT_EXCEEDED" }),
    );
    expect(handle.size()).toBe(3);
    expect(handle.read(0, 3)).toEqual(Uint8Array.of(1, 2, 3));
  });
});

describe("memoryHandle", () => {
  it("reads the caller's bytes without copying them", () => {
    const bytes = Uint8Array.of(1, 2, 3, 4);
    const handle = memoryHandle(bytes.subarray(1));
    const view = handle.read(1, 2);
    expect(view).toEqual(Uint8Array.of(3, 4));
    expect(view.buffer).toBe(bytes.buffer);
    expect(() => handle.write(0, bytes)).toThrow(expect.objectContaining({ code: "BLOSC2_IO_READ_ONLY" }));
    expect(() => handle.read(0, 4)).toThrow(expect.objectContaining({ code: "BLOSC2_IO_SHORT_READ" }));
  });

  it("c leaves the caller's bytes alone", () => {
    const bytes = Uint8Array.of(1, 2, 3);
    const handle = memoryHandle(bytes, { mode: "c" });
    handle.write(1, Uint8Array.of(9, 9, 9));
    expect(handle.read(0, 4)).toEqual(Uint8Array.of(1, 9, 9, 9));
    expect(bytes).toEqual(Uint8Array.of(1, 2, 3));
  });

  it("r+ writes into the caller's bytes while they fit, and into a copy afterwards", () => {
    const bytes = Uint8Array.of(1, 2, 3);
    const handle = memoryHandle(bytes, { mode: "r+" });
    handle.write(0, Uint8Array.of(7));
    expect(bytes[0]).toBe(7);
    handle.write(3, Uint8Array.of(8));
    handle.write(0, Uint8Array.of(6));
    expect(bytes[0]).toBe(7);
    expect(handle.read(0, 4)).toEqual(Uint8Array.of(6, 2, 3, 8));
  });
});
