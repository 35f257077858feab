/** What the cell filters share: checks of the block's geometry, and putting cells back in place. @module */
import { CellWalk, MAX_CELL_DIMENSIONS } from "./cell-walk.js";
import type { FilterContext } from "./filter.js";
import { filterFailure } from "./filter-failure.js";

/** The one walk of this thread; filters don't nest. */
export const cellWalk: CellWalk = new CellWalk();

/**
 * The block shape, checked: 1 to 8 dimensions whose product is the block's item count.
 *
 * @throws CodecError `BLOSC2_FILTER_FAILED`
 */
export function checkedBlockShape(
  context: FilterContext,
  byteLength: number,
  filter: string,
  direction: "forward" | "backward",
): readonly number[] {
  if (context.geometry === undefined) {
    throw filterFailure(filter, direction, "geometry", "a chunk of a B2ND array", "none");
  }
  const blockShape = context.geometry.blockShape;
  if (blockShape.length < 1 || blockShape.length > MAX_CELL_DIMENSIONS) {
    throw filterFailure(filter, direction, "dimensions", `1..${MAX_CELL_DIMENSIONS}`, blockShape.length);
  }
  let expected = context.superChunkTypesize;
  for (const side of blockShape) expected *= side;
  if (blockShape.some((side) => side < 1) || expected !== byteLength) {
    throw filterFailure(filter, direction, "block", `${blockShape.join(" x ")} items`, `${byteLength} bytes`);
  }
  return blockShape;
}

/** Copies the runs of all cells, stored one after the other in `source`, to their places in the block `target`. */
export function scatterCells(source: Uint8Array, target: Uint8Array, typesize: number): void {
  let at = 0;
  while (cellWalk.next()) {
    const from = cellWalk.itemOffset * typesize;
    const to = from + cellWalk.runLength * typesize;
    for (let i = from; i < to; i++) target[i] = source[at++];
  }
}
