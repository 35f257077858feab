/** Known weaknesses of what is installed along. @module */
import { expectSame, NotChecked } from "../expect.mjs";
import { run } from "../run-program.mjs";
import { changeManifest } from "../spoils.mjs";

/** @type {import("../release.mjs").Spoil} */
const WEAK = {
  name: "a dependency with known weaknesses",
  package: "b2frame",
  change: (folder) =>
    changeManifest(folder, ({ dependencies }) => ({ dependencies: { ...dependencies, minimist: "0.0.8" } })),
  expects: /minimist/,
};

/** @type {readonly import("../checks.mjs").Check[]} */
export const auditChecks = [
  {
    name: "npm audit",
    async run(release) {
      const folder = await release.everything();
      // A weakness gives an exit code as a failure does; the report tells them apart.
      const printed = await run("sh", ["-c", "npm audit --json || true"], { cwd: folder });
      const { vulnerabilities, message, error } = JSON.parse(printed);
      if (vulnerabilities === undefined) {
        throw new NotChecked(`the registry gives no report: ${message ?? error?.summary ?? JSON.stringify(error)}`);
      }
      expectSame("packages with known weaknesses", Object.keys(vulnerabilities), []);
    },
    spoils: [WEAK],
  },
];
