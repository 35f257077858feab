/** What is timed: trials, and those who take part in them. @module */
import type { CallCounts } from "./call-counter.js";

/** The cases, by the names that `--only` and the JSON report use. */
export const CASE_NAMES = [
  "read-all",
  "append",
  "append-small",
  "random-chunks",
  "scattered-50",
  "insert",
  "update",
  "crops",
  "open-many",
  "blosc-decode",
  "blosc-encode",
  "engines",
  "held-handles",
  "compressed-chunks",
  "read-buffer",
  "write-buffer",
  "array-read",
  "array-crop",
  "array-plane",
  "array-write",
  "zarr-arrays",
  "remote",
] as const;

/** One of {@link CASE_NAMES}. */
export type CaseName = (typeof CASE_NAMES)[number];

/** Where the data is. */
export type BackendName = "stdio" | "mmap" | "memory" | "http";

/** b2frame without what the case is about: its engine in plain TypeScript; files that are not held; buffers not used again; none. */
export type PlainName = "portable" | "reopened" | "fresh-buffer" | "unbuffered";

/** Others that read arrays: zarrita, the same chunks as Blosc Zarr from files or a server; and a download of the whole file. */
export type ReaderName = "zarrita" | "fetch";

/** Who does the work. */
export type ContenderName = "b2frame" | "c-blosc2" | "numcodecs" | ReaderName | PlainName;

/** Whom a result compares with; `stdio` is b2frame's own stdio backend, `no-workers` b2frame in the caller's thread. */
export type PeerName = "c-blosc2" | "numcodecs" | ReaderName | PlainName | "stdio" | "no-workers";

/**
 * What a writer brings about before its sample ends: `"disk"`, the file has reached the disk; `"process"`, it is the system's, and
 * was whole at every instant, so that a kill would have left the last commit; `"none"`, it is the system's.
 */
export type WriteDurability = "disk" | "process" | "none";

/** One timing. */
export interface Sample {
  readonly seconds: number;
  /** A digest of what came out, the same for all contenders of a trial. */
  readonly digest: number;
}

/** One way of doing a trial's work. */
export interface Contender {
  readonly name: ContenderName;
  readonly backend: BackendName;
  /** Worker threads; 0 is the caller's own thread. */
  readonly workers: number;
  /** What a sample gets done, in bytes or operations: less than others' where all of it would take minutes. */
  readonly amount: number;
  /** Of those that write. */
  readonly durability?: WriteDurability;
  /** False for one so slow that an untimed round is not worth it. */
  readonly warmUp: boolean;
  /** Untimed, before each sample. */
  prepare?(): void;
  /** Does the work once and says how long that took. */
  sample(): Sample | Promise<Sample>;
  /** Does the work once more, untimed, and says how many system calls that took. */
  countCalls?(): CallCounts;
}

/** What is measured in. */
export type Unit = "MiB/s" | "op/s";

/** One piece of work on one data set, and those who do it in turn. */
export interface Trial {
  readonly data: string;
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly unit: Unit;
  readonly contenders: readonly Contender[];
}
