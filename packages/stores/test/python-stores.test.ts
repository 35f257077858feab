import { frameKindOf, isBlosc2Error, memory } from "@b2frame/core";
import { mmap } from "@b2frame/io-mmap";
import { stdio } from "@b2frame/io-stdio";
import { describe, expect, it } from "vitest";
import { openStore } from "../src/index.js";
import { contentOf, expectedStores, fixtureBytes, fixturePath, putFile } from "./store-fixtures.js";

const TYPES = { TreeStore: "tree", DictStore: "dict", EmbedStore: "embed" } as const;
const KINDS: Readonly<Record<string, string>> = {
  TreeStore: "group",
  BatchArray: "batch-array",
  ObjectArray: "object-array",
  CTable: "table",
};

const places = Object.keys(expectedStores).flatMap((name) =>
  [stdio(), mmap()]
    .filter((backend) => !name.endsWith(".b2d") || backend.directories !== undefined)
    .map((backend) => ({ name, backend, title: `${name} with ${backend.name}` })),
);

describe.each(places)("$title", ({ name, backend }) => {
  const expected = expectedStores[name]!;

  it("has the members that python-blosc2 finds, with their content", () => {
    using store = openStore(fixturePath(name), backend);
    expect(store.type).toBe(TYPES[expected.type as keyof typeof TYPES]);
    expect(name.endsWith(store.format)).toBe(true);
    const groups = Object.keys(expected.members).filter((key) => expected.members[key]!.type === "TreeStore");
    expect(store.keys()).toEqual(
      Object.keys(expected.members)
        .filter((key) => !groups.includes(key))
        .sort(),
    );
    for (const [key, { type, ...content }] of Object.entries(expected.members)) {
      expect(store.has(key), key).toBe(true);
      expect(store.has(key.slice(1)), key).toBe(true);
      if (type === undefined) expect(contentOf(store, key), key).toEqual(content);
      else expect(store.kind(key), key).toBe(KINDS[type]);
    }
  });

  it("refuses the members that are no arrays by kind, and opens Python objects as super-chunks", () => {
    using store = openStore(fixturePath(name), backend);
    for (const [key, { type }] of Object.entries(expected.members)) {
      if (type === undefined || type === "TreeStore") continue;
      const code = type === "CTable" ? "BLOSC2_UNSUPPORTED" : "BLOSC2_ARGUMENT_INVALID";
      expect(() => store.openArray(key)).toThrow(
        expect.objectContaining({ code, message: expect.stringContaining(KINDS[type]!) }),
      );
      if (type === "CTable") continue;
      using schunk = store.openSChunk(key);
      expect(frameKindOf(schunk)).toBe(KINDS[type]);
    }
  });

  it("is walked as python-blosc2 walks it", () => {
    using store = openStore(fixturePath(name), backend);
    if (expected.walk === undefined) return;
    const walked = [...store.walk()].map(({ key, groups, members }) => [key, groups, members]);
    expect(walked).toEqual(expected.walk);
    for (const [key, groups, members] of expected.walk) {
      const prefix = key === "/" ? "/" : `${key}/`;
      expect(store.children(key)).toEqual([...groups, ...members].map((child) => prefix + child).sort());
    }
  });

  it("has its attributes", () => {
    using store = openStore(fixturePath(name), backend);
    for (const [group, attributes] of Object.entries(expected.attributes ?? {})) {
      expect(Object.fromEntries(store.attributes(group))).toEqual(attributes);
    }
  });
});

describe("members", () => {
  it("of a table can be opened one by one", () => {
    using store = openStore(fixturePath("tree.b2z"), stdio());
    using column = store.openArray("/tab/_cols/x");
    expect([...(column.getSlice([0], [2]).data as BigInt64Array)]).toEqual([1n, -7n]);
    expect(store.keys()).not.toContain("/tab/_cols/x");
  });

  it("stay open when the store is closed", () => {
    for (const backend of [stdio(), mmap()]) {
      const store = openStore(fixturePath("tree.b2z"), backend);
      using array = store.openArray("/a");
      store.close();
      expect([...(array.getSlice([2], [4]).data as Int32Array)]).toEqual([2, 3]);
      expect(() => store.keys()).toThrow(expect.objectContaining({ code: "BLOSC2_IO_CLOSED" }));
    }
  });

  it("are located: the bytes there are a frame", () => {
    const backend = memory();
    putFile(backend, "t.b2z", fixtureBytes("tree.b2z"));
    using store = openStore("t.b2z", backend);
    const { storage, path, position, byteLength } = store.locate("/g/b");
    expect([storage, path]).toEqual(["file", "t.b2z"]);
    const frame = fixtureBytes("tree.b2z").subarray(position, position! + byteLength!);
    expect(Buffer.from(frame.subarray(2, 9)).toString()).toBe("b2frame");
    putFile(backend, "d.b2z", fixtureBytes("dict.b2z"));
    using dict = openStore("d.b2z", backend);
    expect(dict.locate("/small")).toMatchObject({ storage: "embedded", path: "d.b2z" });
  });

  it("that are compressed are refused by name, and the others are read", () => {
    using store = openStore(fixturePath("deflated.b2z"), stdio());
    expect(store.keys()).toContain("/deep/large");
    expect(contentOf(store, "/small")).toEqual(expectedStores["dict.b2z"]!.members["/small"]);
    expect(() => store.openArray("/deep/large")).toThrow(/member "deep\/large\.b2nd" is compressed \(deflate\)/);
  });

  it("are opened for reading only in a .b2z", () => {
    using store = openStore(fixturePath("tree.b2z"), stdio());
    expect(() => store.openArray("/a", { mode: "r+" })).toThrow(
      expect.objectContaining({ code: "BLOSC2_IO_READ_ONLY" }),
    );
    using array = store.openArray("/a");
    expect(() => array.set([0], 1)).toThrow(expect.objectContaining({ code: "BLOSC2_IO_READ_ONLY" }));
  });

  it("that are not there are named", () => {
    using store = openStore(fixturePath("tree.b2z"), stdio());
    for (const open of [() => store.openArray("/nope"), () => store.kind("nope"), () => store.locate("/g")]) {
      expect(open).toThrow(expect.objectContaining({ code: "BLOSC2_ARGUMENT_OUT_OF_RANGE" }));
    }
    expect(() => store.openArray("/g/h/c")).toThrow(/use openSChunk/);
    expect(() => [...store.walk("/a")]).toThrow(/no group "\/a"/);
  });
});

describe("stores that can't be opened", () => {
  it("a directory, by a backend that has none: names stdio", () => {
    expect(() => openStore(fixturePath("tree.b2d"), mmap())).toThrow(
      expect.objectContaining({ code: "BLOSC2_UNSUPPORTED_BACKEND", message: expect.stringContaining("stdio") }),
    );
  });

  it("a frame that is no store", () => {
    const path = fixturePath("tree.b2d/a.b2nd");
    expect(() => openStore(path, stdio())).toThrow(/b2tree, b2dict or b2embed/);
  });

  it("nothing", () => {
    let error: unknown;
    try {
      openStore(fixturePath("nothing.b2z"), stdio());
    } catch (thrown) {
      error = thrown;
    }
    expect(isBlosc2Error(error, "BLOSC2_IO_NOT_FOUND")).toBe(true);
  });
});
