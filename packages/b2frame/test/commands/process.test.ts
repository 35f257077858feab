import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { createSChunk } from "../../src/index.js";
import { runCli, startCli } from "../run-cli.js";

const cwd = temporaryFolder();
const COMMANDS = ["info", "ls", "cat", "pack", "unpack", "slice", "convert", "verify", "repair", "compact"];

describe("help", () => {
  it("lists every command", () => {
    const { status, stdout } = runCli(["--help"], { cwd });
    expect(status).toBe(0);
    for (const name of COMMANDS) expect(stdout.toString()).toMatch(new RegExp(`^  ${name} `, "m"));
  });

  it.each(COMMANDS)("shows options and examples of %s", (name) => {
    const { status, stdout } = runCli([name, "--help"], { cwd });
    const help = stdout.toString();
    expect(status).toBe(0);
    expect(help).toMatch(/Options:\n/);
    expect(help).toMatch(new RegExp(`Examples:\n  \\$ b2frame ${name} `));
  });

  it("knows its version", () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(runCli(["--version"], { cwd }).stdout.toString()).toBe(`${version}\n`);
  });
});

describe("a bad call", () => {
  it.each([
    ["no command", []],
    ["an unknown command", ["frobnicate"]],
    ["an unknown option", ["info", "--frobnicate", "x"]],
    ["a missing argument", ["pack", "x"]],
    ["an argument too many", ["info", "a", "b"]],
    ["a bad number", ["cat", "x", "--chunk", "-1"]],
    ["a backend that there is not", ["info", "x", "--io", "fopen"]],
    ["no such file", ["info", "none"]],
  ])("is exit code 2: %s", (name, args) => {
    const { status, stdout, stderr } = runCli(args, { cwd });
    expect(status).toBe(2);
    expect(stdout.byteLength).toBe(0);
    if (name !== "no command") expect(stderr).toMatch(/^b2frame: [^\n]+\n(\(Did you mean [^\n]+\n)?$/);
  });
});

describe("a signal", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("%s ends packing, and leaves nothing behind", async (signal) => {
    const child = startCli(["pack", "-", "out.b2frame", "--chunksize", "1M"], { cwd });
    const exit = once(child, "exit");
    const { stdin } = child;
    if (stdin === null) throw new Error("no standard input");
    stdin.on("error", () => {});
    const megabyte = new Uint8Array(1 << 20);
    // The output has begun when its file is there; more input lets the program look up.
    while (!readdirSync(cwd).some((name) => name.startsWith(".b2new-")))
      await new Promise((done) => stdin.write(megabyte, done));
    child.kill(signal);
    const feeding = setInterval(() => stdin.write(megabyte), 10);
    const [code, by] = await exit;
    clearInterval(feeding);
    expect([code, by]).toEqual([null, signal]);
    expect(readdirSync(cwd).filter((name) => /out\.b2frame|^\.b2new-/.test(name))).toEqual([]);
  });
});

describe("a reader that goes away", () => {
  it.each([
    ["cat", ["cat", "big.b2frame"]],
    ["ls", ["ls", "many.b2frame"]],
  ])("ends %s without a word", async (_, args) => {
    createSChunk(join(cwd, "big.b2frame"), { data: new Uint8Array(1 << 24), chunksize: 1 << 20 }).close();
    const many = createSChunk(join(cwd, "many.b2frame"), { data: new Uint8Array(20_000), chunksize: 1 });
    many.close();
    const child = startCli(args, { cwd });
    const exit = once(child, "exit");
    let complaint = "";
    child.stderr?.on("data", (data) => {
      complaint += data;
    });
    child.stdout?.once("data", () => child.stdout?.destroy());
    expect(await exit).toEqual([0, null]);
    expect(complaint).toBe("");
  });

  it("reports a full device", () => {
    writeFileSync(join(cwd, "in"), new Uint8Array(1000));
    const { status, stderr } = runCli(["pack", "in", "/dev/full"], { cwd });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^b2frame: \/dev\/full: write failed: ENOSPC/);
  });
});
