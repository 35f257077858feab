import { readFileSync, statSync } from "node:fs";
import type { IoBackend } from "@b2frame/core";
import { runIoBackendSuite } from "@b2frame/io-contract";
import { temporaryFiles } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { type MmapOptions, mmap } from "../src/index.js";
import { AVAILABLE } from "./drivers.js";

const files = temporaryFiles();
const test = { describe, expect, it };
const inspect = {
  bytes: (path: string): Uint8Array => readFileSync(path),
  modified: (path: string): bigint => statSync(path, { bigint: true }).mtimeNs,
};

/** The plain drivers get the full number of random runs, their variants fewer. */
const MODEL_RUNS_OF_VARIANTS = 15;

function run(name: string, options: MmapOptions, modelRuns?: number): void {
  const quiet: MmapOptions = { onDiagnostic: () => {}, ...options };
  runIoBackendSuite({
    name,
    backend: () => mmap(quiet),
    makePath: files.path,
    test,
    inspect,
    ...(modelRuns && { modelRuns }),
  });
}

/** Windows of one page: almost every read straddles some, and is a copy; the suite's check of shared memory does not apply. */
function singlePages(options: MmapOptions): IoBackend {
  const backend = mmap({ onDiagnostic: () => {}, windowSize: 1, ...options });
  return Object.assign(Object.create(backend) as IoBackend, {
    capabilities: { ...backend.capabilities, zeroCopy: false },
    open: backend.open.bind(backend),
    openNew: backend.openNew?.bind(backend),
    identify: backend.identify?.bind(backend),
    resolveLinks: backend.resolveLinks?.bind(backend),
    exists: backend.exists.bind(backend),
    remove: backend.remove.bind(backend),
    rename: backend.rename.bind(backend),
  });
}

for (const driver of AVAILABLE) {
  run(driver, { driver });
  run(
    `${driver}, windows of 128 KiB, reserving one page`,
    { driver, windowSize: 131_072, initialMappingSize: 1 },
    MODEL_RUNS_OF_VARIANTS,
  );
  run(`${driver}, one map at most`, { driver, maxMaps: 1, windowSize: 2 ** 20 }, MODEL_RUNS_OF_VARIANTS);
  runIoBackendSuite({
    name: `${driver}, windows of one page`,
    backend: () => singlePages({ driver }),
    makePath: files.path,
    test,
    inspect,
    modelRuns: MODEL_RUNS_OF_VARIANTS,
  });
}

if (AVAILABLE.includes("koffi") && process.platform === "linux") {
  run("koffi, writes through the map", { driver: "koffi", writes: "map" }, MODEL_RUNS_OF_VARIANTS);
  run(
    "koffi, writes through small windows",
    {
      driver: "koffi",
      writes: "map",
      windowSize: 131_072,
      initialMappingSize: 1,
    },
    MODEL_RUNS_OF_VARIANTS,
  );
}
