/** What npm shows of a package, and what provenance is held against. @module */
import { NotChecked } from "../expect.mjs";
import { changeManifest } from "../spoils.mjs";

const FIELDS = ["repository", "homepage", "bugs"];

/**
 * What is wrong with the fields of a package that has some of them.
 *
 * @param {string} name
 * @param {Record<string, any>} manifest
 * @returns {string[]}
 */
function fieldProblems(name, manifest) {
  const problems = FIELDS.filter((field) => manifest[field] === undefined).map((field) => `${name} has no ${field}`);
  const { repository } = manifest;
  if (repository === undefined) return problems;
  const directory = `packages/${name.replace("@b2frame/", "")}`;
  // npm refuses a package with provenance whose address is not that of the repository from which it is published.
  if (!repository.url) problems.push(`${name}: repository has no url`);
  if (repository.directory !== directory) problems.push(`${name}: repository.directory is not ${directory}`);
  return problems;
}

/** @type {readonly import("../checks.mjs").Check[]} */
export const publishFieldChecks = [
  {
    name: "package.json: repository, homepage, bugs",
    run(release) {
      const manifests = release.names.map((name) => [name, release.manifest(name)]);
      if (manifests.every(([, manifest]) => FIELDS.every((field) => manifest[field] === undefined))) {
        throw new NotChecked("docs/releasing.md says where", "not set yet");
      }
      const problems = manifests.flatMap(([name, manifest]) => fieldProblems(name, manifest));
      if (problems.length > 0) throw new Error(problems.join("\n"));
    },
    spoils: [
      {
        name: "a repository in one package only",
        package: "b2frame",
        change: (folder) =>
          changeManifest(folder, () => ({ repository: { type: "git", url: "git+https://example.org/b2frame.git" } })),
        expects: /b2frame: repository.directory is not packages\/b2frame/,
      },
    ],
  },
];
