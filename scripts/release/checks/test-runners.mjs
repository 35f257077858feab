/** Tests that import b2frame. @module */
import { run } from "../run-program.mjs";
import { section, writeFiles } from "../snippets.mjs";
import { WRONG_VALUES } from "../spoils.mjs";
import { TEST_RUNNERS } from "../tools.mjs";

/** @type {readonly import("../checks.mjs").Check[]} */
export const testRunnerChecks = Object.entries(TEST_RUNNERS).map(([runner, also]) => ({
  name: `${runner}: a test that imports b2frame`,
  async run(release) {
    const folder = await release.app(runner, { packages: ["b2frame"], also });
    const shown = section(runner);
    writeFiles(shown, folder);
    for (const line of shown.commands) await run("sh", ["-c", line], { cwd: folder });
  },
  spoils: [{ ...WRONG_VALUES, expects: /1 failed/ }],
}));
