/** The files that commands make: names near the file system's limit, what they keep of what they replace, what they leave alone. */
import * as fs from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { asarray, createSChunk, openSChunk } from "../../src/index.js";
import { runCli, runGood } from "../run-cli.js";

const cwd = temporaryFolder();
createSChunk(join(cwd, "in.b2frame"), { data: new Uint8Array(5000).fill(7), chunksize: 1000 }).close();
asarray([1, 2, 3, 4], { urlpath: join(cwd, "in.b2nd") }).close();
fs.writeFileSync(join(cwd, "in.raw"), new Uint8Array(5000));

const COMMANDS: Readonly<Record<string, (output: string) => string[]>> = {
  pack: (output) => ["pack", "in.raw", output],
  convert: (output) => ["convert", "in.b2frame", output],
  unpack: (output) => ["unpack", "in.b2frame", output],
  slice: (output) => ["slice", "in.b2nd", output, "--start", "0", "--stop", "10"],
  repair: (output) => ["repair", "in.b2frame", output],
};

function temporaryNames(): string[] {
  return fs.readdirSync(cwd).filter((name) => name.startsWith(".b2new-"));
}

describe.each(Object.entries(COMMANDS))("%s", (_, args) => {
  it.each([240, 255])("writes a name of %i bytes", (length) => {
    const name = "x".repeat(length);
    runGood(args(name), { cwd });
    expect(fs.statSync(join(cwd, name)).size).toBeGreaterThan(0);
    fs.rmSync(join(cwd, name));
    expect(temporaryNames()).toEqual([]);
  });

  it("refuses a name that is too long in one line", () => {
    const { status, stderr } = runCli(args("x".repeat(256)), { cwd });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^b2frame: [^\n]*ENAMETOOLONG[^\n]*\n$/);
    expect(temporaryNames()).toEqual([]);
  });

  it("gives the new file the old one's mode, also behind a link", () => {
    fs.writeFileSync(join(cwd, "private"), "old");
    fs.chmodSync(join(cwd, "private"), 0o600);
    fs.symlinkSync("private", join(cwd, "link"));
    runGood(args("link"), { cwd });
    expect(fs.lstatSync(join(cwd, "link")).isSymbolicLink()).toBe(true);
    expect(fs.statSync(join(cwd, "private")).mode & 0o777).toBe(0o600);
    expect(fs.statSync(join(cwd, "private")).size).toBeGreaterThan(3);
    fs.rmSync(join(cwd, "link"));
    fs.rmSync(join(cwd, "private"));
  });
});

it("a name of 85 characters of three bytes fits", () => {
  const name = "字".repeat(85);
  runGood(["convert", "in.b2frame", name], { cwd });
  using s = openSChunk(join(cwd, name));
  expect(s.nbytes).toBe(5000);
});

describe("convert over its own input", () => {
  it.each(["in-place.b2frame", "in-place.link"])("keeps mode and link (%s)", (output) => {
    const path = join(cwd, "in-place.b2frame");
    fs.copyFileSync(join(cwd, "in.b2frame"), path);
    fs.chmodSync(path, 0o640);
    fs.rmSync(join(cwd, "in-place.link"), { force: true });
    fs.symlinkSync("in-place.b2frame", join(cwd, "in-place.link"));
    runGood(["convert", "in-place.b2frame", output, "--clevel", "9"], { cwd });
    expect(fs.statSync(path).mode & 0o777).toBe(0o640);
    expect(fs.lstatSync(join(cwd, "in-place.link")).isSymbolicLink()).toBe(true);
  });
});

describe("a sparse frame as the output", () => {
  function sparse(name: string): string {
    const path = join(cwd, name);
    runGood(["convert", "in.b2frame", name, "--sparse"], { cwd });
    return path;
  }

  it("is replaced with the modes of its directory and files", () => {
    const path = sparse("s1");
    fs.chmodSync(path, 0o700);
    fs.chmodSync(join(path, "chunks.b2frame"), 0o600);
    runGood(["convert", "in.b2frame", "s1", "--sparse"], { cwd });
    expect(fs.statSync(path).mode & 0o777).toBe(0o700);
    for (const name of fs.readdirSync(path)) expect(fs.statSync(join(path, name)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["a file of others", (path: string) => fs.writeFileSync(join(path, "thesis.txt"), "years of work"), "thesis.txt"],
    ["a link under a chunk's name", (path: string) => fs.symlinkSync("..", join(path, "00000FFF.chunk")), "00000FFF"],
  ])("is not replaced with %s in it", (name, add, named) => {
    const path = sparse(`s-${named}`);
    add(path);
    const before = fs.readdirSync(path).sort();
    for (const options of [["--sparse"], []]) {
      const { status, stderr } = runCli(["convert", "in.b2frame", `s-${named}`, ...options], { cwd });
      expect([status, stderr.includes(named)], name).toEqual([2, true]);
    }
    expect(fs.readdirSync(path).sort()).toEqual(before);
  });
});
