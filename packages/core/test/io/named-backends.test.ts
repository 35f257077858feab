import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { asarray } from "../../src/b2nd/create-array.js";
import { openArray } from "../../src/b2nd/open-array.js";
import { memory } from "../../src/io/memory-backend.js";
import { SChunk } from "../../src/super-chunk/super-chunk.js";

type Module = typeof import("../../src/io/named-backends.js");

let named: Module;

beforeEach(async () => {
  vi.resetModules();
  named = await import("../../src/io/named-backends.js");
});
afterAll(() => vi.resetModules());

describe("chooseBackend", () => {
  it("gives a backend that is made already as it is", () => {
    const backend = memory();
    expect(named.chooseBackend({ io: backend })).toBe(backend);
  });

  it("makes a named one once, when it is first asked for, and one more for each call with options", () => {
    const make = vi.fn((_options?: object) => memory());
    named.registerBackend("kept", make);
    expect(make).not.toHaveBeenCalled();
    expect(named.chooseBackend({ io: "kept" })).toBe(named.chooseBackend({ io: "kept" }));
    expect(make).toHaveBeenCalledTimes(1);
    const ioOptions = { readBufferSize: 0 };
    expect(named.chooseBackend({ io: "kept", ioOptions })).not.toBe(named.chooseBackend({ io: "kept" }));
    expect(make).toHaveBeenLastCalledWith(ioOptions);
  });

  it("takes the first that was registered by default", () => {
    named.registerBackend("first", () => memory());
    named.registerBackend("second", () => memory());
    expect(named.chooseBackend({})).toBe(named.chooseBackend({ io: "first" }));
  });

  it("refuses by name what is no backend", () => {
    expect(() => named.chooseBackend({})).toThrowError(/^io: expected a backend \(none is registered by name\)/);
    named.registerBackend("stdio", () => memory());
    expect(() => named.chooseBackend({ io: "mmap" })).toThrowError('io: expected stdio, or a backend, found "mmap"');
    expect(() => named.chooseBackend({ io: 5 as never })).toThrowError(/^io: expected/);
    expect(() => named.chooseBackend({ io: {} as never })).toThrowError(/^io: expected/);
    expect(() => named.chooseBackend({ io: memory(), ioOptions: {} })).toThrowError(/^ioOptions: expected none/);
  });
});

it("the option io says where arrays and super-chunks lie", () => {
  const io = memory();
  asarray([1, 2, 3], { urlpath: "a", io }).close();
  using array = openArray("a", { io });
  using copied = array.copy({ urlpath: "b", io });
  expect(copied.getSlice([1]).toNestedArray()).toEqual([2, 3]);
  expect(io.exists("a") && io.exists("b")).toBe(true);
  expect(() => SChunk.create({ urlpath: "c" })).toThrowError(/^io: expected a backend/);
});
