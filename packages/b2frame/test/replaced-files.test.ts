/** What a file keeps when another takes its place: its mode, and the link that leads to it. */
import * as fs from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { createSChunk, openSChunk } from "../src/index.js";

const folder = temporaryFolder();
let made = 0;

/** A frame with 100 superseded bytes. */
function frameWithDeadBytes(options: { readonly contiguous?: boolean } = {}): string {
  const path = join(folder, `f${made++}.b2frame`);
  using s = createSChunk(path, { chunksize: 100, typesize: 1, cparams: { clevel: 0 }, ...options });
  s.appendData(new Uint8Array(100).fill(1));
  s.appendData(new Uint8Array(100).fill(3));
  s.flush();
  s.updateData(
    0,
    Uint8Array.from({ length: 100 }, (_, i) => i),
  );
  return path;
}

function modeOf(path: string): number {
  return fs.lstatSync(path).mode & 0o777;
}

describe.each(["stdio", "mmap"] as const)("compact through %s", (io) => {
  it.each([0o600, 0o664])("keeps the mode %o, and a link that leads to the frame", (mode) => {
    const path = frameWithDeadBytes();
    const link = `${path}.link`;
    fs.chmodSync(path, mode);
    fs.symlinkSync(path, link);
    const before = fs.statSync(path).size;
    using s = openSChunk(link, { mode: "r+", io });
    s.compact();
    expect(fs.lstatSync(link).isSymbolicLink()).toBe(true);
    expect(modeOf(path)).toBe(mode);
    expect(fs.statSync(path).size).toBeLessThan(before);
    s.appendData(new Uint8Array(100).fill(2));
    s.close();
    using again = openSChunk(path);
    expect(again.nchunks).toBe(3);
  });

  it("keeps the mode when all chunks are deleted", () => {
    const path = frameWithDeadBytes();
    fs.chmodSync(path, 0o600);
    using s = openSChunk(path, { mode: "r+", io });
    for (let n = s.nchunks; n > 0; n--) s.deleteChunk(0);
    s.close();
    expect(modeOf(path)).toBe(0o600);
  });
});

describe("a commit of a sparse frame", () => {
  it("keeps the index file's mode, and gives it to new chunks", () => {
    const path = frameWithDeadBytes({ contiguous: false });
    for (const name of fs.readdirSync(path)) fs.chmodSync(join(path, name), 0o600);
    using s = openSChunk(path, { mode: "r+" });
    s.appendData(new Uint8Array(100).fill(5));
    s.updateData(
      0,
      new Uint8Array(100).map((_, i) => 99 - i),
    );
    s.close();
    expect(fs.readdirSync(path).map((name) => [name, modeOf(join(path, name))])).toEqual(
      fs.readdirSync(path).map((name) => [name, 0o600]),
    );
  });

  it("writes no chunk through a link that somebody has planted under its name", () => {
    const path = frameWithDeadBytes({ contiguous: false });
    const victim = join(folder, "victim.txt");
    fs.writeFileSync(victim, "not yours");
    for (let n = 0; n < 16; n++) {
      const name = join(path, `${n.toString(16).toUpperCase().padStart(8, "0")}.chunk`);
      if (!fs.existsSync(name)) fs.symlinkSync(victim, name);
    }
    using s = openSChunk(path, { mode: "r+" });
    s.appendData(Uint8Array.from({ length: 100 }, (_, i) => 7 * i));
    s.close();
    expect(fs.readFileSync(victim, "utf8")).toBe("not yours");
    using again = openSChunk(path);
    expect(again.nchunks).toBe(3);
  });
});
