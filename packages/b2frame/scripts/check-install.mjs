/**
 * Packs b2frame and the workspace packages that it needs, installs the tarballs with npm into an empty folder, and uses
 * `npx b2frame` and the library there. Prints one line for each check and ends with `N passed, N failed`.
 *
 * @module
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const packages = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const scratch = mkdtempSync(join(tmpdir(), "b2frame-install-"));

/**
 * @param {string} cwd
 * @param {string} file
 * @param {string[]} args
 */
function run(cwd, file, ...args) {
  return execFileSync(file, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** The folders of the workspace packages, by name. */
const folders = new Map(
  readdirSync(packages).map((folder) => {
    const path = join(packages, folder);
    return [JSON.parse(readFileSync(join(path, "package.json"), "utf8")).name, path];
  }),
);

/**
 * A package and all workspace packages that it needs.
 *
 * @param {string} name
 * @param {Set<string>} found
 */
function closure(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  const { dependencies = {} } = JSON.parse(readFileSync(join(folders.get(name), "package.json"), "utf8"));
  for (const [other, version] of Object.entries(dependencies)) {
    if (version.startsWith("workspace:")) closure(other, found);
  }
  return found;
}

function install() {
  const tarballs = join(scratch, "tarballs");
  mkdirSync(tarballs);
  for (const name of closure("b2frame")) run(folders.get(name), "pnpm", "pack", "--pack-destination", tarballs);
  const app = join(scratch, "app");
  mkdirSync(app);
  writeFileSync(join(app, "package.json"), '{ "name": "app", "private": true, "type": "module" }\n');
  const files = readdirSync(tarballs).map((file) => join(tarballs, file));
  run(app, "npm", "install", "--no-audit", "--no-fund", ...files);
  return app;
}

/** @type {[string, (app: string) => boolean][]} */
const CHECKS = [
  ["npx b2frame --version", (app) => /^\d+\.\d+\.\d+\n$/.test(run(app, "npx", "--no", "b2frame", "--version"))],
  [
    "npx b2frame pack, info, verify, unpack",
    (app) => {
      const numbers = Buffer.from(Float64Array.from({ length: 100_000 }, (_, i) => Math.sin(i / 100)).buffer);
      writeFileSync(join(app, "in.f64"), numbers);
      run(app, "npx", "--no", "b2frame", ..."pack in.f64 a.b2frame --typesize 8 --codec zstd".split(" "));
      const info = JSON.parse(run(app, "npx", "--no", "b2frame", "info", "a.b2frame", "--json"));
      run(app, "npx", "--no", "b2frame", "verify", "a.b2frame");
      run(app, "npx", "--no", "b2frame", "unpack", "a.b2frame", "out.f64");
      return info.nbytes === numbers.byteLength && readFileSync(join(app, "out.f64")).equals(numbers);
    },
  ],
  [
    "import from b2frame, through stdio and mmap",
    (app) => {
      const program = `
        import { asarray, openArray } from "b2frame";
        asarray(new Int16Array(600).map((_, i) => i), { shape: [20, 30], urlpath: "a.b2nd" }).close();
        const rows = ["stdio", "mmap"].map((io) => openArray("a.b2nd", { io }).get([7]).data[3]);
        console.log(rows.join());
      `;
      writeFileSync(join(app, "program.js"), program);
      return run(app, process.execPath, "program.js") === "213,213\n";
    },
  ],
];

let passed = 0;
let failed = 0;
try {
  const app = install();
  for (const [name, check] of CHECKS) {
    let problem = "the result is wrong";
    let good = false;
    try {
      good = check(app);
    } catch (error) {
      problem = `${error.message}\n${error.stderr ?? ""}`;
    }
    console.log(`${name}: ${good ? "good" : `BAD\n${problem}`}`);
    if (good) passed += 1;
    else failed += 1;
  }
} catch (error) {
  console.log(`packing and installing: BAD\n${error.message}\n${error.stderr ?? ""}`);
  failed += 1;
} finally {
  rmSync(scratch, { recursive: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
