/** Steps through the dimensions of a selection together. @module */
import type { DimCursor } from "./dim-cursor.js";

export const CHUNK = 0;
export const BLOCK = 1;
export const RUN = 2;
type Level = typeof CHUNK | typeof BLOCK | typeof RUN;

function first(cursor: DimCursor, level: Level): void {
  if (level === CHUNK) cursor.firstChunk();
  else if (level === BLOCK) cursor.firstBlock();
  else cursor.firstRun();
}

function next(cursor: DimCursor, level: Level): boolean {
  if (level === CHUNK) return cursor.nextChunk();
  return level === BLOCK ? cursor.nextBlock() : cursor.nextRun();
}

/** Starts a level over in every dimension. */
export function firstOfAll(cursors: readonly DimCursor[], level: Level): void {
  for (const cursor of cursors) first(cursor, level);
}

/** Steps like the digits of a number, the last dimension fastest. @returns false at the end */
export function nextOfAll(cursors: readonly DimCursor[], level: Level): boolean {
  for (let dim = cursors.length - 1; dim >= 0; dim--) {
    const cursor = cursors[dim] as DimCursor;
    if (next(cursor, level)) return true;
    first(cursor, level);
  }
  return false;
}
