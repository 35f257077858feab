import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@b2frame/test-kit";
import { expect, it } from "vitest";
import { asarray, createSChunk, createStore, encodeNpy, openArray } from "../../src/index.js";
import { runCli, runGood } from "../run-cli.js";

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const cwd = temporaryFolder();
const values = Int32Array.from({ length: 1000 }, (_, i) => i);
asarray(values, { urlpath: join(cwd, "a.b2nd") }).close();
createSChunk(join(cwd, "s.b2frame"), { data: values }).close();
writeFileSync(join(cwd, "a.npy"), encodeNpy(asarray(values).get([])));
symlinkSync("a.b2nd", join(cwd, "soft"));
linkSync(join(cwd, "a.b2nd"), join(cwd, "hard"));
mkdirSync(join(cwd, "sub"));
symlinkSync("..", join(cwd, "sub/up"));
{
  using store = createStore(join(cwd, "st.b2z"));
  store.set("/a", values);
}

it("F22: refuses to write over its own input, by any spelling or link, and leaves it as it was", () => {
  const before = readFileSync(join(cwd, "a.b2nd"));
  const spellings = ["a.b2nd", "./a.b2nd", "sub/../a.b2nd", join(cwd, "a.b2nd"), "soft", "hard", "sub/up/a.b2nd"];
  const calls = [
    ...spellings.map((name) => ["unpack", "a.b2nd", name]),
    ["unpack", "soft", "hard"],
    ["unpack", "--format", "raw", "s.b2frame", "./s.b2frame"],
    ["slice", "a.b2nd", "./a.b2nd"],
    ["pack", "a.npy", "./a.npy"],
    ["pack", "--format", "raw", "s.b2frame", "s.b2frame"],
    ["repair", "a.b2nd", "soft"],
    // A member in the place of the whole store.
    ["convert", "st.b2z", "./st.b2z", "--key", "/a"],
  ];
  for (const args of calls) {
    const { status, stderr } = runCli(args, { cwd });
    expect({ args, status }).toEqual({ args, status: 2 });
    expect(stderr).toContain("is the input itself");
  }
  expect(readFileSync(join(cwd, "a.b2nd")).equals(before)).toBe(true);
}, 60_000);

it("F22: also where standard input or output is the file", () => {
  const shell = (command: string) => spawnSync("bash", ["-c", command], { cwd, encoding: "utf8" });
  const b2frame = `"${process.execPath}" "${MAIN}"`;
  copyFileSync(join(cwd, "a.b2nd"), join(cwd, "b.b2nd"));
  for (const command of [`${b2frame} unpack - b.b2nd < b.b2nd`, `${b2frame} unpack b.b2nd - >> b.b2nd`]) {
    expect(shell(command)).toMatchObject({ status: 2, stderr: expect.stringContaining("is the input itself") });
  }
  expect(readFileSync(join(cwd, "b.b2nd")).equals(readFileSync(join(cwd, "a.b2nd")))).toBe(true);
});

it("F22: refuses an output in a directory that is the input", () => {
  runGood(["convert", "a.b2nd", "dir.b2nd", "--sparse"], { cwd });
  for (const output of ["dir.b2nd/x.raw", "sub/up/dir.b2nd/chunks.b2frame"]) {
    const { status, stderr } = runCli(["unpack", "dir.b2nd", output], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain("lie one inside the other");
  }
});

it("converts in place, and keeps the permissions of what it replaces", () => {
  copyFileSync(join(cwd, "a.b2nd"), join(cwd, "c.b2nd"));
  chmodSync(join(cwd, "c.b2nd"), 0o600);
  runGood(["convert", "c.b2nd", "./c.b2nd", "--codec", "zstd"], { cwd });
  using array = openArray(join(cwd, "c.b2nd"));
  expect(array.schunk.cparams.codec).toBe("zstd");
  expect(array.getSlice().data).toEqual(values);
  expect(statSync(join(cwd, "c.b2nd")).mode & 0o777).toBe(0o600);
});

it("writes to the longest name that there can be", () => {
  runGood(["convert", "a.b2nd", "x".repeat(255)], { cwd });
  const { status, stderr } = runCli(["convert", "a.b2nd", "x".repeat(256)], { cwd });
  expect(status).toBe(2);
  expect(stderr).toMatch(/^b2frame: [^\n]+\n$/);
});

it("F16: says standard input where that is the input", () => {
  const input = new TextEncoder().encode("garbage");
  for (const args of [
    ["info", "-"],
    ["ls", "-"],
    ["cat", "-"],
    ["unpack", "-", "x"],
    ["convert", "-", "x"],
    ["slice", "-", "x"],
  ]) {
    const { status, stderr } = runCli(args, { cwd, input });
    expect({ args, status }).toEqual({ args, status: 1 });
    expect(stderr).toMatch(/^b2frame: standard input: /);
    expect(stderr).not.toContain("b2frame-");
  }
  const verified = runCli(["verify", "-", "--json"], { cwd, input }).stdout.toString();
  expect(verified).toContain('"path": "standard input"');
  expect(verified).not.toContain("b2frame-");
  const cut = readFileSync(join(cwd, "a.npy")).subarray(0, 500);
  expect(runCli(["pack", "-", "x"], { cwd, input: cut }).stderr).toMatch(/^b2frame: standard input: /);
});

it("F23: ends quietly when nobody reads help, an error or the version", () => {
  const b2frame = `"${process.execPath}" "${MAIN}"`;
  for (const args of ["--help", "info --help", "--version", "ls a.b2nd --json", "info nothing", "nonsense"]) {
    const command = `exec 3>&1; { ${b2frame} ${args} 2>&4; } 4>&1 | true; ${b2frame} ${args} 2> >(true) > >(true)`;
    const { stderr } = spawnSync("bash", ["-c", command], { cwd, encoding: "utf8" });
    expect({ args, stderr }).toEqual({ args, stderr: "" });
  }
});

it("escapes in JSON what a terminal takes for a command", () => {
  const name = "csi\u009b31m\u007f\u202etxt\u001b";
  const path = join(cwd, "names.b2frame");
  createSChunk(path, { data: Uint8Array.of(1), meta: {} }).close();
  {
    using store = createStore(join(cwd, "v.b2z"));
    store.setAttributes({ [name]: name });
  }
  const text = runGood(["info", "v.b2z", "--json"], { cwd });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  expect(JSON.parse(text).attributes).toEqual({ [name]: name });
});
