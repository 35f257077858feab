/** What b2frame is tried with: the versions, and where they are installed. @module */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { run } from "./run-program.mjs";

/** Node lines that are supported, the newest release of each. */
export const NODE_VERSIONS = ["20.20.2", "22.23.5", "24.22.3", "26.12.1"];
export const BUN = "bun@1.4.5";
export const DENO = "deno@2.9.6";
/** The last release of each minor line. */
export const TYPESCRIPT_VERSIONS = ["5.4.5", "5.5.4", "5.6.3", "5.7.3", "5.8.3", "5.9.3", "6.0.3", "7.0.2"];
/** Types of the oldest supported Node. */
export const NODE_TYPES = "@types/node@20.19.43";
export const PLAYWRIGHT = "playwright-core@1.65.1";
export const BUNDLERS = {
  Vite: ["vite@8.4.0"],
  webpack: ["webpack@5.113.0", "webpack-cli@7.3.1"],
  esbuild: ["esbuild@0.28.2"],
  Rollup: ["rollup@4.68.9", "@rollup/plugin-node-resolve@16.0.3", "@rollup/plugin-commonjs@29.0.3"],
};
export const TEST_RUNNERS = { Vitest: ["vitest@4.1.12"], Jest: ["jest@30.5.2"] };

const CACHE = resolve("node_modules/.cache/release");
/** As npm names the packages with binaries of Node. */
const PLATFORM = process.platform === "win32" ? "win" : process.platform;

/**
 * Installs a tool, once for all runs.
 *
 * @param {string} spec
 * @returns {Promise<string>} the folder that has its `node_modules`
 */
export async function installTool(spec) {
  const folder = join(CACHE, spec.replaceAll("/", "+"));
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    writeFileSync(join(unfinished, "package.json"), '{ "private": true }\n');
    await run("npm", ["install", "--no-audit", "--no-fund", spec], { cwd: unfinished });
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

/**
 * The folder that has `node`, `npm` runs with it where the folder comes first on the PATH.
 *
 * @param {string} version
 */
export async function nodeFolder(version) {
  const name = `node-${PLATFORM}-${process.arch}`;
  return join(await installTool(`${name}@${version}`), "node_modules", name, "bin");
}

/**
 * The folder of a tool's commands.
 *
 * @param {string} spec
 */
export async function toolFolder(spec) {
  return join(await installTool(spec), "node_modules/.bin");
}
