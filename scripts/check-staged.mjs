/**
 * The pre-commit check: formats and lints the staged files with biome. A file staged as a whole is rewritten and staged
 * again; one that also has unstaged changes, or a commit of chosen paths, is only checked, so that nothing slips in.
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const CHECKED = /\.(?:[cm]?[jt]s|jsonc?)$/;
const biome = resolve("node_modules/@biomejs/biome/bin/biome");

/** @param {string[]} args */
function git(...args) {
  const { status, stdout, stderr } = spawnSync("git", args, { encoding: "utf8", maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`);
  return stdout;
}

/**
 * @param {string[]} args
 * @param {string} cwd
 */
function check(args, cwd) {
  const common = ["check", "--no-errors-on-unmatched", "--colors=off"];
  const { status, stdout, stderr } = spawnSync(process.execPath, [biome, ...common, ...args], {
    encoding: "utf8",
    cwd,
  });
  return status === 0 ? "" : stdout + stderr;
}

/**
 * Checks what is staged of `paths`, not what the working tree has.
 *
 * @param {string[]} files
 */
function checkStagedContent(files) {
  const copy = mkdtempSync(join(tmpdir(), "b2frame-staged-"));
  try {
    git("checkout-index", `--prefix=${copy}/`, "--", ...new Set(["biome.json", ...files]));
    return check(["--vcs-enabled=false", ...files], copy);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** @param {string} listing */
const paths = (listing) => listing.split("\0").filter((path) => CHECKED.test(path));

const staged = paths(git("diff", "--cached", "--name-only", "--diff-filter=ACMR", "-z"));
if (staged.length > 0 && !existsSync(biome)) {
  console.error("pre-commit: biome is not installed, so nothing was checked: run `pnpm install`");
} else if (staged.length > 0) {
  const index = process.env.GIT_INDEX_FILE ?? "index";
  const isWholeCommit = /(?:^|[/\\])index$/.test(index);
  const unstaged = new Set(paths(git("diff", "--name-only", "-z")));
  const whole = staged.filter((path) => isWholeCommit && !unstaged.has(path));
  const partial = staged.filter((path) => !whole.includes(path));
  let report = "";
  if (whole.length > 0) {
    report += check(["--write", ...whole], process.cwd());
    git("add", "--", ...whole);
  }
  if (partial.length > 0) report += checkStagedContent(partial);
  if (report !== "") {
    console.error(`${report}\npre-commit: mend the above; \`npx biome check --write FILE\` formats a file`);
    process.exit(1);
  }
}
