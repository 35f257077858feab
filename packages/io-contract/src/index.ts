/**
 * Test kit for I/O backends of b2frame, and for software that uses them: the compliance suite, counters, injected faults
 * and a model of power cuts.
 *
 * @module
 */
export { type CountingBackend, counting, type IoCounts, type ReadSpan } from "./counting-backend.js";
export { type Fault, type FaultInjectingBackend, type FaultPlan, faultInjecting } from "./fault-injecting-backend.js";
export { type IoObserver, type IoOperation, type IoOperationKind, ObservedBackend } from "./observe-backend.js";
export type { LoggedOperation } from "./operation-log.js";
export {
  type DiskImage,
  materialise,
  type PowerCut,
  type RandomPowerCutOptions,
  randomPowerCut,
  restoreImage,
  type Survivor,
  unsafeChanges,
} from "./power-cut.js";
export { runIoBackendSuite } from "./run-io-backend-suite.js";
export type { IoBackendSuiteOptions, SuiteFileInspection, SuiteTestApi } from "./suite-context.js";
