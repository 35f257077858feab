import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { type IoHandle, memoryHandle } from "@b2frame/core";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import {
  asarray,
  encodeNpy,
  NDArray,
  open,
  openArray,
  openSChunk,
  openStore,
  SChunk,
  type Source,
  Store,
  stdio,
} from "../../src/index.js";

const cwd = temporaryFolder();
const stores = fileURLToPath(new URL("../../../../fixtures/stores/", import.meta.url));

/** All that a file can be given as. */
function sourcesOf(path: string): readonly (readonly [string, () => Source])[] {
  return [
    ["a path", () => path],
    ["a URL", () => pathToFileURL(path)],
    ["a Buffer", () => readFileSync(path)],
    ["bytes", () => new Uint8Array(readFileSync(path))],
    ["a handle of bytes", () => memoryHandle(new Uint8Array(readFileSync(path)))],
    ["an open file", () => stdio().open(path, "r")],
  ];
}

const arrayPath = join(cwd, "array.b2nd");
asarray(Int16Array.of(1, 2, 3), { urlpath: arrayPath }).close();
const schunkPath = join(cwd, "schunk.b2frame");
SChunk.create({ urlpath: schunkPath, io: stdio(), data: new Uint8Array(9) }).close();

it.each(sourcesOf(arrayPath))("opens an array given as %s", (_, source) => {
  for (const doOpen of [open, openArray]) {
    using array = doOpen(source()) as NDArray;
    expect(array).toBeInstanceOf(NDArray);
    expect([...array.getSlice().data]).toEqual([1, 2, 3]);
  }
  using schunk = openSChunk(source());
  expect(schunk.nbytes).toBe(6);
  expect(() => openStore(source())).toThrow("(a store), found");
});

it.each(sourcesOf(schunkPath))("opens a super-chunk given as %s", (_, source) => {
  using schunk = open(source());
  expect(schunk).toBeInstanceOf(SChunk);
  expect(() => openArray(source())).toThrow(expect.objectContaining({ code: "BLOSC2_FORMAT_INVALID" }));
});

describe.each(["tree.b2z", "dict.b2z", "embed.b2e"])("%s", (name) => {
  it.each(sourcesOf(join(stores, name)))("opens a store as a store, whatever it is given as", (_, source) => {
    using known = openStore(join(stores, name));
    const keys = known.keys();
    for (const doOpen of [open, openStore]) {
      const store = doOpen(source()) as Store;
      expect(store).toBeInstanceOf(Store);
      expect(store.keys()).toEqual(keys);
      const key = keys.find((each) => store.kind(each) === "array") as string;
      using array = store.openArray(key);
      store.close();
      expect(array.getSlice().bytes.byteLength).toBe(array.nbytes);
    }
    for (const wrong of [openArray, openSChunk]) {
      expect(() => wrong(source())).toThrow("is a store; open it with openStore() or open()");
    }
  });
});

it.each(["tree.b2d", "dict.b2d"])("opens the directory %s", (name) => {
  using store = open(pathToFileURL(join(stores, name)));
  expect(store).toBeInstanceOf(Store);
  expect(() => openArray(join(stores, name))).toThrow("is a store");
});

it("closes an open file that it can't use, and one that it has used", () => {
  const closed = (bytes: Uint8Array, use: (handle: IoHandle) => void): boolean => {
    const handle = memoryHandle(bytes);
    use(handle);
    return handle.closed;
  };
  const refused = (handle: IoHandle): void => void expect(() => open(handle)).toThrow();
  expect(closed(Uint8Array.of(1, 2, 3), refused)).toBe(true);
  expect(closed(gzipSync("x"), refused)).toBe(true);
  expect(closed(readFileSync(join(stores, "embed.b2e")), (handle) => open(handle).close())).toBe(true);
  expect(closed(readFileSync(join(stores, "tree.b2z")), (handle) => open(handle).close())).toBe(true);
  expect(closed(readFileSync(arrayPath), (handle) => open(handle).close())).toBe(true);
});

it("names what it can't open", () => {
  const files: [string, Uint8Array, RegExp][] = [
    ["a.npy", encodeNpy(asarray([1]).get([])), /found a NumPy \.npy file: .*b2frame pack/],
    ["a.gz", gzipSync("x"), /found gzip data: decompress it/],
    ["a.html", new TextEncoder().encode("<html>"), /found an HTML page: /],
    ["a.h5", Uint8Array.of(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a), /found an HDF5 file: /],
    ["empty", new Uint8Array(0), /found an empty file: /],
    ["a.zip", Uint8Array.of(0x50, 0x4b, 5, 6, ...new Uint8Array(18)), /"embed.b2e" among them/],
  ];
  for (const [name, bytes, message] of files) {
    const path = join(cwd, name);
    writeFileSync(path, bytes);
    for (const source of [path, bytes]) expect(() => open(source)).toThrow(message);
  }
  expect(() => open(cwd)).toThrow(/found a directory with neither chunks\.b2frame .* nor embed\.b2e/);
  const zarr = fileURLToPath(new URL("../../../../fixtures/zarr/", import.meta.url));
  writeFileSync(join(cwd, "zarr.json"), "{}");
  expect(() => open(cwd)).toThrow(/found a Zarr array or group: /);
  expect(() => open(zarr)).toThrow(/directory/);
  expect(() => open(join(cwd, "nothing"))).toThrow(expect.objectContaining({ code: "BLOSC2_IO_NOT_FOUND" }));
});

it("F15: names the kind of an argument that is no source, and shows nothing of it", () => {
  const wrong: unknown[] = [
    Float64Array.of(1),
    5,
    null,
    undefined,
    {},
    [],
    "",
    "a\0b",
    () => {},
    new Map(),
    "x\0".repeat(1e6),
  ];
  for (const source of wrong) {
    for (const doOpen of [open, openArray, openSChunk, openStore]) {
      const attempt = () => doOpen(source as Source);
      expect(attempt).toThrow(expect.objectContaining({ code: "BLOSC2_ARGUMENT_INVALID" }));
      expect(attempt).toThrow(/^source: expected a path, a file: URL, a Uint8Array or an IoHandle, found .{1,400}$/);
    }
  }
  expect(() => open(new URL("https://example.org/a.b2nd"))).toThrow(/found a URL of protocol https:/);
});
