#!/usr/bin/env node
/**
 * `pnpm interop [--seed N] [--programs N]`: seeded random programs, each run by b2frame and by python-blosc2 in turn on the
 * same files. Prints each disagreement with its seed and ends with `N passed, N failed`.
 *
 * @module
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkLocking } from "./check-locking.js";
import { checkValues } from "./check-values.js";
import { checkZarr } from "./check-zarr.js";
import { generateArrayProgram } from "./generate-array-program.js";
import { generateFrameProgram } from "./generate-frame-program.js";
import { generateStoreProgram } from "./generate-store-program.js";
import { makeParticipants } from "./participants.js";
import { runProgram } from "./program-run.js";
import { PythonPeer } from "./python-peer.js";
import { bindArrayProgram } from "./run-array-program.js";
import { bindFrameProgram } from "./run-frame-program.js";
import { bindStoreProgram } from "./run-store-program.js";
import { pythonWithBlosc2 } from "./virtual-environment.js";
import { listWrittenFiles } from "./written-files.js";

const USAGE = `usage: pnpm interop [--seed N] [--programs N] [--list-written FILE | --same-as FILE]

Runs N random programs on frames, N on arrays, N on stores, N on Zarr arrays, N on values of vlmetalayers and N on frames that
all have open at the same time (default 400), the first from seed N (default 1).
B2FRAME_PYTHON names a Python that has blosc2; without it a virtual environment is made.

  --list-written FILE  no Python: b2frame alone runs the programs, and FILE lists digests of all that it wrote
  --same-as FILE       the same, and compares with the list of another version: files must be byte-identical`;

function natural(option: string, value: string): number {
  if (!/^\d+$/.test(value)) throw new Error(`${option}: expected a number, found ${value}\n\n${USAGE}`);
  return Number(value);
}

async function run(firstSeed: number, programs: number): Promise<number> {
  const participants = await makeParticipants();
  const scratch = mkdtempSync(join(tmpdir(), "b2frame-interop-"));
  const python = pythonWithBlosc2();
  const peer = new PythonPeer(python);
  const second = new PythonPeer(python);
  let failed = 0;
  const attempt = async (kind: string, seed: number, run: () => Promise<void>): Promise<void> => {
    try {
      await run();
    } catch (error) {
      failed += 1;
      console.log(`FAILED ${kind} program, --seed ${seed}: ${(error as Error).message}`);
    }
  };
  try {
    for (let seed = firstSeed; seed < firstSeed + programs; seed += 1) {
      await attempt("frame", seed, () => {
        const path = join(scratch, "frame.b2frame");
        return runProgram(bindFrameProgram(generateFrameProgram(seed), path, participants), peer);
      });
      await attempt("array", seed, () => {
        const path = join(scratch, "array.b2nd");
        return runProgram(bindArrayProgram(generateArrayProgram(seed), path, participants), peer);
      });
      await attempt("store", seed, () =>
        runProgram(bindStoreProgram(generateStoreProgram(seed), join(scratch, "store"), participants), peer),
      );
      await attempt("zarr", seed, () => checkZarr(seed, join(scratch, "array.zarr"), participants, peer));
      await attempt("values", seed, () => checkValues(seed, join(scratch, "values.b2frame"), participants, peer));
      await attempt("locking", seed, async () => {
        const folder = mkdtempSync(join(scratch, "locked-"));
        await checkLocking(seed, folder, [peer, second]);
        rmSync(folder, { recursive: true });
      });
    }
  } finally {
    peer.close();
    second.close();
    rmSync(scratch, { recursive: true });
  }
  console.log(`${6 * programs - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** Lists what is written, or compares it with another version's list. */
async function runAlone(firstSeed: number, programs: number, listFile: string, compare: boolean): Promise<number> {
  const found = await listWrittenFiles(firstSeed, programs);
  if (!compare) {
    writeFileSync(listFile, `${found.join("\n")}\n`);
    console.log(`${found.length} segments listed`);
    return 0;
  }
  const expected = readFileSync(listFile, "utf8").trimEnd().split("\n");
  const count = Math.max(expected.length, found.length);
  let failed = 0;
  for (let i = 0; i < count; i += 1) {
    if (found[i] === expected[i]) continue;
    failed += 1;
    console.log(`FAILED: expected ${expected[i] ?? "nothing"}, found ${found[i] ?? "nothing"}`);
  }
  console.log(`${count - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

try {
  const { values } = parseArgs({
    args: process.argv.slice(2).filter((argument) => argument !== "--"),
    options: {
      seed: { type: "string", default: "1" },
      programs: { type: "string", default: "400" },
      "list-written": { type: "string" },
      "same-as": { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const [seed, programs] = [natural("--seed", values.seed), natural("--programs", values.programs)];
  const listFile = values["same-as"] ?? values["list-written"];
  if (values.help) console.log(USAGE);
  else if (listFile !== undefined) {
    process.exitCode = await runAlone(seed, programs, listFile, values["same-as"] !== undefined);
  } else process.exitCode = await run(seed, programs);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
