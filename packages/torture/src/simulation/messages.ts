/** What actors ask of the scheduler, and what they are told. @module */
import type { Blosc2ErrorCode, LockKind, OpenMode } from "@b2frame/core";

/** How frames are kept in a run. */
export type Layout = "contiguous" | "sparse";

/** What an actor does in a run. */
export interface ActorProgram {
  readonly role: "writer" | "reader";
  readonly actor: number;
  readonly seed: number;
  readonly layout: Layout;
  readonly locking: boolean;
  readonly checksum: boolean;
  /** Operations: changes with a commit, or whole reads. */
  readonly operations: number;
}

/** What a frame holds: the numbers of its chunks' contents, in order. `commit` is the value of a vlmetalayer. */
export interface SimulatedState {
  readonly commit: number;
  readonly chunks: readonly number[];
}

/** A call of the file system. */
export type DiskCall =
  | { readonly kind: "open"; readonly path: string; readonly mode: OpenMode }
  | { readonly kind: "open-new"; readonly path: string }
  | { readonly kind: "inode-of"; readonly handle: number }
  | { readonly kind: "inode-at"; readonly path: string }
  | { readonly kind: "size" | "close"; readonly handle: number }
  | { readonly kind: "read"; readonly handle: number; readonly position: number; readonly byteLength: number }
  | { readonly kind: "write"; readonly handle: number; readonly position: number; readonly bytes: Uint8Array }
  | { readonly kind: "truncate"; readonly handle: number; readonly size: number }
  | { readonly kind: "flush" }
  | { readonly kind: "exists" | "remove" | "is-directory" | "list"; readonly path: string }
  | { readonly kind: "make-directory" | "remove-directory" | "open-lock"; readonly path: string }
  | { readonly kind: "rename"; readonly path: string; readonly to: string }
  | { readonly kind: "acquire"; readonly lock: number; readonly lockKind: LockKind }
  | { readonly kind: "release" | "close-lock"; readonly lock: number };

/** What an actor says about itself. */
export type Note =
  | { readonly kind: "next" }
  | { readonly kind: "begin" | "end" }
  /** A commit is about to be tried that would leave the frame in this state. */
  | { readonly kind: "attempt"; readonly state: SimulatedState }
  | { readonly kind: "commit"; readonly state: SimulatedState }
  /** A commit failed; it may have reached the disk or not. */
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  | { readonly kind: "read-begin" }
  | { readonly kind: "found"; readonly state: SimulatedState }
  | { readonly kind: "read-failed"; readonly code: string; readonly message: string }
  | { readonly kind: "violation"; readonly message: string };

/** What an actor asks. */
export type ActorCall = DiskCall | Note;

/** The answer to a call. */
export type Answer =
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "failure"; readonly code: Blosc2ErrorCode; readonly message: string }
  /** The actor's process ends here; nothing it does from now on has any effect. */
  | { readonly kind: "killed" }
  /** To `next`: the actor's part in the next run; undefined: there is none. */
  | { readonly kind: "program"; readonly program: ActorProgram | undefined };
