import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { runCli, runGood } from "../run-cli.js";

const cwd = temporaryFolder();

describe("help", () => {
  it("tells of topics and commands, and names them all where there is none", () => {
    expect(runGood(["help", "exit-codes"], { cwd })).toMatch(/^1 {2}the file is bad/m);
    expect(runGood(["help", "stats"], { cwd })).toBe(runGood(["stats", "--help"], { cwd }));
    const all = runGood(["help"], { cwd });
    for (const name of ["info", "part", "completion", "urls", "index"])
      expect(all).toMatch(new RegExp(`^ {2}${name}\\b`, "m"));
    expect(runCli(["help", "nothing"], { cwd })).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/no help on "nothing".*info.*exit-codes/),
    });
  });

  it("fits the width that there is", () => {
    for (const columns of ["60", "80"]) {
      const text = runGood(["help", "urls"], { cwd, env: { COLUMNS: columns } });
      expect(Math.max(...text.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(Number(columns));
    }
  });

  it("makes a manual page of the same texts, in which nothing is a command to troff by accident", () => {
    const page = runGood(["help", "--man"], { cwd });
    for (const part of [".SS b2frame part write", "\\fB\\-\\-codec <name>\\fR", ".SH EXIT CODES"])
      expect(page).toContain(part);
    const macros = new Set(page.split("\n").flatMap((line) => /^[.']\S*/.exec(line)?.[0] ?? []));
    expect([...macros].sort()).toEqual([".PP", ".SH", ".SS", ".TH", ".TP", '.\\"', ".fi", ".nf"]);
    // The package brings it along, as the build made it.
    expect(readFileSync(new URL("../../dist/b2frame.1", import.meta.url), "utf8")).toBe(page);
  });
});

/** What bash would offer for the last of some words. */
function offered(...words: string[]): string[] {
  const script = `
    source ./b2frame.bash
    COMP_WORDS=(b2frame ${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length}
    _b2frame; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", script], { cwd, encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((line) => line !== "");
}

describe("completion", () => {
  it("lets bash complete commands, options, values and files", () => {
    writeFileSync(join(cwd, "b2frame.bash"), runGood(["completion", "bash"], { cwd }));
    writeFileSync(join(cwd, "volume.b2nd"), "");
    expect(offered("st")).toEqual(["stats"]);
    expect(offered("pack", "--chunks")).toEqual(["--chunksize", "--chunks"]);
    expect(offered("plot", "--map", "vi")).toEqual(["viridis"]);
    expect(offered("part", "fi")).toEqual(["finalize"]);
    expect(offered("part", "write", "--one")).toEqual(["--one-based"]);
    expect(offered("info", "vol")).toEqual(["volume.b2nd"]);
    expect(offered("stats", "--dtype", "vol")).toEqual(["volume.b2nd"]);
  });

  it("has every command and option for zsh and fish, too", () => {
    const commands = ["info", "stats", "part"];
    const zsh = runGood(["completion", "zsh"], { cwd });
    const fish = runGood(["completion", "fish"], { cwd });
    expect(zsh.startsWith("#compdef b2frame\n")).toBe(true);
    for (const name of commands) {
      expect(zsh).toContain(`'${name}:`);
      expect(fish).toContain(`-n __fish_use_subcommand -a ${name} `);
    }
    expect(fish).toContain("-l scale -x -a 'linear log symlog'");
    expect(zsh).toContain(":value:(linear log symlog)");
    // In single quotes, a quote ends them, stands for itself, and begins them again.
    expect(zsh).toContain("C-Blosc2'\\''s defaults");
    expect(runCli(["completion", "tcsh"], { cwd })).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/bash, zsh, fish/),
    });
  });
});
