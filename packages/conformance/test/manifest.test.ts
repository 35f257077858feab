import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Entry, folderOf, isSelected, readManifest } from "../src/manifest.js";

const chunk = { id: "core/lz4/c1", kind: "chunk", file: "chunks/core-lz4.pack" } as Entry;
const broken = { id: "malformed/frame/magic", kind: "malformed-frame", file: "malformed/frames.pack" } as Entry;
const bare = { id: "compat/shuffle-2.20.0.cdata", kind: "filter-only", file: null } as Entry;

describe("isSelected", () => {
  it("takes everything without a pattern", () => {
    expect(isSelected(chunk, [])).toBe(true);
  });

  it("matches a folder or a kind as a whole", () => {
    expect(isSelected(chunk, ["chunks"])).toBe(true);
    expect(isSelected(chunk, ["chunk"])).toBe(true);
    expect(isSelected(broken, ["frames", "chunk"])).toBe(false);
    expect(isSelected(broken, ["frames", "malformed"])).toBe(true);
  });

  it("matches a part of an id", () => {
    expect(isSelected(chunk, ["lz4/c"])).toBe(true);
    expect(isSelected(chunk, ["zstd"])).toBe(false);
  });

  it("knows the folder of an entry without a file", () => {
    expect(folderOf(bare)).toBe("compat");
  });
});

describe("readManifest", () => {
  let folder: string;
  const write = (manifest: unknown): void => writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "b2frame-manifest-"));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it("gives the entries", () => {
    write({ format: 1, entries: [chunk, bare] });
    expect(readManifest(folder)).toEqual([chunk, bare]);
  });

  it("refuses another format, and kinds that it does not check", () => {
    write({ format: 2, entries: [] });
    expect(() => readManifest(folder)).toThrow("format 1");
    write({ format: 1, entries: [{ id: "x", kind: "tape", file: "x" }] });
    expect(() => readManifest(folder)).toThrow("unknown kind tape");
  });
});
