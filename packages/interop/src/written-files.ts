/**
 * What b2frame alone writes when it runs the programs: a digest of every file after every segment. Two versions of b2frame that write the
 * same bytes give the same list, so a change of the code that must not change files is checked by comparing lists.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { defaultCodecs } from "@b2frame/core";
import { defaultEngine } from "@b2frame/core/codec";
import { registerZstd } from "@b2frame/core/zstd";
import { mmap } from "@b2frame/io-mmap";
import { stdio } from "@b2frame/io-stdio";
import { generateArrayProgram } from "./generate-array-program.js";
import { generateFrameProgram } from "./generate-frame-program.js";
import { generateStoreProgram } from "./generate-store-program.js";
import type { Participant } from "./participants.js";
import { bindArrayProgram } from "./run-array-program.js";
import { bindFrameProgram } from "./run-frame-program.js";
import { bindStoreProgram } from "./run-store-program.js";

/** Both engines through both backends, with the codecs that are the same on every Node. */
async function makeWriters(): Promise<readonly Participant[]> {
  const codecs = defaultCodecs.clone();
  await registerZstd(codecs);
  return (["kernels", "portable"] as const).flatMap((name) => {
    const options = { engine: defaultEngine({ engine: name, codecs }), codecs };
    return [stdio(), mmap()].map((backend) => ({ name: `${name}, ${backend.name}`, backend, options }));
  });
}

/** The files at or below a path, sorted. */
function filesAt(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function digestOf(folder: string): string {
  const hash = createHash("sha256");
  for (const file of filesAt(folder)) {
    const bytes = readFileSync(file);
    hash.update(`${relative(folder, file)} ${bytes.byteLength}\n`).update(bytes);
  }
  return hash.digest("hex").slice(0, 32);
}

/**
 * Runs programs `firstSeed` and following of each kind.
 *
 * @returns a line for every segment: kind, seed, segment, digest of all files.
 */
export async function listWrittenFiles(firstSeed: number, programs: number): Promise<string[]> {
  const writers = await makeWriters();
  const lines: string[] = [];
  for (let seed = firstSeed; seed < firstSeed + programs; seed += 1) {
    const folder = mkdtempSync(join(tmpdir(), "b2frame-written-"));
    const list = (kind: string, segments: number, write: (segment: number) => void): void => {
      for (let segment = 0; segment < segments; segment += 1) {
        write(segment);
        lines.push(`${kind} ${seed} ${segment} ${digestOf(folder)}`);
      }
    };
    const frame = bindFrameProgram(generateFrameProgram(seed), join(folder, "frame.b2frame"), writers);
    list("frame", frame.segments.length, (i) => frame.write(frame.segments[i] ?? [], i === 0));
    const array = bindArrayProgram(generateArrayProgram(seed), join(folder, "array.b2nd"), writers);
    list("array", array.segments.length, (i) => array.write(array.segments[i] ?? [], i === 0));
    const store = bindStoreProgram(generateStoreProgram(seed), join(folder, "store"), writers);
    list("store", store.segments.length, (i) => store.write(store.segments[i] ?? [], i === 0));
    rmSync(folder, { recursive: true });
  }
  return lines;
}
