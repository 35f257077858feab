/** What the cell filters share: checks of the block's geometry, and moving cells between block and cell order. @module */
import { bufferView } from "./buffer-view.js";
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
  const blockShape = context.geometry.blocks;
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
  const from = bufferView(source);
  const to = bufferView(target);
  let at = source.byteOffset;
  while (cellWalk.next()) {
    const byteLength = cellWalk.runLength * typesize;
    copyRun(from, at, to, target.byteOffset + cellWalk.itemOffset * typesize, byteLength);
    at += byteLength;
  }
}

/** Undoes {@link scatterCells}. */
export function gatherCells(source: Uint8Array, target: Uint8Array, typesize: number): void {
  const from = bufferView(source);
  const to = bufferView(target);
  let out = target.byteOffset;
  while (cellWalk.next()) {
    const byteLength = cellWalk.runLength * typesize;
    copyRun(from, source.byteOffset + cellWalk.itemOffset * typesize, to, out, byteLength);
    out += byteLength;
  }
}

/** A few bytes, for which a bulk copy costs more than it saves. */
function copyRun(from: DataView, at: number, to: DataView, out: number, byteLength: number): void {
  let i = 0;
  for (; i + 4 <= byteLength; i += 4) to.setInt32(out + i, from.getInt32(at + i, true), true);
  for (; i < byteLength; i++) to.setUint8(out + i, from.getUint8(at + i));
}
