#!/usr/bin/env node
/** `pnpm conformance DIR`: checks a corpus and reports. @module */
import { resolve } from "node:path";
import { parseCommandLine, USAGE, UsageError } from "./arguments.js";
import { isSelected, readManifest } from "./manifest.js";
import { type Outcome, runCorpus } from "./run-corpus.js";
import { makeSetups } from "./setup.js";

function report({ passed, failures, unsupported }: Outcome): void {
  for (const failure of failures) console.log(`FAILED ${failure}`);
  let refused = 0;
  for (const [feature, labels] of unsupported) {
    refused += labels.length;
    console.log(`unsupported: ${feature} (${labels.length})`);
    for (const label of labels) console.log(`  ${label}`);
  }
  console.log(`${refused} unsupported`);
  console.log(`${passed} passed, ${failures.length} failed`);
}

async function run(args: readonly string[]): Promise<number> {
  const request = parseCommandLine(args);
  if (request === "help") {
    console.log(USAGE);
    return 0;
  }
  const directory = resolve(request.directory);
  const entries = readManifest(directory).filter((entry) => isSelected(entry, request.only));
  if (entries.length === 0) throw new UsageError(`--only ${request.only.join(",")} matches no entry`);
  const outcome = runCorpus(directory, entries, await makeSetups(request));
  report(outcome);
  return outcome.failures.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  if (error instanceof UsageError) console.error(`\n${USAGE}`);
  process.exitCode = 2;
}
