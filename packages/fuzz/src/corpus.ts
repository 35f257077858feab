/** Inputs that earlier runs found interesting. @module */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decodeInput, encodeInput, type Input, type NamedInput } from "./input.js";

const root = fileURLToPath(new URL("../corpus", import.meta.url));
const SUFFIX = ".input";
/** All of a target's inputs together. */
const MAX_TARGET_BYTES = 32_000;

/** A file that holds one input. */
export function readInput(path: string): NamedInput {
  return { name: path, ...decodeInput(new Uint8Array(readFileSync(path))) };
}

/** Writes one input to a file named after its content, and says where. */
export function writeInput(directory: string, input: Input): string {
  const bytes = encodeInput(input);
  const path = join(directory, `${createHash("sha256").update(bytes).digest("hex").slice(0, 12)}${SUFFIX}`);
  mkdirSync(directory, { recursive: true });
  writeFileSync(path, bytes);
  return path;
}

/** The inputs kept for a target. */
export function readCorpus(target: string): NamedInput[] {
  const directory = join(root, target);
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.endsWith(SUFFIX))
    .sort()
    .map((name) => readInput(join(directory, name)));
}

/** Keeps what fits of `found`, the smallest first, beside what is kept already. */
export function extendCorpus(target: string, found: readonly Input[]): number {
  let room = MAX_TARGET_BYTES;
  for (const input of readCorpus(target)) room -= encodeInput(input).byteLength;
  const sizes = found.map((input) => ({ input, size: encodeInput(input).byteLength })).sort((a, b) => a.size - b.size);
  let kept = 0;
  for (const { input, size } of sizes) {
    room -= size;
    if (room < 0) break;
    writeInput(join(root, target), input);
    kept += 1;
  }
  return kept;
}
