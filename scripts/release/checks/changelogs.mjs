/** What changesets make of the changes that were written down. @module */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { run } from "../run-program.mjs";
import { changeManifest } from "../spoils.mjs";

/** The files of the workspace that `changeset version` reads. */
const ROOT_FILES = ["package.json", "pnpm-workspace.yaml", ".changeset"];

/** A copy of the workspace without its code, as a repository of its own. */
function copyWorkspace() {
  const folder = mkdtempSync(join(tmpdir(), "b2frame-changelogs-"));
  for (const name of ROOT_FILES) cpSync(name, join(folder, name), { recursive: true });
  for (const name of readdirSync("packages")) {
    mkdirSync(join(folder, "packages", name), { recursive: true });
    for (const file of ["package.json", "CHANGELOG.md"]) {
      const from = join("packages", name, file);
      if (existsSync(from)) cpSync(from, join(folder, "packages", name, file));
    }
  }
  const git = (/** @type {string[]} */ ...args) => execFileSync("git", args, { cwd: folder, stdio: "ignore" });
  git("init", "--initial-branch", "main");
  git("add", "--all");
  git("-c", "user.name=release", "-c", "user.email=release@localhost", "commit", "--message", "workspace");
  return folder;
}

/**
 * The changelogs that `changeset version` leaves, by name of the package, each with the version that it gave.
 *
 * @param {string} folder
 * @returns {Map<string, { version: string, changelog: string }>}
 */
function changelogsIn(folder) {
  const packages = join(folder, "packages");
  return new Map(
    readdirSync(packages).map((name) => {
      const { name: called, version } = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8"));
      const file = join(packages, name, "CHANGELOG.md");
      return [called, { version, changelog: existsSync(file) ? readFileSync(file, "utf8") : "" }];
    }),
  );
}

/** @type {readonly import("../checks.mjs").Check[]} */
export const changelogChecks = [
  {
    name: "changeset version: a changelog for each package",
    async run(release) {
      const folder = copyWorkspace();
      try {
        await run(resolve("node_modules/.bin/changeset"), ["version"], { cwd: folder });
        const changelogs = changelogsIn(folder);
        const problems = release.names.flatMap((name) => {
          const { version, changelog } = changelogs.get(name) ?? { version: "", changelog: "" };
          return changelog.includes(`\n## ${version}\n`)
            ? []
            : [`${name} has no changes written down for its next version`];
        });
        if (problems.length > 0) throw new Error(problems.join("\n"));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    spoils: [
      {
        name: "a package of which no change was written down",
        package: "@b2frame/zarr",
        change: (folder) => changeManifest(folder, () => ({ name: "@b2frame/unheard-of" })),
        expects: /@b2frame\/unheard-of has no changes written down/,
      },
    ],
  },
];
