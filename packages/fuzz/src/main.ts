#!/usr/bin/env node
/**
 * `pnpm fuzz`: feeds damaged input to b2frame. Prints each kind of fault with a file that shows it, and ends with
 * `N passed, N failed`.
 *
 * @module
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zlibCodec } from "@b2frame/core/codec";
import { parseCommandLine, type Request, USAGE, UsageError } from "./arguments.js";
import { extendCorpus, writeInput } from "./corpus.js";
import { decodeInput } from "./input.js";
import type { Job } from "./protocol.js";
import { type JobResult, runJob } from "./run-job.js";
import { checkStreams } from "./streams/check-streams.js";
import { zlibStream } from "./streams/zlib-streams.js";
import type { TargetName } from "./targets/targets.js";

const MINUTE = 60_000;

function processorMinutes(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000 / MINUTE;
}

function printFindings(target: TargetName, { findings }: JobResult): number {
  let failed = 0;
  for (const { problem, input, count } of findings) {
    const path = writeInput(join(tmpdir(), "b2frame-fuzz-findings", target), decodeInput(input));
    console.log(`FAILED ${target}, ${count} times, as ${path}:\n${problem}`);
    failed += count;
  }
  return failed;
}

function runStreams({ streams, seed }: Request): number {
  const before = process.cpuUsage();
  const { read, refused, problems, faults } = checkStreams(zlibCodec, zlibStream, streams, seed);
  for (const problem of problems) console.log(`FAILED zlib ${problem}`);
  const used = `${processorMinutes(before).toFixed(2)} minutes of processor time`;
  console.log(`zlib streams: ${read} read, ${refused} refused by zlib, ${faults} faults, ${used}`);
  console.log(`${streams - faults} passed, ${faults} failed`);
  return faults === 0 ? 0 : 1;
}

async function run(request: Request): Promise<number> {
  let passed = 0;
  let failed = 0;
  const { quick, seed, paths, minutes } = request;
  const parts: Job["part"][] = paths.length > 0 ? ["replay"] : minutes > 0 ? ["changes", "search"] : ["changes"];
  for (const target of request.targets) {
    for (const part of parts) {
      const before = process.cpuUsage();
      const result = await runJob({ target, part, quick, seed, paths, milliseconds: minutes * MINUTE });
      const failures = printFindings(target, result);
      const kept = request.keep ? extendCorpus(target, result.found.map(decodeInput)) : 0;
      const used = `${processorMinutes(before).toFixed(2)} minutes of processor time`;
      const reached = part === "search" ? `; ${result.found.length} reached new code, ${kept} kept` : "";
      console.log(`${target}, ${part}: ${result.runs} inputs, ${failures} faults, ${used}${reached}`);
      failed += failures;
      passed += Math.max(0, result.runs - failures);
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

try {
  const request = parseCommandLine(process.argv.slice(2));
  if (request === "help") console.log(USAGE);
  else process.exitCode = request.streams > 0 ? runStreams(request) : await run(request);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  if (error instanceof UsageError) console.error(`\n${USAGE}`);
  process.exitCode = 2;
}
