/** All that must hold before the packages are published. @module */
import { auditChecks } from "./checks/audit.mjs";
import { allBundleChecks } from "./checks/bundles.mjs";
import { changelogChecks } from "./checks/changelogs.mjs";
import { commandChecks } from "./checks/command.mjs";
import { installationChecks } from "./checks/installation.mjs";
import { publishFieldChecks } from "./checks/publish-fields.mjs";
import { runtimeChecks } from "./checks/runtimes.mjs";
import { testRunnerChecks } from "./checks/test-runners.mjs";
import { typeChecks } from "./checks/types.mjs";

/**
 * @typedef {object} Check
 * @property {string} name
 * @property {boolean} [quick] belongs to what every change is held against
 * @property {(release: import("./release.mjs").Release) => unknown} run throws unless all is well; may give a figure to show
 * @property {readonly import("./release.mjs").Spoil[]} spoils what it must notice
 */

/** @type {readonly Check[]} */
export const CHECKS = [
  ...publishFieldChecks,
  ...changelogChecks,
  ...installationChecks,
  ...auditChecks,
  ...commandChecks,
  ...runtimeChecks,
  ...typeChecks,
  ...allBundleChecks,
  ...testRunnerChecks,
];
