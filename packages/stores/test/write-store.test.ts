import { inspect } from "node:util";
import { asarray, memory, NDArray, SChunk } from "@b2frame/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createStore, openStore, type Store, type StoreFormat } from "../src/index.js";
import {
  codeOf,
  contentOf,
  directoryInMemory,
  expectedStores,
  fixtureBytes,
  getFile,
  memoryWithDirectories,
  numbersOf,
  putFile,
} from "./store-fixtures.js";

const FORMATS: readonly StoreFormat[] = ["b2z", "b2d", "b2e"];

describe.each(FORMATS)("a new .%s", (format) => {
  const path = `new.${format}`;

  it("keeps values, arrays and super-chunks", () => {
    const backend = memoryWithDirectories();
    using store = createStore(path, backend);
    store.set("/numbers", new Float32Array([1.5, 2.5]));
    store.set(
      "nested/lists",
      [
        [1, 2],
        [3, 4],
      ],
      { dtype: "int16" },
    );
    using array = asarray(new Int32Array([1, 2, 3, 4, 5, 6]), { shape: [2, 3] });
    store.set("/nested/array", array);
    using schunk = SChunk.create({ data: new Uint8Array([9, 8, 7]) });
    store.set("/bytes", schunk);
    const check = (opened: Store): void => {
      expect(opened.keys()).toEqual(["/bytes", "/nested/array", "/nested/lists", "/numbers"]);
      expect(opened.keys().map((key) => opened.kind(key))).toEqual(["super-chunk", "array", "array", "array"]);
      expect(numbersOf(opened, "/numbers")).toEqual([1.5, 2.5]);
      expect(numbersOf(opened, "/nested/lists")).toEqual([1, 2, 3, 4]);
      using again = opened.openArray("/nested/array");
      expect(again.shape).toEqual([2, 3]);
      using bytes = opened.openSChunk("/bytes");
      expect([...bytes.getSlice()]).toEqual([9, 8, 7]);
    };
    check(store);
    store.close();
    store.close();
    using opened = openStore(path, backend);
    expect(opened.format).toBe(format);
    check(opened);
    expect(codeOf(() => opened.set("/x", [1]))).toBe("BLOSC2_IO_READ_ONLY");
    expect(codeOf(() => opened.delete("/numbers"))).toBe("BLOSC2_IO_READ_ONLY");
  });

  it("refuses keys that lead elsewhere", () => {
    using store = createStore(path, memoryWithDirectories());
    for (const key of [
      "",
      "/",
      "/a/",
      "//a",
      "/a//b",
      "/..",
      "/a/../../b",
      "/./a",
      "/a\0",
      "/a\nb",
      "\\a",
      "/a\\..\\b",
    ]) {
      expect(
        codeOf(() => store.set(key, [1])),
        JSON.stringify(key),
      ).toBe("BLOSC2_ARGUMENT_INVALID");
    }
    expect(codeOf(() => store.set(3 as unknown as string, [1]))).toBe("BLOSC2_ARGUMENT_INVALID");
    expect(store.keys()).toEqual([]);
  });

  it("replaces and removes, in the open store and when it is opened again", () => {
    const backend = memoryWithDirectories();
    using store = createStore(path, backend);
    store.set("/a", [1, 2]);
    store.set("/b", [3]);
    store.set("/a", [4]);
    using schunk = SChunk.create({ data: new Uint8Array([1]) });
    store.set("/b", schunk);
    store.set("/c", [5]);
    store.delete("/c");
    expect(codeOf(() => store.delete("/c"))).toBe("BLOSC2_ARGUMENT_OUT_OF_RANGE");
    store.close();
    {
      using changed = openStore(path, backend, { mode: "r+" });
      expect(changed.keys()).toEqual(["/a", "/b"]);
      expect(numbersOf(changed, "/a")).toEqual([4]);
      expect(changed.kind("/b")).toBe("super-chunk");
      changed.set("/d", [6]);
      changed.delete("/a");
    }
    using opened = openStore(path, backend);
    expect(opened.keys()).toEqual(["/b", "/d"]);
    expect(numbersOf(opened, "/d")).toEqual([6]);
  });

  it("is not made where something is, with mode x", () => {
    const backend = memoryWithDirectories();
    createStore(path, backend, { mode: "x" }).close();
    expect(codeOf(() => createStore(path, backend, { mode: "x" }))).toBe("BLOSC2_IO_EXISTS");
    using store = createStore(path, backend);
    expect(store.keys()).toEqual([]);
  });
});

describe("a tree store", () => {
  it("has groups, which its members are not", () => {
    using store = createStore("t.b2z", memory());
    store.set("/g/a", [1]);
    expect(codeOf(() => store.set("/g", [1]))).toBe("BLOSC2_ARGUMENT_INVALID");
    expect(codeOf(() => store.set("/g/a/b", [1]))).toBe("BLOSC2_ARGUMENT_INVALID");
    expect(codeOf(() => store.set("/g/a/b/c", [1]))).toBe("BLOSC2_ARGUMENT_INVALID");
    expect(codeOf(() => store.set("/g/__vlmeta__", [1]))).toBe("BLOSC2_ARGUMENT_INVALID");
    expect(store.kind("/g")).toBe("group");
    store.set("/g/h/b", [2]);
    store.delete("/g");
    expect(store.keys()).toEqual([]);
    expect(store.has("/g")).toBe(false);
  });

  it.each(["b2z", "b2d"] as const)("keeps attributes in a .%s", (format) => {
    const backend = memoryWithDirectories();
    using store = createStore(`t.${format}`, backend);
    store.setAttributes({ name: "x", list: [1, "two", { three: 3.5 }], big: 2n ** 60n });
    store.setAttributes({ unit: "m" }, "/only");
    store.setAttributes({ name: undefined, list: [] });
    store.close();
    using opened = openStore(`t.${format}`, backend);
    expect(Object.fromEntries(opened.attributes())).toEqual({ list: [], big: 2n ** 60n });
    expect(Object.fromEntries(opened.attributes("/only"))).toEqual({ unit: "m" });
    expect(opened.keys()).toEqual([]);
    expect(opened.children()).toEqual(["/only"]);
    expect(codeOf(() => opened.attributes("/none"))).toBe("BLOSC2_ARGUMENT_OUT_OF_RANGE");
  });

  it("keeps tables that python-blosc2 made when other members change, and removes them whole", () => {
    const backend = memory();
    putFile(backend, "t.b2z", fixtureBytes("tree.b2z"));
    {
      using store = openStore("t.b2z", backend, { mode: "r+" });
      expect(codeOf(() => store.set("/tab", [1]))).toBe("BLOSC2_ARGUMENT_INVALID");
      expect(codeOf(() => store.set("/tab/x", [1]))).toBe("BLOSC2_ARGUMENT_INVALID");
      store.set("/new", [1]);
    }
    {
      using store = openStore("t.b2z", backend, { mode: "r+" });
      expect(store.kind("/tab")).toBe("table");
      expect(contentOf(store, "/g/b")).toEqual(expectedStores["tree.b2z"]!.members["/g/b"]);
      store.delete("/tab");
      expect(store.has("/tab")).toBe(false);
    }
    using store = openStore("t.b2z", backend);
    expect(store.has("/tab")).toBe(false);
    expect(codeOf(() => store.openArray("/tab/_cols/x"))).toBe("BLOSC2_ARGUMENT_OUT_OF_RANGE");
  });
});

describe("a dict store", () => {
  it("takes any keys, and has no attributes", () => {
    const backend = memoryWithDirectories();
    using store = createStore("d.b2d", backend, { type: "dict" });
    store.set("/a", [1]);
    store.set("/a/b", [2]);
    expect(store.keys()).toEqual(["/a", "/a/b"]);
    store.delete("/a");
    expect(store.keys()).toEqual(["/a/b"]);
    expect(codeOf(() => store.attributes())).toBe("BLOSC2_ARGUMENT_INVALID");
  });

  it.each(["b2z", "b2d"] as const)("gives up an embedded member for a file of the same key in a .%s", (format) => {
    const name = `dict.${format}`;
    const backend = format === "b2d" ? directoryInMemory(name) : memory();
    if (format === "b2z") putFile(backend, name, fixtureBytes(name));
    {
      using store = openStore(name, backend, { mode: "r+" });
      store.set("/small", [1, 2]);
      store.delete("/deep/small");
    }
    {
      using store = openStore(name, backend, { mode: "r+" });
      expect(store.keys()).toEqual(["/deep/large", "/small"]);
      expect(numbersOf(store, "/small")).toEqual([1, 2]);
      store.delete("/small");
    }
    using store = openStore(name, backend);
    expect(store.keys()).toEqual(["/deep/large"]);
    expect(contentOf(store, "/deep/large")).toEqual(expectedStores[name]!.members["/deep/large"]);
  });
});

describe("a .b2d", () => {
  it("changes files of its members in place", () => {
    const backend = memoryWithDirectories();
    using store = createStore("d.b2d", backend);
    store.set("/a", new Int32Array([1, 2, 3]));
    {
      using array = store.openArray("/a", { mode: "r+" });
      array.set([1], 20);
    }
    expect(numbersOf(store, "/a")).toEqual([1, 20, 3]);
  });

  it("leaves no empty directories and no temporary files", () => {
    const backend = memoryWithDirectories();
    using store = createStore("d.b2d", backend);
    store.set("/a/b/c", [1]);
    store.set("/a/d", [1]);
    store.delete("/a/b/c");
    expect(backend.directories?.isDirectory("d.b2d/a/b")).toBe(false);
    expect([...backend.paths].sort()).toEqual(["d.b2d/a/d.b2nd", "d.b2d/embed.b2e"]);
  });

  it("does not take the place of a directory that is no store", () => {
    const backend = memoryWithDirectories();
    backend.directories?.make("d.b2d");
    createStore("d.b2d", backend).discard();
    backend.directories?.make("other.b2d");
    putFile(backend, "other.b2d/precious.txt", new Uint8Array(3));
    expect(codeOf(() => createStore("other.b2d", backend))).toBe("BLOSC2_IO_EXISTS");
    expect(codeOf(() => createStore("other.b2z", backend, { format: "b2z" }))).toBe(undefined);
    expect(codeOf(() => createStore("other.b2d", backend, { format: "b2z" }))).toBe("BLOSC2_IO_EXISTS");
  });

  it("names both files of a key that has two", () => {
    const backend = memoryWithDirectories();
    using store = createStore("d.b2d", backend);
    store.set("/a", [1]);
    putFile(backend, "d.b2d/a.b2f", getFile(backend, "d.b2d/a.b2nd"));
    using opened = openStore("d.b2d", backend, { mode: "r+" });
    expect(opened.keys()).toEqual(["/a"]);
    expect(() => opened.openArray("/a")).toThrow(/a\.b2f and a\.b2nd/);
    opened.set("/a", [2]);
    expect(numbersOf(opened, "/a")).toEqual([2]);
  });
});

type Step = { readonly key: string; readonly value: number | undefined; readonly reopen: boolean };

describe("random changes", () => {
  const keys = ["/a", "/b", "/g/a", "/g/b", "/g/h/c"];
  const step: fc.Arbitrary<Step> = fc.record({
    key: fc.constantFrom(...keys),
    value: fc.option(fc.integer({ min: 0, max: 99 }), { nil: undefined, freq: 3 }),
    reopen: fc.boolean(),
  });

  it.each(FORMATS)("leave in a .%s what a map has", (format) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 15 }), (steps) => {
        const backend = memoryWithDirectories();
        const path = `s.${format}`;
        const model = new Map<string, number>();
        let store = createStore(path, backend);
        const check = (): void => {
          expect(store.keys()).toEqual([...model.keys()].sort());
          for (const [key, value] of model) expect(numbersOf(store, key)).toEqual([value]);
        };
        for (const { key, value, reopen } of steps) {
          if (value !== undefined) {
            store.set(key, new Uint8Array([value]));
            model.set(key, value);
          } else if (model.delete(key)) store.delete(key);
          else expect(store.has(key)).toBe(false);
          check();
          if (!reopen) continue;
          store.close();
          store = openStore(path, backend, { mode: "r+" });
          check();
        }
        store.close();
      }),
      { numRuns: 60 },
    );
  });
});

it("shows itself in one line, also when it is closed", () => {
  const store = createStore("s\u001b[2J.b2z", memory());
  store.set("/a", [1]);
  expect(inspect(store)).toBe("Store s\\u{1b}[2J.b2z (tree store, 1 member)");
  store.discard();
  expect(`${store}`).toBe("Store s\\u{1b}[2J.b2z (closed)");
});

it("an array taken out of one store goes into another, or into the same", () => {
  const backend = memoryWithDirectories();
  using from = createStore("from.b2z", backend);
  from.set("/a", new Int16Array([1, 2, 3]));
  using array = from.openArray("/a");
  from.set("/copy", array);
  using to = createStore("to.b2d", backend);
  to.set("/a", array);
  expect(numbersOf(from, "/copy")).toEqual([1, 2, 3]);
  expect(numbersOf(to, "/a")).toEqual([1, 2, 3]);
  expect(array).toBeInstanceOf(NDArray);
});
