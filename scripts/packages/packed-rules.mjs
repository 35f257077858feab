/**
 * What every published package must bring along, looked up in its unpacked tarball. Each rule knows how to break a good package, so that
 * it can be shown to fail.
 *
 * @module
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** Fewer words than that help nobody to find a package. */
const FEWEST_KEYWORDS = 3;

/**
 * @typedef {object} Packed an unpacked tarball
 * @property {string} folder where it is unpacked
 * @property {string} source the folder of the package in the repository
 * @property {Record<string, any>} manifest
 * @property {readonly string[]} files paths in the tarball
 */

/**
 * @typedef {object} Rule
 * @property {string} name
 * @property {(packed: Packed) => string[]} problems
 * @property {(packed: Packed) => void} spoil breaks a package that is good
 */

/**
 * @param {Packed} packed
 * @param {string} path
 */
function text({ folder }, path) {
  return readFileSync(join(folder, path), "utf8");
}

/**
 * @param {Packed} packed
 * @param {Record<string, unknown>} changes
 */
function changeManifest({ folder, manifest }, changes) {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, ...changes }));
}

/** @type {(packed: Packed) => string[]} */
function readmeProblems(packed) {
  if (!packed.files.includes("README.md")) return ["no README.md"];
  const readme = text(packed, "README.md");
  const { name } = packed.manifest;
  const problems = [];
  if (!readme.startsWith(`# ${name}\n`)) problems.push(`README.md does not begin with "# ${name}"`);
  const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
  if (!examples.some((code) => code.includes(`from "${name}"`))) {
    problems.push(`README.md has no TypeScript example that imports ${name}`);
  }
  // npm turns relative links into addresses in the repository.
  const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target]) => target);
  if (!links.some((target) => target.startsWith("../../docs/"))) problems.push("README.md links to no page of docs/");
  for (const target of links) {
    if (!existsSync(join(packed.source, target))) problems.push(`README.md links to ${target}, which is not there`);
  }
  return problems;
}

/** @type {(packed: Packed) => string[]} */
function manifestProblems({ manifest, files }) {
  const { description, license, keywords = [], engines = {}, sideEffects, exports = {} } = manifest;
  const problems = [];
  if (!description) problems.push("no description");
  if (!license) problems.push("no license");
  if (!(keywords.length >= FEWEST_KEYWORDS && keywords.includes("blosc2"))) {
    problems.push(`expected ${FEWEST_KEYWORDS} or more keywords with "blosc2" among them, found [${keywords.join()}]`);
  }
  if (!engines.node) problems.push("no engines.node");
  if (exports["./package.json"] !== "./package.json") problems.push("exports has no ./package.json");
  if (sideEffects === undefined) problems.push("no sideEffects");
  for (const path of sideEffects || []) {
    if (!files.includes(normalize(path))) problems.push(`sideEffects names ${path}, which is not packed`);
  }
  return problems;
}

/** @type {(packed: Packed) => string[]} */
function commandProblems({ manifest, files }) {
  const { bin = {}, man } = manifest;
  const commands = Object.values(bin);
  const problems = commands.length > 0 && man === undefined ? ["a command, and no manual page (man)"] : [];
  for (const path of man === undefined ? commands : [...commands, man]) {
    if (!files.includes(normalize(path))) problems.push(`package.json names ${path}, which is not packed`);
  }
  return problems;
}

/** @type {(packed: Packed) => string[]} */
function sourceMapProblems(packed) {
  const { files } = packed;
  const scripts = files.filter((path) => /\.(?:js|d\.ts)$/.test(path) && path.startsWith("dist/"));
  return scripts.flatMap((path) => {
    const map = `${path}.map`;
    if (!files.includes(map)) return [`${path} has no source map`];
    const sources = JSON.parse(text(packed, map)).sources.map((source) => normalize(join(dirname(map), source)));
    const missing = sources.filter((source) => !files.includes(source));
    return missing.map((source) => `${map} leads to ${source}, which is not packed`);
  });
}

/** @type {readonly Rule[]} */
export const RULES = [
  {
    name: "README",
    problems: readmeProblems,
    spoil: ({ folder }) => rmSync(join(folder, "README.md")),
  },
  {
    name: "README's example",
    problems: readmeProblems,
    spoil: (packed) =>
      writeFileSync(join(packed.folder, "README.md"), text(packed, "README.md").replaceAll("```ts", "```")),
  },
  {
    name: "README's links",
    problems: readmeProblems,
    spoil: (packed) =>
      writeFileSync(
        join(packed.folder, "README.md"),
        text(packed, "README.md").replaceAll("../../docs/", "../../pages/"),
      ),
  },
  {
    name: "licence",
    problems: ({ files }) => (files.includes("LICENSE") ? [] : ["no LICENSE"]),
    spoil: ({ folder }) => rmSync(join(folder, "LICENSE")),
  },
  ...["description", "license", "keywords", "engines", "sideEffects", "exports"].map((field) => ({
    name: `package.json: ${field}`,
    problems: manifestProblems,
    spoil: (packed) => changeManifest(packed, { [field]: undefined }),
  })),
  {
    name: "package.json: sideEffects that are there",
    problems: manifestProblems,
    spoil: (packed) => changeManifest(packed, { sideEffects: ["./dist/gone.js"] }),
  },
  {
    name: "package.json: a command has a manual page",
    problems: commandProblems,
    spoil: (packed) => changeManifest(packed, { bin: { b2frame: "./dist/index.js" }, man: undefined }),
  },
  {
    name: "package.json: a manual page that is there",
    problems: commandProblems,
    spoil: (packed) => changeManifest(packed, { man: "./dist/gone.1" }),
  },
  {
    name: "source maps",
    problems: sourceMapProblems,
    spoil: ({ folder }) => rmSync(join(folder, "dist/index.js.map")),
  },
  {
    name: "sources behind the maps",
    problems: sourceMapProblems,
    spoil: ({ folder }) => rmSync(join(folder, "src/index.ts")),
  },
  {
    name: "nothing that is the build's own",
    problems: ({ files }) => files.filter((path) => path.endsWith(".tsbuildinfo")).map((path) => `${path} is packed`),
    spoil: ({ folder }) => writeFileSync(join(folder, "dist/.tsbuildinfo"), "{}"),
  },
];
