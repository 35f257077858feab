/**
 * Packs each public package as it would be published and checks the tarball: publint, Are The Types Wrong, and the rules for what every
 * package brings along. Each rule is first shown to fail on a package that was broken for it. Prints one line for each package and each
 * rule, and ends with `N passed, N failed`.
 *
 * @module
 */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { RULES } from "./packages/packed-rules.mjs";
import { pack, publicPackages } from "./packages/public-packages.mjs";
import { lookInto, unpack } from "./packages/unpack.mjs";

const run = promisify(execFile);
const publint = "node_modules/publint/src/cli.js";
const attw = "node_modules/@arethetypeswrong/cli/dist/index.js";

/**
 * What two tools say of a tarball; empty when they are content.
 *
 * @param {string} tarball
 */
async function askTools(tarball) {
  try {
    await run(process.execPath, [publint, "run", tarball, "--strict"]);
    await run(process.execPath, [attw, tarball, "--profile", "esm-only", "--exclude-entrypoints", "./package.json"]);
    return [];
  } catch (error) {
    return [`${error.message}\n${error.stdout ?? ""}${error.stderr ?? ""}`];
  }
}

/**
 * Breaks a package as the rule says, and gives what the rule finds then and did not find before.
 *
 * @param {import("./packages/packed-rules.mjs").Rule} rule
 * @param {import("./packages/packed-rules.mjs").Packed} good
 * @param {string} copy
 */
function foundWhenSpoiled(rule, good, copy) {
  cpSync(good.folder, copy, { recursive: true });
  rule.spoil(lookInto(copy, good.source));
  const before = rule.problems(good);
  return rule.problems(lookInto(copy, good.source)).filter((problem) => !before.includes(problem));
}

const scratch = mkdtempSync(join(tmpdir(), "b2frame-pack-"));
let failed = 0;
let passed = 0;

/**
 * @param {string} name
 * @param {string[]} problems
 */
function tell(name, problems) {
  console.log(`${name}: ${problems.length === 0 ? "good" : `BAD\n  ${problems.join("\n  ")}`}`);
  if (problems.length === 0) passed += 1;
  else failed += 1;
}

try {
  const packages = publicPackages();
  const tarballs = await pack(join(scratch, "tarballs"), packages);
  const unpacked = packages.map(({ name, folder }, i) =>
    lookInto(unpack(tarballs.get(name), join(scratch, `${i}`)), folder),
  );
  for (const [i, rule] of RULES.entries()) {
    const found = foundWhenSpoiled(rule, unpacked[0], join(scratch, `spoiled-${i}`));
    tell(`rule "${rule.name}" fails where it must`, found.length > 0 ? [] : ["it finds nothing in a broken package"]);
  }
  const checks = new Set(RULES.map(({ problems }) => problems));
  for (const packed of unpacked) {
    const { name } = packed.manifest;
    tell(name, [...[...checks].flatMap((check) => check(packed)), ...(await askTools(tarballs.get(name)))]);
  }
} finally {
  rmSync(scratch, { recursive: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
