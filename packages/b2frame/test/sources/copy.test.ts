/** A copy of what is being written is one commit, whole, and has its name only then. */
import * as fs from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import {
  type CopyOptions,
  copy,
  createSChunk,
  createStore,
  type IoBackend,
  open,
  openArray,
  openSChunk,
  openStore,
  type SChunk,
  stdio,
  verify,
} from "../../src/index.js";

const folder = temporaryFolder();
let made = 0;

const pathIn = (suffix: string): string => join(folder, `p${made++}${suffix}`);
const CHUNK_ITEMS = 25;
const content = (value: number): Int32Array => new Int32Array(CHUNK_ITEMS).fill(value);
const valuesOf = (schunk: SChunk): (number | undefined)[] =>
  Array.from(schunk.iterChunks(), (chunk) => new Int32Array(chunk.buffer, chunk.byteOffset)[0]);

/** What is left in a folder by whoever writes beside a name. */
const leftovers = (): string[] => fs.readdirSync(folder).filter((name) => name.startsWith(".b2new-"));

/** A frame whose every commit is known by its number. */
class Log {
  readonly path = pathIn(".b2frame");
  readonly commits: (number | undefined)[][] = [];
  readonly #schunk: SChunk;

  constructor(options: { readonly contiguous: boolean; readonly checksum?: boolean }) {
    this.#schunk = createSChunk(this.path, {
      typesize: 4,
      chunksize: 4 * CHUNK_ITEMS,
      meta: { m: Uint8Array.of(7) },
      ...options,
    });
    for (let i = 0; i < 6; i++) this.#schunk.appendData(content(-1 - i));
    this.#commit();
  }

  #commit(): void {
    this.#schunk.vlmeta.setValue("commit", this.commits.length);
    this.#schunk.flush();
    this.commits.push(valuesOf(this.#schunk));
  }

  append(): void {
    this.#schunk.appendData(content(this.commits.length));
    this.#commit();
  }

  /** Another last chunk: that of the commit before is of no use to anybody who opens the frame from here on. */
  replaceLast(): void {
    this.#schunk.updateData(this.#schunk.nchunks - 1, content(this.commits.length));
    this.#commit();
  }

  compact(): void {
    this.#schunk.compact();
  }

  close(): void {
    this.#schunk.close();
  }
}

/** The number of the commit that a copy is. */
function commitOf(path: string, log: Log): number {
  expect(verify(path)).toMatchObject({ ok: true, problems: [] });
  using found = openSChunk(path, { checksum: true });
  const commit = Number(found.vlmeta.getValue("commit"));
  expect(valuesOf(found)).toEqual(log.commits[commit]);
  expect(found.meta.get("m")).toEqual(Uint8Array.of(7));
  return commit;
}

/** Lets a writer do something each time the copy has grown. */
const whileCopying = (act: (step: number) => void): CopyOptions => {
  let step = 0;
  return { onProgress: (_, __, stage) => (stage === "copying" ? act(step++) : undefined) };
};

describe.each([
  ["a contiguous frame", { contiguous: true }, "stdio"],
  ["a mapped frame", { contiguous: true }, "mmap"],
  ["a frame with checksums", { contiguous: true, checksum: true }, "stdio"],
  ["a sparse frame", { contiguous: false }, "stdio"],
] as const)("%s that is written meanwhile", (_, layout, io) => {
  it("is copied as it was when the copying began, whatever is committed after each chunk", async () => {
    const log = new Log(layout);
    const out = pathIn(".copy");
    const writer = whileCopying((step) => (step % 2 === 0 ? log.append() : log.replaceLast()));
    const report = await copy(log.path, out, { io, ...writer });
    expect(report).toMatchObject({ nchunks: 6, kind: layout.contiguous ? "contiguous" : "sparse", unsupported: [] });
    expect(commitOf(out, log)).toBe(0);
    expect(log.commits.length).toBe(7);
    log.close();
    expect(leftovers()).toEqual([]);
  });

  it("may be compacted meanwhile", async () => {
    const log = new Log(layout);
    log.replaceLast();
    const out = pathIn(".copy");
    await copy(log.path, out, { io, ...whileCopying((step) => (step === 1 ? log.compact() : undefined)) });
    expect(commitOf(out, log)).toBe(1);
    log.close();
  });
});

/** Does something before each opening of a chunk file. */
function meddling(before: () => void): IoBackend {
  const inner = stdio();
  const { name, capabilities, directories } = inner;
  return {
    name,
    capabilities,
    directories,
    open: (path, mode) => {
      if (path.endsWith(".chunk")) before();
      return inner.open(path, mode);
    },
    exists: (path) => inner.exists(path),
    remove: (path) => inner.remove(path),
    rename: (from, to, change) => inner.rename(from, to, change),
    identify: (path) => inner.identify?.(path),
  };
}

describe("a sparse frame whose chunks go before they could be opened", () => {
  it("is copied from the next commit", async () => {
    const log = new Log({ contiguous: false });
    const out = pathIn(".copy");
    let opened = 0;
    const io = meddling(() => {
      if (opened++ === 0) log.replaceLast();
    });
    await copy(log.path, out, { io });
    expect(commitOf(out, log)).toBe(1);
    log.close();
  });

  it("is not copied if that goes on and on", async () => {
    const log = new Log({ contiguous: false });
    const out = pathIn(".copy");
    await expect(copy(log.path, out, { io: meddling(() => log.replaceLast()) })).rejects.toMatchObject({
      code: "BLOSC2_IO_CHANGED",
    });
    expect(fs.existsSync(out)).toBe(false);
    expect(leftovers()).toEqual([]);
    log.close();
  });
});

it("leaves out what was superseded, and keeps checksums", async () => {
  const log = new Log({ contiguous: true, checksum: true });
  for (let i = 0; i < 20; i++) log.replaceLast();
  log.close();
  const out = pathIn(".copy");
  await copy(log.path, out);
  expect(fs.statSync(out).size).toBeLessThan(fs.statSync(log.path).size);
  expect(verify(out)).toMatchObject({ ok: true, deadBytes: 0, checksums: { verified: 6, missing: 0, failed: 0 } });
});

it("gives a copy the rights of the original", async () => {
  for (const contiguous of [true, false]) {
    const log = new Log({ contiguous });
    log.close();
    const files = contiguous ? [log.path] : fs.readdirSync(log.path).map((name) => join(log.path, name));
    for (const file of files) fs.chmodSync(file, 0o600);
    const out = pathIn(".copy");
    await copy(log.path, out);
    const copies = contiguous ? [out] : fs.readdirSync(out).map((name) => join(out, name));
    for (const file of copies) expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  }
});

it("fails, and leaves nothing, if the original is damaged", async () => {
  const log = new Log({ contiguous: true, checksum: true });
  log.close();
  using broken = openSChunk(log.path);
  const { position = Number.NaN, cbytes } = broken.chunkInfo(3);
  broken.close();
  const bytes = fs.readFileSync(log.path);
  bytes[position + cbytes - 1] = (bytes[position + cbytes - 1] as number) ^ 1;
  fs.writeFileSync(log.path, bytes);
  const out = pathIn(".copy");
  await expect(copy(log.path, out)).rejects.toMatchObject({ name: "FormatError" });
  expect(fs.existsSync(out)).toBe(false);
  expect(leftovers()).toEqual([]);
});

it("does not replace anything unless told to, and never itself", async () => {
  const log = new Log({ contiguous: true });
  log.close();
  const out = pathIn(".copy");
  fs.writeFileSync(out, "mine");
  await expect(copy(log.path, out)).rejects.toMatchObject({ code: "BLOSC2_IO_EXISTS" });
  expect(fs.readFileSync(out, "utf8")).toBe("mine");
  await copy(log.path, out, { mode: "w" });
  expect(commitOf(out, log)).toBe(0);
  const link = pathIn(".link");
  fs.symlinkSync(log.path, link);
  await expect(copy(log.path, link, { mode: "w" })).rejects.toMatchObject({ name: "ArgumentError" });
  expect(commitOf(log.path, log)).toBe(0);
});

it("ends when the signal fires, and leaves nothing", async () => {
  const log = new Log({ contiguous: true });
  log.close();
  const stop = new AbortController();
  const out = pathIn(".copy");
  const aborting = whileCopying((step) => (step === 2 ? stop.abort() : undefined));
  await expect(copy(log.path, out, { ...aborting, signal: stop.signal })).rejects.toMatchObject({
    code: "BLOSC2_ABORTED",
  });
  expect(fs.existsSync(out)).toBe(false);
  expect(leftovers()).toEqual([]);
});

describe("a store", () => {
  /** Members of one value each, in the order in which they are given others. */
  const KEYS = ["/a", "/dir/b", "/c"];

  function storeOf(suffix: string): string {
    const path = pathIn(suffix);
    using store = createStore(path);
    for (const key of KEYS) store.set(key, content(0));
    return path;
  }

  function setAll(path: string, value: number): void {
    using store = openStore(path, { mode: "r+" });
    for (const key of KEYS) store.set(key, content(value));
  }

  function valuesIn(path: string): number[] {
    expect(verify(path)).toMatchObject({ ok: true, kind: "store" });
    using store = openStore(path);
    return KEYS.map((key) => {
      using array = store.openArray(key);
      return Number(array.get().toNestedArray()[0]);
    });
  }

  it.each([".b2z", ".b2d", ".b2e"])(
    "%s is copied as it is at one instant while members are replaced",
    async (suffix) => {
      const path = storeOf(suffix);
      const out = pathIn(suffix);
      await copy(
        path,
        out,
        whileCopying((step) => (step < 5 ? setAll(path, step + 1) : undefined)),
      );
      const values = valuesIn(out);
      // Of a .b2d each member is replaced in a commit of its own, in order: a state between two rounds is one that it had.
      expect(Math.max(...values) - Math.min(...values)).toBe(0);
      expect(fs.existsSync(out)).toBe(true);
      expect(leftovers()).toEqual([]);
    },
  );

  it("in a directory that never holds still is not copied", async () => {
    const path = storeOf(".b2d");
    const out = pathIn(".b2d");
    const restless = whileCopying((step) => setAll(path, step));
    await expect(copy(path, out, restless)).rejects.toMatchObject({ code: "BLOSC2_IO_CHANGED" });
    expect(fs.existsSync(out)).toBe(false);
  });

  it("takes no lock", async () => {
    const path = storeOf(".b2d");
    await expect(copy(path, pathIn(".b2d"), { locking: true })).rejects.toMatchObject({ name: "ArgumentError" });
  });

  it("a file beside the members comes along", async () => {
    const path = storeOf(".b2d");
    fs.writeFileSync(join(path, "notes.txt"), "by hand");
    const out = pathIn(".b2d");
    await copy(path, out);
    expect(fs.readFileSync(join(out, "notes.txt"), "utf8")).toBe("by hand");
    expect(valuesIn(out)).toEqual([0, 0, 0]);
  });
});

it("copies an array as one", async () => {
  const path = pathIn(".b2d");
  using store = createStore(path);
  store.set("/a", Float64Array.of(1, 2, 3, 4), { shape: [2, 2] });
  store.close();
  const out = pathIn(".b2nd");
  await copy(join(path, "a.b2nd"), out);
  using array = openArray(out);
  expect(array.get().toNestedArray()).toEqual([
    [1, 2],
    [3, 4],
  ]);
  using opened = open(out);
  expect(opened).toHaveProperty("shape", [2, 2]);
});
