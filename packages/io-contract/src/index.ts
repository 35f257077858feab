/**
 * Test kit for I/O backends of b2frame, and for software that uses them.
 *
 * @module
 */
export { runIoBackendSuite } from "./run-io-backend-suite.js";
export type { IoBackendSuiteOptions, SuiteFileInspection, SuiteTestApi } from "./suite-context.js";
