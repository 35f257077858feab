/** What actors and those who direct them say to each other. @module */
import type { PlannedFrame } from "./planned-frame.js";

/** What to do to a target. */
export type PartJob =
  | { readonly kind: "plan" }
  | { readonly kind: "finalize" }
  | { readonly kind: "abort" }
  | { readonly kind: "write"; readonly part: number; readonly again: boolean };

/** A job as it is sent. */
export interface SentJob {
  readonly target: string;
  readonly frame: PlannedFrame;
  readonly job: PartJob;
  /**
   * What dying means: the end of the process by SIGKILL, or, as that takes long to replace, that none of its calls reaches the file system any
   * longer until the job has come to its end.
   */
  readonly death: "kill" | "play";
}

/** What comes back, a JSON line each. */
export type ActorMessage =
  /** It is about to make this call. */
  | { readonly call: string; readonly paths: readonly string[] }
  /** The job is done; what it came to. */
  | { readonly result: Readonly<Record<string, unknown>> }
  /** It played dead, and has come to the end of the job. */
  | { readonly dead: true }
  /** It failed; `code` if by an error of ours. */
  | { readonly error: string; readonly code?: string };

/** An answer to a call: make it. */
export const GO = "g";
/** End at once. */
export const DIE = "k";
/** Write half of the bytes, and end. */
export const TEAR = "t";
