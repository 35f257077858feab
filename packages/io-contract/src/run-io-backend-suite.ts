/** The compliance suite of I/O backends. @module */
import { checkDirectories } from "./checks/directories.js";
import { checkErrors } from "./checks/errors.js";
import { checkLifetime } from "./checks/lifetime.js";
import { checkLocks } from "./checks/locks.js";
import { checkMapping } from "./checks/mapping.js";
import { checkModel } from "./checks/model.js";
import { checkNewFiles } from "./checks/new-files.js";
import { checkOpenModes } from "./checks/open-modes.js";
import { checkReads } from "./checks/reads.js";
import { checkTruncate } from "./checks/truncate.js";
import { checkWrites } from "./checks/writes.js";
import { type IoBackendSuiteOptions, SuiteContext } from "./suite-context.js";

/**
 * Declares the tests that every backend must pass, one for each sentence of the I/O contract, and a model test that compares
 * the backend with a plain byte array over random operations. A test is left out only for a capability that the backend
 * says it lacks, and then another checks that the lack is reported as the contract says.
 *
 * @example
 * ```ts
 * import { describe, expect, it } from "vitest";
 * runIoBackendSuite({ name: "mine", backend: () => mine(), makePath: () => `/tmp/x/${n++}`, test: { describe, it, expect } });
 * ```
 */
export function runIoBackendSuite(options: IoBackendSuiteOptions): void {
  const context = new SuiteContext(options);
  context.group(`I/O contract: ${options.name}`, () => {
    checkOpenModes(context);
    checkReads(context);
    checkWrites(context);
    checkTruncate(context);
    checkMapping(context);
    checkLifetime(context);
    checkErrors(context);
    checkNewFiles(context);
    checkDirectories(context);
    checkLocks(context);
    checkModel(context);
  });
}
