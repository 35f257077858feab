/**
 * `pnpm release:check`: packs the public packages and tries them in empty folders, as those who install them will. Prints a line for each
 * check with its time, and ends with `N passed, N failed`.
 *
 * @module
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { CHECKS } from "./checks.mjs";
import { closeChromium } from "./chromium.mjs";
import { NotChecked } from "./expect.mjs";
import { Release } from "./release.mjs";
import { run } from "./run-program.mjs";

const HELP = `Usage: pnpm release:check [options]

Builds and packs the public packages and tries the tarballs in empty folders: runtimes, types, bundles in Chromium, test runners, the
installation. Needs npm's registry, and Chromium on the PATH or in B2FRAME_CHROMIUM. Tools are kept in node_modules/.cache/release.

  --only NAME   only checks whose name contains NAME
  --quick       only those that every change is held against
  --prove       break the packages for each check, too, and expect it to fail
  --no-build    pack what is built
  --keep        leave the folders where they are
  --list        list the checks
  --help        show this
`;

/** @type {{ values: Record<string, any> }} */
const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    quick: { type: "boolean" },
    prove: { type: "boolean" },
    "no-build": { type: "boolean" },
    keep: { type: "boolean" },
    list: { type: "boolean" },
    help: { type: "boolean" },
  },
});

const counts = { passed: 0, failed: 0 };
/** What was neither, told once more at the end. */
const unknown = [];

/**
 * Runs one check, or one proof of a check, and prints its line.
 *
 * @param {string} name
 * @param {() => unknown} body
 */
async function tell(name, body) {
  const start = performance.now();
  let verdict;
  try {
    const figure = await body();
    counts.passed += 1;
    verdict = figure === undefined ? "good" : `good, ${figure}`;
  } catch (error) {
    if (error instanceof NotChecked) {
      verdict = `${error.state}: ${error.message}`;
      unknown.push(`${name}: ${verdict}`);
    } else {
      counts.failed += 1;
      verdict = `BAD\n${error.message}`;
    }
  }
  const [first, ...rest] = verdict.split("\n");
  console.log([`${name}: ${first} (${((performance.now() - start) / 1000).toFixed(1)} s)`, ...rest].join("\n  "));
}

/**
 * A check must fail on packages that were broken for it, and say why.
 *
 * @param {Release} release
 * @param {import("./checks.mjs").Check} check
 * @param {import("./release.mjs").Spoil} spoil
 */
async function prove(release, check, spoil) {
  try {
    await check.run(release.spoiled(spoil));
  } catch (error) {
    if (error instanceof NotChecked) throw error;
    if (spoil.expects.test(error.message)) return;
    throw new Error(`it fails, but not with ${spoil.expects}:\n${error.message}`);
  }
  throw new Error("it passes all the same: it proves nothing");
}

async function checkAll(checks) {
  if (!options["no-build"]) {
    await tell("build", async () => {
      await run("pnpm", ["run", "build"], { cwd: resolve(".") });
    });
  }
  const scratch = mkdtempSync(join(tmpdir(), "b2frame-release-"));
  let release;
  try {
    release = await Release.pack(scratch);
    for (const check of checks) {
      await tell(check.name, () => check.run(release));
      if (!options.prove) continue;
      for (const spoil of check.spoils) {
        await tell(`  notices ${spoil.name}`, () => prove(release, check, spoil));
      }
    }
  } finally {
    await release?.close();
    await closeChromium();
    if (options.keep) console.log(`left in ${scratch}`);
    else rmSync(scratch, { recursive: true, maxRetries: 3 });
  }
  for (const line of unknown) console.log(`NOT KNOWN: ${line}`);
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed === 0 ? 0 : 1;
}

const chosen = CHECKS.filter(({ name, quick }) => name.includes(options.only ?? "") && (quick || !options.quick));
if (options.help) console.log(HELP);
else if (options.list) console.log(chosen.map(({ name }) => name).join("\n"));
else if (chosen.length > 0) await checkAll(chosen);
else {
  console.error(`no check has "${options.only}" in its name; --list lists them`);
  process.exitCode = 2;
}
