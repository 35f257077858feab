#!/usr/bin/env node
/** `pnpm torture COMMAND`: see {@link USAGE}. @module */
import { parseArgs } from "node:util";
import type { Durability } from "@b2frame/core";
import { flipBits } from "./bits.js";
import { cutPower } from "./cut.js";
import { failOperations } from "./fail.js";
import { fillDisks } from "./full.js";
import { killWriters } from "./kill.js";
import { exchangeLarge } from "./large.js";
import { measureMemory } from "./memory.js";
import { mutate } from "./mutate.js";
import { tortureParts } from "./parts/torture-parts.js";
import { injectFaults } from "./remote/remote-faults.js";
import { repairKilled } from "./repair-killed.js";
import { raceOnS3 } from "./s3/race-s3.js";
import { simulate } from "./simulate.js";
import { FirstFailure, Tally } from "./tally.js";

const USAGE = `usage: pnpm torture COMMAND [options]

Commands
  kill   kill writers at random instants, and read what they leave with b2frame and with C-Blosc2
           --trials N (default 200)  --io stdio|mmap (default stdio)
           --durability disk|process (default disk): either must keep commits when a process ends
  repair kill C-Blosc2 while it appends, and repair what it leaves
           --trials N (default 50)  --io stdio|mmap (default stdio)
  cut    cut the power at every instant of recorded workloads, and with random parts of what was not
         flushed on the disk, in random order
           --trials N random cuts (default 10000)
  fail   let each operation of workloads fail in turn, with EIO, ENOSPC and EMFILE
           --stride N: only each Nth operation (default 1)
  bits   flip every single bit of frames and stores with checksums: none may be read as something else, or give a raw error
           --stride N: only each Nth bit (default 1), from --seed on
  large  frames past 2 GiB and 4 GiB of sparse files, read and written by b2frame and C-Blosc2 in turn
  memory read a frame as a stream, open frames often, plan a million parts, and hold what memory that takes against limits
           --gib N (default 4)  --opens N (default 10000)
  simulate  writers, readers, programs that know nothing of frames, and kills, on one frame in a simulated file system: a seed
         decides who goes next at every call
           --trials N seeds, from --seed on (default 1000)
  parts  frames in parts, by processes that run in any order, twice and at once, one file system call after the other as a seed
         decides, and that are killed before any of them or in the middle of writing
           --trials N seeds, from --seed on (default 1000)
  full   write to a disk that is really full: a small tmpfs, which needs the right to mount one
  remote read arrays from a server on loopback that cuts, resets, stalls, compresses, replaces and mixes up what it sends
           --faults N (default 10000)
  s3     two writers that commit to one frame in S3, one of which is killed at random instants; run it by
           node scripts/ci/with-versitygw.mjs pnpm torture s3
           --commits N acknowledged ones, on each of two frames (default 1000)

  mutate take flushes, order and checks out of the commits in a copy of the built code, one at a time; cut, simulate or fail
         must notice each: one that none of them notices is a failure
           --seed N the first (default 1)  --stride N: only each Nth (default 1)

  --stop    end at the first failure
  --seed N  another run (default 1)    --help

Each prints the failures, and ends with "N passed, N failed". Exit status 0: none failed; 1: some did; 2: it could
not be run. kill, repair and large need Python: B2FRAME_PYTHON names one that has blosc2; without it a virtual environment is made.`;

function natural(option: string, value: string): number {
  if (!/^\d+$/.test(value)) throw new Error(`--${option}: expected a number, found ${value}\n\n${USAGE}`);
  return Number(value);
}

function backendName(value: string): "stdio" | "mmap" {
  if (value !== "stdio" && value !== "mmap") throw new Error(`--io: expected stdio or mmap, found ${value}`);
  return value;
}

function durabilityName(value: string): Durability {
  if (value !== "disk" && value !== "process") {
    throw new Error(`--durability: expected disk or process, found ${value}`);
  }
  return value;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2).filter((argument) => argument !== "--"),
    allowPositionals: true,
    options: {
      trials: { type: "string" },
      io: { type: "string", default: "stdio" },
      durability: { type: "string", default: "disk" },
      seed: { type: "string", default: "1" },
      gib: { type: "string", default: "4" },
      opens: { type: "string", default: "10000" },
      stride: { type: "string", default: "1" },
      stop: { type: "boolean", default: false },
      faults: { type: "string", default: "10000" },
      commits: { type: "string", default: "1000" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const [command, ...rest] = positionals;
  if (command === undefined || rest.length > 0) throw new Error(USAGE);
  const seed = natural("seed", values.seed);
  const trials = values.trials === undefined ? undefined : natural("trials", values.trials);
  const tally = new Tally(command, values.stop);
  const started = performance.now();
  if (command === "kill") {
    const durability = durabilityName(values.durability);
    await killWriters({ trials: trials ?? 200, io: backendName(values.io), seed, durability }, tally);
  } else if (command === "repair") {
    await repairKilled({ trials: trials ?? 50, io: backendName(values.io), seed }, tally);
  } else if (command === "cut") cutPower({ trials: trials ?? 10_000, seed }, tally);
  else if (command === "fail") failOperations({ seed, stride: Math.max(1, natural("stride", values.stride)) }, tally);
  else if (command === "bits") flipBits({ seed, stride: Math.max(1, natural("stride", values.stride)) }, tally);
  else if (command === "large") await exchangeLarge(tally);
  else if (command === "memory") {
    measureMemory({ gib: natural("gib", values.gib), opens: natural("opens", values.opens) }, tally);
  } else if (command === "simulate") simulate({ trials: trials ?? 1000, seed }, tally);
  else if (command === "parts") await tortureParts({ trials: trials ?? 1000, seed }, tally);
  else if (command === "mutate") mutate({ seed, stride: Math.max(1, natural("stride", values.stride)) }, tally);
  else if (command === "full") fillDisks({ seed }, tally);
  else if (command === "remote") await injectFaults({ faults: natural("faults", values.faults), seed }, tally);
  else if (command === "s3") await raceOnS3({ commits: natural("commits", values.commits), seed }, tally);
  else throw new Error(`unknown command ${command}\n\n${USAGE}`);
  console.log(`${command} took ${((performance.now() - started) / 1000).toFixed(1)} s`);
  console.log(tally.summary());
  return tally.failed === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof FirstFailure)) console.error((error as Error).message);
  process.exitCode = error instanceof FirstFailure ? 1 : 2;
}
