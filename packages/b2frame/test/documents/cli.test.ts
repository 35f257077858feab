import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@b2frame/test-kit";
import { expect, it } from "vitest";
import { createStore } from "../../src/index.js";

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const page = readFileSync(new URL("../../../../docs/cli.md", import.meta.url), "utf8");
const folder = temporaryFolder();
/** Two dozen programs, on a machine that may have other things to do. */
const TIMEOUT_MS = 180_000;

interface Example {
  readonly command: string;
  readonly output: string;
}

/** The examples in a block: a line with `$`, perhaps lines with `>`, and what they print. */
function examplesIn(block: string): Example[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const lines = text.trimEnd().split("\n");
      const end = lines.findIndex((line, i) => i > 0 && !line.startsWith("> "));
      const commandLines = lines.slice(0, end === -1 ? undefined : end);
      return {
        command: commandLines.map((line) => line.replace(/^> /, "")).join("\n"),
        output: end === -1 ? "" : `${lines.slice(end).join("\n")}\n`,
      };
    });
}

/** A pattern for output in which `...` stands for anything. */
function pattern(output: string): RegExp {
  const parts = output.split("...").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^]*?")}$`);
}

const examples = [...page.matchAll(/^```console\n(.*?)^```$/gms)].flatMap((match) => examplesIn(match[1] as string));

it("has examples of every command", () => {
  for (const name of [
    "info",
    "ls",
    "cat",
    "stats",
    "pack",
    "pack-all",
    "unpack",
    "slice",
    "convert",
    "verify",
    "repair",
    "compact",
    "part",
  ]) {
    expect(examples.some(({ command }) => command.includes(`b2frame ${name} `))).toBe(true);
  }
});

it(
  "has examples that print what it says",
  () => {
    const bin = join(folder, "bin");
    const cwd = join(folder, "work");
    mkdirSync(bin);
    mkdirSync(cwd);
    const store = createStore(join(cwd, "run.b2z"));
    store.set(
      "/images/first",
      Uint8Array.from({ length: 3000 }, (_, i) => i * i),
    );
    store.set("/images/second", Float64Array.of(1, 2, 3));
    store.close();
    writeFileSync(join(bin, "b2frame"), `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
    chmodSync(join(bin, "b2frame"), 0o755);
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, NO_COLOR: "1", LC_ALL: "C" };
    for (const { command, output } of examples) {
      const { stdout, stderr } = spawnSync("bash", ["-o", "pipefail", "-c", command], { cwd, env, encoding: "utf8" });
      expect({ command, stderr }).toEqual({ command, stderr: "" });
      expect(stdout).toMatch(pattern(output));
    }
  },
  TIMEOUT_MS,
);
