import { isBlosc2Error, memory, SChunk } from "@b2frame/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createStore, openStore } from "../src/index.js";
import { codeOf, contentOf, fixtureBytes, putFile } from "./store-fixtures.js";

/** Does all that can be done with a store; throws whatever is not one of our errors. */
function useAll(bytes: Uint8Array): void {
  const backend = memory();
  putFile(backend, "store", bytes);
  try {
    using store = openStore("store", backend);
    for (const key of store.keys()) {
      try {
        store.locate(key);
        contentOf(store, key);
      } catch (error) {
        if (!isBlosc2Error(error)) throw error;
      }
    }
    for (const { key } of store.walk()) if (store.type === "tree") store.attributes(key);
  } catch (error) {
    if (!isBlosc2Error(error)) throw error;
  }
}

describe.each(["dict.b2z", "tree.b2z", "embed.b2e"])("%s, damaged,", (name) => {
  const whole = fixtureBytes(name);

  it("gives only our errors when bytes are changed", () => {
    const position = fc.nat(whole.byteLength - 1);
    fc.assert(
      fc.property(fc.array(fc.tuple(position, fc.nat(255)), { minLength: 1, maxLength: 4 }), (changes) => {
        const bytes = whole.slice();
        for (const [at, value] of changes) bytes[at] = value;
        useAll(bytes);
      }),
      { numRuns: 400 },
    );
  });

  it("gives only our errors when it is cut", () => {
    fc.assert(
      fc.property(fc.nat(whole.byteLength - 1), (length) => useAll(whole.subarray(0, length))),
      { numRuns: 100 },
    );
  });
});

describe("a key map", () => {
  function openWith(metadata: unknown, registry?: unknown): string | undefined {
    const backend = memory();
    {
      using schunk = SChunk.create({ urlpath: "e.b2e", io: backend, typesize: 1 });
      schunk.meta.setValue("b2embed", { version: 1 });
      schunk.appendData(new Uint8Array(100));
      schunk.vlmeta.setValue("estore_metadata", metadata);
      if (registry !== undefined) schunk.vlmeta.setValue("_object_registry", registry);
    }
    return codeOf(() => {
      using store = openStore("e.b2e", backend);
      for (const key of store.keys()) contentOf(store, key);
    });
  }

  it("that says where members and addresses are is read", () => {
    expect(openWith({ embed_map: {}, current_offset: 0 })).toBe(undefined);
    expect(openWith({ embed_map: { "/far": { urlbase: "http://x", path: "a" } }, current_offset: 100 })).toBe(
      undefined,
    );
  });

  it.each([
    ["no map", 3],
    ["no keys", { current_offset: 0 }],
    ["keys in a list", { embed_map: [], current_offset: 0 }],
    ["no end", { embed_map: {} }],
    ["an end past the frame", { embed_map: {}, current_offset: 101 }],
    ["a negative end", { embed_map: {}, current_offset: -1 }],
    ["an entry that is none", { embed_map: { "/a": 1 }, current_offset: 100 }],
    ["an entry without a length", { embed_map: { "/a": { offset: 0 } }, current_offset: 100 }],
    ["a negative offset", { embed_map: { "/a": { offset: -5, length: 5 } }, current_offset: 100 }],
    ["a length past the end", { embed_map: { "/a": { offset: 90, length: 11 } }, current_offset: 100 }],
    ["a length of 2^60", { embed_map: { "/a": { offset: 0, length: 2n ** 60n } }, current_offset: 100 }],
    ["bytes that are no frame", { embed_map: { "/a": { offset: 0, length: 100 } }, current_offset: 100 }],
  ])("with %s is refused", (_, metadata) => {
    expect(openWith(metadata)).toMatch(/^BLOSC2_FORMAT_/);
  });

  it("with a registry that is none is refused", () => {
    const metadata = { embed_map: {}, current_offset: 0 };
    expect(openWith(metadata, [1])).toBe("BLOSC2_FORMAT_INVALID");
    expect(openWith(metadata, { "/t": { version: 1 } })).toBe("BLOSC2_FORMAT_INVALID");
    expect(openWith(metadata, { "/t": { kind: "ctable" } })).toBe(undefined);
  });
});

it("an address is listed with its kind and can't be opened", () => {
  const backend = memory();
  createStore("e.b2e", backend).close();
  {
    using schunk = SChunk.open("e.b2e", backend, { mode: "r+" });
    const map = { "/far": { urlbase: "https://example.org", path: "dir/a.b2nd" } };
    schunk.vlmeta.setValue("estore_metadata", { embed_map: map, current_offset: 0 });
  }
  using store = openStore("e.b2e", backend);
  expect(store.kind("/far")).toBe("remote-array");
  expect(store.locate("/far")).toEqual({ storage: "address", path: "https://example.org/dir/a.b2nd" });
  expect(() => store.openArray("/far")).toThrow(/remote-array/);
});
