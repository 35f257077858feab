/** What is not the store's: files of others in its directory, links out of it, and the rights and links of what it replaces. */

import * as fs from "node:fs";
import { join } from "node:path";
import { SChunk } from "@b2frame/core";
import { stdio } from "@b2frame/io-stdio";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { compactStore, createStore, openStore, verifyStore } from "../src/index.js";
import { codeOf, numbersOf } from "./store-fixtures.js";

const root = temporaryFolder();
let made = 0;

/** A directory of its own, with a store of one member in it. */
function storeIn(format: "b2d" | "b2z"): { readonly folder: string; readonly path: string } {
  const folder = join(root, `case-${made++}`);
  fs.mkdirSync(folder);
  const path = join(folder, `s.${format}`);
  const store = createStore(path, stdio());
  store.set("/a", [1, 2, 3]);
  store.close();
  return { folder, path };
}

/** The names in a directory, of which one may be random. */
function namesIn(folder: string): string[] {
  return fs.readdirSync(folder, { recursive: true }).map(String).sort();
}

describe("a directory with more than a store in it", () => {
  it("is not emptied: the file of others is named, and nothing is lost", () => {
    const { path } = storeIn("b2d");
    fs.writeFileSync(join(path, "thesis.txt"), "years of work");
    fs.mkdirSync(join(path, "sub"));
    fs.writeFileSync(join(path, "sub", "n.txt"), "notes");
    const before = namesIn(path);
    expect(() => createStore(path, stdio())).toThrow(/it holds (sub\/n|thesis)\.txt/);
    expect(codeOf(() => createStore(path, stdio()))).toBe("BLOSC2_IO_EXISTS");
    expect(namesIn(path)).toEqual(before);
    expect(numbersOf(openStore(path, stdio()), "/a")).toEqual([1, 2, 3]);
  });

  it("is emptied of members under unusual names as well", () => {
    const { path } = storeIn("b2d");
    using frame = SChunk.create({ data: new Uint8Array(5), urlpath: join(path, "renamed.frame"), io: stdio() });
    frame.close();
    createStore(path, stdio()).close();
    expect(namesIn(path)).toEqual(["embed.b2e"]);
  });
});

describe("a link in a store's directory", () => {
  /** A store with `dir`, a link to a directory outside that holds a member. */
  function linkedOut(): { readonly path: string; readonly outside: string } {
    const { folder, path } = storeIn("b2d");
    const outside = join(folder, "outside");
    fs.mkdirSync(outside);
    fs.copyFileSync(join(path, "a.b2nd"), join(outside, "secret.b2nd"));
    fs.symlinkSync("../outside", join(path, "dir"));
    return { path, outside };
  }

  it("is read through, but nothing is made, changed or removed behind it", () => {
    const { path, outside } = linkedOut();
    const before = fs.readFileSync(join(outside, "secret.b2nd"));
    const store = openStore(path, stdio(), { mode: "r+" });
    expect(numbersOf(store, "/dir/secret")).toEqual([1, 2, 3]);
    expect(() => store.set("/dir/new", [4])).toThrow("is a symbolic link");
    expect(() => store.set("/dir/deeper/new", [4])).toThrow("is a symbolic link");
    expect(() => store.delete("/dir/secret")).toThrow("is a symbolic link");
    expect(() => store.openSChunk("/dir/secret", { mode: "r+" })).toThrow("is a symbolic link");
    store.close();
    expect(namesIn(outside)).toEqual(["secret.b2nd"]);
    expect(fs.readFileSync(join(outside, "secret.b2nd"))).toEqual(before);
  });

  it("keeps its directory from being emptied, whole", () => {
    const { path, outside } = linkedOut();
    const before = namesIn(path);
    expect(() => createStore(path, stdio())).toThrow("it holds dir");
    expect(namesIn(outside)).toEqual(["secret.b2nd"]);
    expect(namesIn(path)).toEqual(before);
  });

  it("is replaced itself where a member is one", () => {
    const { folder, path } = storeIn("b2d");
    fs.copyFileSync(join(path, "a.b2nd"), join(folder, "kept.b2nd"));
    fs.symlinkSync("../kept.b2nd", join(path, "b.b2nd"));
    const kept = fs.readFileSync(join(folder, "kept.b2nd"));
    const store = openStore(path, stdio(), { mode: "r+" });
    expect(() => store.openSChunk("/b", { mode: "r+" })).toThrow("is a symbolic link");
    store.set("/b", [7, 8]);
    expect(numbersOf(store, "/b")).toEqual([7, 8]);
    store.close();
    expect(fs.readFileSync(join(folder, "kept.b2nd"))).toEqual(kept);
  });
});

describe("a member that is being written", () => {
  it("is not in the store's directory, where python-blosc2 would take it for one", () => {
    const { folder, path } = storeIn("b2d");
    const seen: string[][] = [];
    const calls = {
      ...fs,
      renameSync: (from: fs.PathLike, to: fs.PathLike) => {
        seen.push(namesIn(path));
        fs.renameSync(from, to);
      },
    };
    const store = openStore(path, stdio({ fs: calls }), { mode: "r+" });
    store.set("/b", [4]);
    store.close();
    expect(seen[0]).toEqual(["a.b2nd", "embed.b2e"]);
    expect(namesIn(folder)).toEqual(["s.b2d", "s.b2d/a.b2nd", "s.b2d/b.b2nd", "s.b2d/embed.b2e"]);
  });

  it("is not there either when a frame in the store is changed where it lies, and compacted", () => {
    const { folder, path } = storeIn("b2d");
    const seen = new Set<string>();
    const look = (): void => {
      for (const name of namesIn(path)) {
        // An empty file is no frame to anybody.
        if (fs.statSync(join(path, name)).size > 0) seen.add(name);
      }
    };
    const calls = {
      ...fs,
      renameSync: (from: fs.PathLike, to: fs.PathLike) => {
        look();
        fs.renameSync(from, to);
      },
      fdatasyncSync: (fd: number) => {
        look();
        fs.fdatasyncSync(fd);
      },
      fsyncSync: (fd: number) => {
        look();
        fs.fsyncSync(fd);
      },
    };
    const backend = stdio({ fs: calls });
    const store = openStore(path, backend, { mode: "r+" });
    const member = store.openSChunk("/a", { mode: "r+" });
    for (let i = 0; i < 3; i++) {
      member.updateData(0, member.decompressChunk(0));
      member.flush();
    }
    member.compact();
    member.close();
    store.setAttributes({ camera: "north" }, "/");
    store.close();
    compactStore(path, backend);
    createStore(join(folder, "new.b2d"), backend).close();
    expect(seen.size).toBeGreaterThan(2);
    expect([...seen].filter((name) => !namesIn(path).includes(name))).toEqual([]);
    expect(namesIn(folder).filter((name) => name.includes(".b2new-"))).toEqual([]);
  });

  it("is told of by verify where a killed writer left it in the directory", () => {
    const { path } = storeIn("b2d");
    expect(verifyStore(path, stdio())).toMatchObject({ ok: true, leftovers: [] });
    const name = `.b2new-${"0".repeat(16)}`;
    fs.copyFileSync(join(path, "a.b2nd"), join(path, name));
    expect(verifyStore(path, stdio())).toMatchObject({ ok: true, leftovers: [name], members: [{ key: "/a" }] });
  });

  it("is written in the store's directory where there is no room around it", () => {
    const { folder, path } = storeIn("b2d");
    const calls = {
      ...fs,
      openSync: (name: fs.PathLike, flags: fs.OpenMode, mode?: fs.Mode) => {
        if (String(name).startsWith(join(folder, ".b2new-")))
          throw Object.assign(new Error("EACCES"), { code: "EACCES" });
        return fs.openSync(name, flags, mode);
      },
    };
    const store = openStore(path, stdio({ fs: calls }), { mode: "r+" });
    store.set("/b", [4]);
    store.close();
    expect(namesIn(path)).toEqual(["a.b2nd", "b.b2nd", "embed.b2e"]);
  });
});

describe.each(["b2d", "b2z"] as const)("what a change of a .%s replaces", (format) => {
  it("keeps its mode", () => {
    const { path } = storeIn(format);
    const file = format === "b2z" ? path : join(path, "a.b2nd");
    fs.chmodSync(file, 0o600);
    const store = openStore(path, stdio(), { mode: "r+" });
    store.set("/a", [5]);
    store.close();
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  });
});

it("a .b2z behind a link is changed where it lies, and the link stays", () => {
  const { folder, path } = storeIn("b2z");
  const link = join(folder, "link.b2z");
  fs.symlinkSync("s.b2z", link);
  const store = openStore(link, stdio(), { mode: "r+" });
  store.set("/b", [9]);
  store.close();
  expect(fs.lstatSync(link).isSymbolicLink()).toBe(true);
  expect(numbersOf(openStore(path, stdio()), "/b")).toEqual([9]);
  expect(namesIn(folder)).toEqual(["link.b2z", "s.b2z"]);
});
