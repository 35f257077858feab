import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { memory } from "@b2frame/core";
import { describe, expect, it } from "vitest";
import { compactStore, createStore, openStore, verifyStore } from "../../src/index.js";
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
} from "../store-fixtures.js";

const unknownCodec = new Uint8Array(
  readFileSync(fileURLToPath(new URL("../../../../fixtures/python-objects/codec39.b2frame", import.meta.url))),
);

function backendOf(name: string) {
  if (name.endsWith(".b2d")) return directoryInMemory(name);
  const backend = memory();
  putFile(backend, name, fixtureBytes(name));
  return backend;
}

describe("a store of python-blosc2", () => {
  it.each(Object.keys(expectedStores))("is whole, member by member: %s", (name) => {
    const progress: [done: number, total: number][] = [];
    const onProgress = (done: number, total: number): void => {
      progress.push([done, total]);
    };
    const report = verifyStore(name, backendOf(name), { onProgress });
    const type = name.slice(0, name.indexOf("."));
    expect(report).toMatchObject({ path: name, kind: "store", ok: true, type, problems: [], unsupported: [] });
    const keys = report.members.map(({ key }) => key);
    for (const [key, { hex }] of Object.entries(expectedStores[name]?.members ?? {})) {
      if (hex !== undefined) expect(keys).toContain(key);
    }
    // Never backwards, never past the end, and to the end.
    const [last] = progress.slice(-1);
    expect(last?.[0]).toBe(last?.[1]);
    expect(progress.every(([done, total], i) => done >= (progress[i - 1]?.[0] ?? 0) && done <= total)).toBe(true);
  });

  it("says of a member that is compressed that it could not be checked", () => {
    const { ok, members, problems } = verifyStore("deflated.b2z", backendOf("deflated.b2z"));
    expect({ ok, problems }).toEqual({ ok: false, problems: [] });
    const [unsound, ...others] = members.filter((member) => !member.ok);
    expect(others).toEqual([]);
    expect(unsound).toMatchObject({ problems: [], unsupported: [{ code: "BLOSC2_UNSUPPORTED" }] });
  });
});

describe("verifying a store", () => {
  it("tells what is not supported from what is damaged, member by member", () => {
    const backend = directoryInMemory("dict.b2d");
    putFile(backend, "dict.b2d/other-codec.b2f", unknownCodec);
    putFile(backend, "dict.b2d/cut.b2nd", getFile(backend, "dict.b2d/deep/large.b2nd").subarray(0, 300));
    const { ok, members } = verifyStore("dict.b2d", backend);
    expect(ok).toBe(false);
    expect(members.filter((member) => !member.ok)).toMatchObject([
      { key: "/cut", problems: [{ code: "BLOSC2_FORMAT_BAD_LENGTH" }], unsupported: [] },
      { key: "/other-codec", problems: [], unsupported: [{ code: "BLOSC2_UNSUPPORTED_CODEC" }] },
    ]);
  });

  it("says what is wrong beside the members", () => {
    const backend = directoryInMemory("dict.b2d");
    putFile(backend, "dict.b2d/deep/large.b2f", getFile(backend, "dict.b2d/deep/large.b2nd"));
    expect(verifyStore("dict.b2d", backend).problems).toMatchObject([
      { structure: 'member "/deep/large"', field: "files" },
    ]);
    const map = getFile(backend, "dict.b2d/embed.b2e");
    map.fill(0xff, 0, 20);
    putFile(backend, "dict.b2d/embed.b2e", map);
    const { problems, type } = verifyStore("dict.b2d", backend);
    expect(type).toBeUndefined();
    expect(problems.map(({ structure }) => structure)).toContain('frame header of "embed.b2e"');
  });

  it("checks the sum of a file that is no member", () => {
    const backend = memory();
    const bytes = fixtureBytes("dict.b2z");
    putFile(backend, "s.b2z", bytes);
    expect(verifyStore("s.b2z", backend).ok).toBe(true);
    // The name of a member, changed in both places to one that no store has, and its frame's first byte.
    const name = Buffer.from("deep/large.b2nd");
    const text = Buffer.from(bytes);
    const [local, central] = [text.indexOf(name), text.lastIndexOf(name)];
    for (const at of [local, central]) text.write("deep/large.text", at, "latin1");
    text[local + name.length] = 0;
    putFile(backend, "s.b2z", new Uint8Array(text));
    const { problems, members } = verifyStore("s.b2z", backend);
    expect(problems).toMatchObject([{ code: "BLOSC2_FORMAT_CHECKSUM", structure: 'zip member "deep/large.text"' }]);
    expect(members.every(({ ok }) => ok)).toBe(true);
  });

  it("takes no other ZIP file for a damaged store", () => {
    const backend = memory();
    const text = Buffer.from(fixtureBytes("dict.b2z"));
    for (const name of ["deep/large.b2nd", "embed.b2e"]) {
      for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name)) text.write("x".repeat(name.length), at);
    }
    putFile(backend, "other.zip", new Uint8Array(text));
    expect(codeOf(() => verifyStore("other.zip", backend))).toBe("BLOSC2_UNSUPPORTED");
    expect(codeOf(() => verifyStore("none.b2z", backend))).toBe("BLOSC2_IO_NOT_FOUND");
  });

  it("ends when it is told to", () => {
    const signal = { aborted: false };
    const onProgress = (): void => {
      signal.aborted = true;
    };
    const verify = () => verifyStore("tree.b2z", backendOf("tree.b2z"), { onProgress, signal });
    expect(codeOf(verify)).toBe("BLOSC2_ABORTED");
  });
});

describe("compacting a store", () => {
  const noise = (seed: number): number[] => Array.from({ length: 500 }, (_, i) => (i * seed * 7919) % 65521);

  it.each(["s.b2z", "s.b2d", "s.b2e"])(
    "gives back what was replaced and removed, and keeps everything else: %s",
    (path) => {
      const backend = memoryWithDirectories();
      {
        using store = createStore(path, backend);
        for (let round = 1; round <= 3; round++) {
          store.set("/a", noise(round), { dtype: "int32" });
          store.set("/gone", noise(round + 3), { dtype: "int32" });
          store.set("/b/c", noise(round + 6), { dtype: "int32" });
        }
        store.delete("/gone");
      }
      if (path === "s.b2d") {
        // A member that was changed in place.
        using store = openStore(path, backend, { mode: "r+" });
        using array = store.openArray("/a", { mode: "r+" });
        array.set([], noise(99));
        array.commit();
        array.set([], noise(3));
        array.commit();
      }
      const { reclaimed, nchunks } = compactStore(path, backend);
      if (path === "s.b2z") expect(reclaimed).toBe(0);
      else expect(reclaimed).toBeGreaterThan(1000);
      expect(nchunks).toBeGreaterThan(0);
      expect(compactStore(path, backend).reclaimed).toBe(0);
      const report = verifyStore(path, backend);
      expect(report.ok).toBe(true);
      expect(report.members.reduce((sum, { deadBytes }) => sum + deadBytes, 0)).toBe(0);
      using store = openStore(path, backend, { mode: "r+" });
      expect(store.keys()).toEqual(["/a", "/b/c"]);
      expect(numbersOf(store, "/a")).toEqual(noise(3));
      expect(numbersOf(store, "/b/c")).toEqual(noise(9));
      // There is room for more where the old ones were.
      store.set("/new", noise(50), { dtype: "int32" });
      expect(numbersOf(store, "/b/c")).toEqual(noise(9));
    },
  );

  it.each(["tree.b2d", "dict.b2z", "dict.b2d", "embed.b2e"])("of python-blosc2 keeps its members: %s", (name) => {
    const backend = backendOf(name);
    compactStore(name, backend);
    expect(verifyStore(name, backend).ok).toBe(true);
    using store = openStore(name, backend);
    for (const [key, member] of Object.entries(expectedStores[name]?.members ?? {})) {
      if (member.hex !== undefined) expect(contentOf(store, key)).toEqual(member);
    }
  });
});
