/**
 * Packs each public package as it would be published and checks the tarball with publint and Are The Types Wrong.
 * Prints one line for each package and ends with `N passed, N failed`.
 *
 * @module
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const publint = "node_modules/publint/src/cli.js";
const attw = "node_modules/@arethetypeswrong/cli/dist/index.js";

/** @param {string} folder */
async function check(folder) {
  const target = mkdtempSync(join(tmpdir(), "b2frame-pack-"));
  try {
    await run("pnpm", ["pack", "--pack-destination", target], { cwd: folder });
    const tarball = join(target, readdirSync(target)[0]);
    await run(process.execPath, [publint, "run", tarball, "--strict"]);
    await run(process.execPath, [attw, tarball, "--profile", "esm-only"]);
    return "";
  } catch (error) {
    return `${error.message}\n${error.stdout ?? ""}${error.stderr ?? ""}`;
  } finally {
    rmSync(target, { recursive: true });
  }
}

let failed = 0;
let passed = 0;
for (const name of readdirSync("packages")) {
  const { private: isPrivate } = JSON.parse(readFileSync(join("packages", name, "package.json"), "utf8"));
  if (isPrivate) continue;
  const problem = await check(join("packages", name));
  console.log(`${name}: ${problem === "" ? "good" : `BAD\n${problem}`}`);
  if (problem === "") passed += 1;
  else failed += 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
