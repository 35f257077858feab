/** Bytes that are lent: whose memory they are, how long they hold, and a mode that shows who uses them longer. @module */

declare const lent: unique symbol;

/**
 * A view of memory that belongs to somebody else, who says until when it holds: for a chunk that was just made, until its `end()`;
 * for staged bytes, until the engine's lease ends; for a chunk of an iteration, until its next step. Read what is lent, or copy it
 * with `slice()`; do not keep the view. After its end it holds other bytes, or none if the memory has grown: no error comes of
 * that by itself. See `checkLentMemory`.
 */
export type Lent = Uint8Array & { readonly [lent]: true };

/** What lent memory is filled with when its time is over, in the mode of `checkLentMemory`: no count, offset or flag of a chunk. */
const POISON = 0xdb;

let checks = false;

/**
 * Switches, for this thread, a mode on in which lent memory is overwritten with bytes 0xDB as soon as it may no longer be used. Whoever
 * uses it all the same then gets wrong bytes each time, rather than now and then. It costs the time to overwrite them.
 */
export function checkLentMemory(on: boolean): void {
  checks = on;
}

/** Says that bytes are lent. */
export function lend(bytes: Uint8Array): Lent {
  return bytes as Lent;
}

/** Ends a loan: overwrites the bytes if `checkLentMemory` is on. */
export function endLoan(bytes: Lent): void {
  if (checks) bytes.fill(POISON);
}

/** Whether loans that end have to be told of. */
export function checksLoans(): boolean {
  return checks;
}
