/** What threads tell each other. @module */

import type { TransferredError } from "@b2frame/core/backend";
import type { ModuleExport } from "./backend-spec.js";
import type { JobSpec } from "./jobs.js";

/** What a pool tells its threads when it starts them. */
export interface ThreadSetup {
  readonly setup: ModuleExport | undefined;
  /** The thread's number in the pool, from 1 on. */
  readonly thread: number;
}

/** From the pool to a thread. A thread answers its calls one after another, in order. */
export type Request =
  | { readonly call: number; readonly type: "begin"; readonly job: number; readonly spec: JobSpec }
  | { readonly call: number; readonly type: "run"; readonly job: number; readonly task: unknown }
  | { readonly call: number; readonly type: "end"; readonly job: number }
  | { readonly call: number; readonly type: "ping" }
  | { readonly call: number; readonly type: "stop" };

/** From a thread to the pool. */
export type Reply =
  | { readonly call: number; readonly result: unknown }
  | { readonly call: number; readonly error: TransferredError };
