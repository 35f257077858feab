import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Source entry points of the packages that are published, one for each key of `exports` that has a source file. */
const entryPoints = readdirSync("packages").flatMap((folder) => {
  const manifest = JSON.parse(readFileSync(`packages/${folder}/package.json`, "utf8"));
  if (manifest.private) return [];
  return Object.keys(manifest.exports ?? {})
    .map((key) => `packages/${folder}/src/${key === "." ? "index" : key.slice(2)}.ts`)
    .filter((file) => existsSync(file));
});

/** @type {Partial<import("typedoc").TypeDocOptions>} */
export default {
  name: "b2frame",
  entryPoints,
  tsconfig: "tsconfig.json",
  out: "docs/api",
  readme: existsSync("README.md") ? "README.md" : "none",
  githubPages: false,
  hideGenerator: true,
  disableSources: true,
  excludePrivate: true,
  excludeInternal: true,
  highlightLanguages: [
    "bash",
    "console",
    "css",
    "html",
    "javascript",
    "json",
    "jsonc",
    "python",
    "tsx",
    "typescript",
    "yaml",
  ],
  projectDocuments: ["docs/*.md"],
  requiredToBeDocumented: ["Class", "Interface", "Function", "TypeAlias", "Variable", "Method"],
  validation: {
    notExported: true,
    invalidLink: true,
    invalidPath: true,
    notDocumented: true,
    unusedMergeModuleWith: true,
  },
  treatWarningsAsErrors: true,
  logLevel: "Warn",
};
