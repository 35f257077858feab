/** Tarballs of packages as folders. @module */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";

/**
 * The files below a folder, with `/` between the parts of their names.
 *
 * @param {string} folder
 */
export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => path.split(sep).join("/"));
}

/**
 * @param {string} tarball
 * @param {string} target an empty folder, or none yet
 * @returns {string} the package's folder
 */
export function unpack(tarball, target) {
  mkdirSync(target, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", target]);
  return join(target, "package");
}

/**
 * What the rules for packages look at.
 *
 * @param {string} folder an unpacked package
 * @param {string} source its folder in the repository
 * @returns {import("./packed-rules.mjs").Packed}
 */
export function lookInto(folder, source) {
  return {
    folder,
    source: relative(process.cwd(), source),
    manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")),
    files: filesBelow(folder),
  };
}
