/** What `npm install b2frame` costs, and what it runs. @module */
import { randomFillSync } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "../../packages/unpack.mjs";
import { expectSame } from "../expect.mjs";
import { run } from "../run-program.mjs";
import { changeManifest, WRONG_VALUES } from "../spoils.mjs";

const LONGEST_MS = 5000;
const LARGEST_BYTES = 30_000_000;
/** Of so many installs the quickest counts: other programs may be running. */
const TRIES = 3;
const COMPILERS = [
  "c++",
  "cargo",
  "cc",
  "clang",
  "clang++",
  "cmake",
  "g++",
  "gcc",
  "make",
  "ninja",
  "node-gyp",
  "rustc",
];

/**
 * Compilers that only take note of being called.
 *
 * @param {string} folder
 */
function watchCompilers(folder) {
  const path = join(folder, "compilers");
  const log = join(folder, "compilers.txt");
  mkdirSync(path);
  for (const name of COMPILERS) {
    writeFileSync(join(path, name), `#!/bin/sh\necho "${name} $*" >> "${log}"\nexit 1\n`);
    chmodSync(join(path, name), 0o755);
  }
  return { path, called: () => (existsSync(log) ? readFileSync(log, "utf8") : "") };
}

/** @type {import("../release.mjs").Spoil} */
const COMPILING = {
  name: "an install script that calls a compiler",
  package: "b2frame",
  change: (folder) => changeManifest(folder, () => ({ scripts: { install: "cc --version || true" } })),
  expects: /compilers that were called: expected "", found "cc/,
};

/** @type {import("../release.mjs").Spoil} */
const SLOW = {
  name: "an install script that takes its time",
  package: "b2frame",
  change: (folder) => changeManifest(folder, () => ({ scripts: { install: `sleep ${LONGEST_MS / 1000}` } })),
  expects: /took .* s/,
};

/** @type {import("../release.mjs").Spoil} */
const LARGE = {
  name: "a large file",
  package: "@b2frame/core",
  change: (folder) => writeFileSync(join(folder, "dist/large.bin"), randomFillSync(Buffer.alloc(LARGEST_BYTES))),
  expects: /the installed files have \d+ bytes/,
};

const WITHOUT_OPTIONAL = `
import { asarray, openArray } from "b2frame";
asarray(Int32Array.of(4, 5, 6), { urlpath: "a.b2nd", cparams: { codec: "zstd" } }).close();
const values = openArray("a.b2nd").getSlice().data.join();
let refusal = "none";
try {
  openArray("a.b2nd", { io: "mmap" });
} catch (error) {
  refusal = error.code + (error.message.includes("koffi") ? " names koffi" : "");
}
console.log(values, refusal);
`;

/** @type {readonly import("../checks.mjs").Check[]} */
export const installationChecks = [
  {
    name: `npm install b2frame: at most ${LONGEST_MS / 1000} s with a warm cache`,
    async run(release) {
      let shortest = Number.POSITIVE_INFINITY;
      // One more: the first fills the cache.
      for (let i = 0; i <= TRIES && shortest > LONGEST_MS; i++) {
        const folder = release.emptyFolder(`timed-${i}`);
        const start = performance.now();
        await release.install(folder, { packages: ["b2frame"] });
        if (i > 0) shortest = Math.min(shortest, performance.now() - start);
      }
      if (shortest > LONGEST_MS) throw new Error(`the quickest of ${TRIES} took ${(shortest / 1000).toFixed(1)} s`);
      return `${(shortest / 1000).toFixed(1)} s`;
    },
    spoils: [SLOW],
  },
  {
    name: `npm install b2frame: at most ${LARGEST_BYTES / 1e6} MB`,
    async run(release) {
      const folder = join(await release.app("b2frame", { packages: ["b2frame"] }), "node_modules");
      const size = filesBelow(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
      if (size > LARGEST_BYTES) throw new Error(`the installed files have ${size} bytes`);
      return `${(size / 1e6).toFixed(1)} MB`;
    },
    spoils: [LARGE],
  },
  {
    name: "npm install b2frame: no compiler runs",
    async run(release) {
      const folder = release.emptyFolder("no-compiler");
      const { path, called } = watchCompilers(folder);
      await release.install(folder, { packages: ["b2frame"], path });
      expectSame("compilers that were called", called(), "");
    },
    spoils: [COMPILING],
  },
  {
    name: "npm install --omit=optional b2frame: no compiler runs, files work, maps are refused by name",
    async run(release) {
      const folder = release.emptyFolder("without-optional");
      const { path, called } = watchCompilers(folder);
      await release.install(folder, { packages: ["b2frame"], flags: ["--omit=optional"], path });
      expectSame("compilers that were called", called(), "");
      writeFileSync(join(folder, "program.js"), WITHOUT_OPTIONAL);
      const printed = await run(process.execPath, ["program.js"], { cwd: folder });
      expectSame("the program's output", printed, "4,5,6 BLOSC2_UNSUPPORTED_BACKEND names koffi\n");
    },
    spoils: [COMPILING, { ...WRONG_VALUES, expects: /the program's output: expected/ }],
  },
];
