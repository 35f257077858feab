/** `pnpm torture mutate`: takes flushes, order and checks out of the commits, and sees to it that the other commands notice. @module */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { edited, MUTATIONS, type Mutation } from "./mutations.js";
import type { Tally } from "./tally.js";

/** Options of {@link mutate}. */
export interface MutateOptions {
  /** Only every so manyeth mutation. */
  readonly stride: number;
  /** The first of these, from 1 on. */
  readonly seed: number;
}

const ROOT: string = fileURLToPath(new URL("../../../", import.meta.url));
/** What a copy of the packages does without. */
const LEFT_OUT: ReadonlySet<string> = new Set(["src", "test", "coverage", "bench-results"]);
/** Hanging is noticed, too. */
const TIMEOUT = 15 * 60_000;

/** Commands that must find a fault; each stops at the first thing that it finds. */
const DETECTORS: Readonly<Record<Mutation["by"], readonly string[]>> = {
  cut: ["cut", "--trials", "400"],
  simulate: ["simulate", "--trials", "1000"],
  fail: ["fail", "--stride", "7"],
};

/** Runs the detectors on a copy of the built packages, with each mutation in turn. */
export function mutate({ stride, seed }: MutateOptions, tally: Tally): void {
  const folder = mkdtempSync(join(tmpdir(), "b2frame-mutate-"));
  try {
    cpSync(join(ROOT, "packages"), join(folder, "packages"), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !LEFT_OUT.has(basename(path)) || path.includes("node_modules"),
    });
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    for (let i = seed - 1; i < MUTATIONS.length; i += stride) {
      const mutation = MUTATIONS[i] as Mutation;
      tally.attempt(`--seed ${i + 1} --stride ${MUTATIONS.length}: ${mutation.name}`, () => {
        const { by, finding } = withMutation(folder, mutation, () => detect(folder, mutation.by));
        console.log(`${i + 1}. ${mutation.name}: noticed by ${by}: ${finding}`);
      });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function withMutation<T>(folder: string, { edits }: Mutation, use: () => T): T {
  const before = new Map<string, string>();
  try {
    for (const edit of edits) {
      const path = join(folder, "packages/core/dist/frame", edit.file);
      const text = readFileSync(path, "utf8");
      if (!before.has(path)) before.set(path, text);
      writeFileSync(path, edited(text, edit));
    }
    return use();
  } finally {
    for (const [path, text] of before) writeFileSync(path, text);
  }
}

/** @throws Error if nothing noticed */
function detect(folder: string, first: Mutation["by"]): { readonly by: string; readonly finding: string } {
  const names = [first, ...(["cut", "simulate", "fail"] as const).filter((name) => name !== first)];
  for (const by of names) {
    const args = [join(folder, "packages/torture/dist/main.js"), ...DETECTORS[by], "--stop"];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: TIMEOUT });
    if (status === 0) continue;
    const [finding = stderr.trim().split("\n").at(-1) ?? ""] = stdout
      .split("\n")
      .filter((line) => line.startsWith("FAILED"));
    return { by, finding };
  }
  throw new Error("survives: no command notices that it is missing");
}
