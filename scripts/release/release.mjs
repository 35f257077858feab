/** The packed packages, and empty folders into which they are installed. @module */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pack } from "../packages/public-packages.mjs";
import { unpack } from "../packages/unpack.mjs";
import { serveRegistry } from "./local-registry.mjs";
import { run } from "./run-program.mjs";

/**
 * A way to break the packages, so that a check can be shown to fail.
 *
 * @typedef {object} Spoil
 * @property {string} name
 * @property {string} package the one that is broken
 * @property {(folder: string) => void} change breaks the unpacked package
 * @property {RegExp} expects what a check says that notices it
 */

/**
 * @typedef {object} InstallOptions
 * @property {readonly string[]} packages ours
 * @property {readonly string[]} [also] others
 * @property {readonly string[]} [flags] for npm
 * @property {string} [path] a folder that comes first on the PATH of npm
 */

/** @type {(tarball: string) => Record<string, any>} */
function packedManifest(tarball) {
  return JSON.parse(execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" }));
}

export class Release {
  #folder;
  /** By name. */
  #packages;
  #apps = new Map();
  #spoiled = new Map();
  #registry;

  /**
   * @param {string} folder for everything that is made
   * @param {readonly string[]} tarballs
   */
  constructor(folder, tarballs) {
    this.#folder = folder;
    const packages = tarballs.map((tarball) => ({ tarball, manifest: packedManifest(tarball) }));
    this.#packages = new Map(packages.map((packed) => [packed.manifest.name, packed]));
  }

  /**
   * Packs all public packages.
   *
   * @param {string} folder for everything that is made
   */
  static async pack(folder) {
    const tarballs = await pack(join(folder, "tarballs"));
    return new Release(folder, [...tarballs.values()]);
  }

  /** Names of all packages. */
  get names() {
    return [...this.#packages.keys()];
  }

  /** @param {string} name */
  manifest(name) {
    return this.#packages.get(name).manifest;
  }

  /**
   * An empty folder, but for a `package.json`.
   *
   * @param {string} name
   */
  emptyFolder(name) {
    const folder = join(this.#folder, name);
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), '{ "name": "app", "private": true, "type": "module" }\n');
    return folder;
  }

  /** The address of a registry that has these packages. */
  async registry() {
    this.#registry ??= run("npm", ["config", "get", "registry"], { cwd: this.#folder }).then((upstream) =>
      serveRegistry([...this.#packages.values()], upstream.trim()),
    );
    return (await this.#registry).url;
  }

  /**
   * Installs packages as people do.
   *
   * @param {string} folder
   * @param {InstallOptions} options
   */
  async install(folder, { packages, also = [], flags = [], path }) {
    const own = packages.map((name) => `${name}@${this.manifest(name).version}`);
    const options = ["--no-audit", "--no-fund", "--registry", await this.registry(), ...flags];
    await run("npm", ["install", ...options, ...own, ...also], { cwd: folder, path });
  }

  /**
   * A folder with packages installed, which checks share by its name.
   *
   * @param {string} name
   * @param {InstallOptions} options
   * @returns {Promise<string>}
   */
  app(name, options) {
    if (!this.#apps.has(name)) {
      const folder = this.emptyFolder(name);
      this.#apps.set(
        name,
        this.install(folder, options).then(() => folder),
      );
    }
    return this.#apps.get(name);
  }

  /** The folder in which all packages are installed. */
  everything() {
    return this.app("everything", { packages: this.names });
  }

  /**
   * The same packages, one of them broken.
   *
   * @param {Spoil} spoil
   * @returns {Release}
   */
  spoiled(spoil) {
    if (!this.#spoiled.has(spoil.name)) this.#spoiled.set(spoil.name, this.#spoil(spoil));
    return this.#spoiled.get(spoil.name);
  }

  /** @param {Spoil} spoil */
  #spoil(spoil) {
    const folder = join(this.#folder, `spoiled-${this.#spoiled.size}`);
    const unpacked = join(folder, "unpacked");
    const tarballs = [...this.#packages.values()].map(({ tarball }) => {
      const copy = join(folder, basename(tarball));
      cpSync(tarball, copy);
      return copy;
    });
    const broken = tarballs[this.names.indexOf(spoil.package)];
    spoil.change(unpack(broken, unpacked));
    execFileSync("tar", ["-czf", broken, "-C", unpacked, "package"]);
    return new Release(folder, tarballs);
  }

  /** Ends the registries. */
  async close() {
    for (const release of this.#spoiled.values()) await release.close();
    (await this.#registry)?.close();
  }
}
