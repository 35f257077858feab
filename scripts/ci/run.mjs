/**
 * Runs the steps of `steps.mjs`, or those whose name contains the first argument. A step's output is shown when it fails.
 * Ends with a table of times and `N passed, N failed`.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { STEPS } from "./steps.mjs";

/** Far above what any step takes; a hang must end all the same. */
const STEP_TIMEOUT_MS = 1_200_000;
const SHOWN_OUTPUT = 30_000;

const scratch = mkdtempSync(join(tmpdir(), "b2frame-ci-"));

/**
 * @param {import("./steps.mjs").Step} step
 * @param {string} report
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
function execute(step, report) {
  const [file, ...args] = step.command;
  const env = { ...(step.env ?? process.env), B2FRAME_VITEST_REPORT: report };
  const child = spawn(file, args, { env, stdio: ["ignore", "pipe", "pipe"], timeout: STEP_TIMEOUT_MS });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data) => {
      output += data;
    });
  }
  return new Promise((done) => {
    child.on("error", (error) => done({ ok: false, output: `${output}${error.message}\n` }));
    child.on("close", (status, signal) => {
      done({ ok: status === 0, output: signal === null ? output : `${output}ended by ${signal}\n` });
    });
  });
}

/**
 * How many checks passed and failed. A step that failed has at least one failure.
 *
 * @param {import("./steps.mjs").Step} step
 * @param {{ ok: boolean, output: string }} result
 * @param {string} report
 */
function count(step, { ok, output }, report) {
  let passed = ok ? 1 : 0;
  let failed = ok ? 0 : 1;
  if (step.counts === "vitest") {
    try {
      const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8"));
      [passed, failed] = [numPassedTests, Math.max(numFailedTests, failed)];
    } catch {
      [passed, failed] = [0, 1];
    }
  } else if (step.counts === "summary") {
    const summary = [...output.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1);
    [passed, failed] = summary === undefined ? [0, 1] : [Number(summary[1]), Math.max(Number(summary[2]), failed)];
  }
  return { passed, failed };
}

const wanted = process.argv[2] ?? "";
const total = { passed: 0, failed: 0 };
for (const [index, step] of STEPS.entries()) {
  if (!step.name.includes(wanted)) continue;
  const started = performance.now();
  const report = join(scratch, `${index}.json`);
  const result = await execute(step, report);
  const { passed, failed } = count(step, result, report);
  total.passed += passed;
  total.failed += failed;
  const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6);
  console.log(`${seconds} s  ${failed === 0 ? "good" : "BAD "}  ${step.name}: ${passed} passed, ${failed} failed.`);
  if (failed > 0) console.log(result.output.slice(-SHOWN_OUTPUT));
  if (failed > 0 && step.required) break;
}
rmSync(scratch, { recursive: true });
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
