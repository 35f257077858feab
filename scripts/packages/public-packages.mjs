/** The packages that are published, and their tarballs. @module */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
/** The list of what was packed names every file. */
const MAX_OUTPUT = 64 * 1024 * 1024;

/**
 * @typedef {object} PublicPackage
 * @property {string} name
 * @property {string} folder
 * @property {Record<string, unknown>} manifest as it stands in the workspace
 */

/** @returns {PublicPackage[]} by folder name */
export function publicPackages() {
  return readdirSync("packages")
    .map((name) => resolve("packages", name))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) }))
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ folder, manifest }) => ({ name: manifest.name, folder, manifest }));
}

/**
 * Packs packages as they would be published.
 *
 * @param {string} target a folder for the tarballs
 * @param {readonly PublicPackage[]} packages
 * @returns {Promise<Map<string, string>>} the tarballs by name of the package
 */
export async function pack(target, packages = publicPackages()) {
  mkdirSync(target, { recursive: true });
  const filters = packages.flatMap(({ name }) => ["--filter", name]);
  await run("pnpm", ["--recursive", ...filters, "pack", "--pack-destination", target], { maxBuffer: MAX_OUTPUT });
  const tarballs = new Map(
    packages.map(({ name, manifest }) => [
      name,
      join(target, `${name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`),
    ]),
  );
  for (const [name, path] of tarballs) if (!existsSync(path)) throw new Error(`${name}: pnpm pack made no ${path}`);
  return tarballs;
}
