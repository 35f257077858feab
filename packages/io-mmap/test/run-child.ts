/** Code run in a process of its own: what it does may be the end of it. @module */
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

export interface ChildResult {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

const PACKAGE = dirname(dirname(fileURLToPath(import.meta.url)));

/** Runs an ES module that may import this package by its name, that is, as it is built. `args` are `process.argv` from 1 on. */
export function runChild(source: string, args: readonly string[], command: readonly string[] = []): ChildResult {
  const [program = process.execPath, ...before] = [...command, process.execPath];
  const { status, signal, stdout, stderr } = spawnSync(
    program,
    [...before, "--input-type=module", "-e", source, "--", ...args],
    { cwd: PACKAGE, encoding: "utf8", env: { ...process.env, NODE_OPTIONS: "" } },
  );
  return { status, signal, stdout, stderr };
}
