/** Programs that must end well. @module */
import { spawn } from "node:child_process";
import { delimiter } from "node:path";

/** Far above what any of them takes; a hang must end all the same. */
const TIMEOUT_MS = 300_000;
/** What is shown of a program that failed. */
const SHOWN = 4000;

/**
 * @typedef {object} RunOptions
 * @property {string} cwd
 * @property {string} [path] a folder that comes first on the PATH
 * @property {NodeJS.ProcessEnv} [env] variables besides those of this process
 * @property {number} [timeout] milliseconds
 */

/**
 * Runs a program and gives what it prints on standard output.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {RunOptions} options
 * @returns {Promise<string>}
 * @throws Error with all that it printed, unless its exit code is 0
 */
export async function run(file, args, { cwd, path, env = {}, timeout = TIMEOUT_MS }) {
  const before = path === undefined ? "" : `${path}${delimiter}`;
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, NO_COLOR: "1", CI: "true", ...env, PATH: `${before}${process.env.PATH}` },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) {
    child[name].setEncoding("utf8").on("data", (text) => {
      printed[name] += text;
    });
  }
  // The program's own children too: npm and npx start others.
  const timer = setTimeout(() => process.kill(-child.pid, "SIGKILL"), timeout);
  try {
    const ending = await new Promise((done, fail) => {
      child.on("error", fail);
      child.on("close", (code, signal) => done(signal === null ? `exit code ${code}` : `ended by ${signal}`));
    });
    if (ending === "exit code 0") return printed.stdout;
    const output = `${printed.stdout}${printed.stderr}`.trim().slice(-SHOWN);
    throw new Error(`${[file, ...args].join(" ")}: ${ending}\n${output}`);
  } finally {
    clearTimeout(timer);
  }
}
