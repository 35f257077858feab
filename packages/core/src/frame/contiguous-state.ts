/**
 * The states of a contiguous frame that is open for writing, with or without changes of index, metalayers and trailer in memory.
 *
 * ```text
 *   create ──> new ──store──> growing ──commit──> settled <──open, refresh
 *               │               ^ (nothing        │  ^ │
 *               │ commit        │  committed)     │  │ │ commit of an index, a
 *               └───────────────┼────────────────>┘  │ │ trailer or a header alone
 *                               └───────store────────┘<┘
 * ```
 *
 * What always holds:
 * 1. In `settled` the file is what the committed header says, up to `end`; what lies behind is no part of it.
 * 2. In `growing` chunks have been stored behind all that `committed` reaches, from its end to `append`; or, if it is empty or absent,
 *    behind the header, with what falls on the committed trailer held back in memory.
 * 3. `chunksEnd` is past every chunk that any commit here or the current table reaches.
 * 4. Only `#finish` and opening make a frame settled: after the header is on its way to the disk as `durability` says.
 * 5. A commit looks whether the frame's name leads to the open file, and whether that is as it was committed here: before its first
 *    byte is written and again before the header is; and at the name once more before it is reported.
 * 6. A new frame's file has no name of its own before the first commit has been written (`NewPlace`).
 *
 * @module
 */
/** What the file's header says, in offsets from the frame's first byte. */
export interface Committed {
  readonly headerLength: number;
  /** Where index and trailer are. */
  readonly tailStart: number;
  readonly end: number;
  readonly empty: boolean;
  /** The fixed part of the header, to notice another writer. */
  readonly fixedHeader: Uint8Array;
}

/** Nothing has been committed or stored yet. */
interface New {
  readonly kind: "new";
}

/** The file is as it was committed. */
interface Settled {
  readonly kind: "settled";
  readonly committed: Committed;
}

/** Chunks have been stored, or are about to be. */
export interface Growing {
  readonly kind: "growing";
  readonly committed: Committed | undefined;
  /** Where the next chunk goes. */
  append: number;
  /** The chunk stored last, as long as it can be taken back. */
  lastStored: { readonly start: number; readonly end: number } | undefined;
}

/** What is known of the file; see the module. */
export type State = New | Settled | Growing;

/** What is committed, if anything is. */
export function committedOf(state: State): Committed | undefined {
  return state.kind === "new" ? undefined : state.committed;
}

/** A close gives back this much dead space behind the last chunk, by one more commit. */
const SETTLE_LENGTH = 65536;

/** Whether moving index and trailer into the gap before them shortens the file worth the while. */
export function givesBack(committed: Committed | undefined, chunksEnd: number): boolean {
  if (committed === undefined || committed.empty) return false;
  const tailLength = committed.end - committed.tailStart;
  return committed.tailStart - chunksEnd >= Math.max(SETTLE_LENGTH, tailLength);
}
