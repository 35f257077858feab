#!/usr/bin/env node
/** `pnpm bench`: see `--help`. @module */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultEngine } from "@b2frame/core/codec";
import { registerNodeCodecs } from "@b2frame/node-codecs";
import { type BenchRequest, parseCommandLine, USAGE, UsageError } from "./arguments.js";
import { BenchContext } from "./bench-context.js";
import { describeMachine, type Environment, packageVersion } from "./environment.js";
import { CLEVEL, CODEC } from "./parameters.js";
import { CDriver } from "./peer/c-driver.js";
import { writeHtml } from "./report/html.js";
import { writeJson } from "./report/json.js";
import { describeEnvironment, renderTables } from "./report/table.js";
import { runCases } from "./run-cases.js";

/** What ends a run early, and the exit codes by which a shell knows them. */
const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;

/** Shown on a terminal only, on one line that is written over. */
function announce(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

/** The C driver; or why there is none, unless it was asked for by name. */
function startDriver(request: BenchRequest, folder: string): CDriver | string {
  if (!request.peers.includes("c-blosc2")) return "not asked for";
  try {
    return CDriver.start(folder);
  } catch (error) {
    if (request.peersRequired) throw error;
    return (error as Error).message.trim().split("\n").at(-1) ?? "";
  }
}

async function describe(request: BenchRequest, folder: string, driver: CDriver | string): Promise<Environment> {
  const numcodecs = request.peers.includes("numcodecs");
  return {
    date: new Date().toISOString(),
    machine: describeMachine(folder),
    node: process.versions.node,
    versions: {
      node: process.versions.node,
      b2frame: packageVersion("@b2frame/core"),
      ...(typeof driver === "string" ? {} : { "c-blosc2": await driver.version() }),
      ...(numcodecs ? { numcodecs: packageVersion("numcodecs") } : {}),
      zarrita: packageVersion("zarrita"),
    },
    parameters: {
      codec: CODEC,
      clevel: CLEVEL,
      filters: ["shuffle"],
      mib: request.mib,
      cache: "warm",
      engine: defaultEngine().name,
      samples: request.samples,
      seconds: request.seconds,
    },
    absentPeers: {
      ...(typeof driver === "string" ? { "c-blosc2": driver } : {}),
      ...(numcodecs ? {} : { numcodecs: "not asked for" }),
    },
  };
}

async function measure(request: BenchRequest, folder: string): Promise<number> {
  const driver = startDriver(request, folder);
  try {
    const environment = await describe(request, folder, driver);
    for (const line of describeEnvironment(environment)) console.log(line);
    const context = new BenchContext({
      folder,
      mib: request.mib,
      dataNames: request.dataNames,
      driver: typeof driver === "string" ? undefined : driver,
      numcodecs: request.peers.includes("numcodecs"),
    });
    const { results, failures } = await runCases(request.cases, context, request, announce);
    announce("");
    console.log(`\n${renderTables(results)}`);
    for (const failure of failures) console.error(`\nFAILED ${failure.case}: ${failure.error.message}`);
    const report = { environment, results };
    if (request.json !== undefined) writeJson(request.json, report);
    if (request.html !== undefined) writeHtml(request.html, report);
    return failures.length === 0 ? 0 : 1;
  } finally {
    if (typeof driver !== "string") driver.close();
  }
}

async function run(args: readonly string[]): Promise<number> {
  const request = parseCommandLine(args);
  if (request === "help") {
    console.log(USAGE);
    return 0;
  }
  registerNodeCodecs();
  const folder = mkdtempSync(join(request.directory ?? tmpdir(), "b2frame-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const [signal, status] of SIGNALS) process.once(signal, () => process.exit(status));
  return await measure(request, folder);
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  if (error instanceof UsageError) console.error(`\n${USAGE}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
