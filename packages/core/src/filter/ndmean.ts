/**
 * Cell means, filter 33: as the cell order filter, but each item is replaced by the mean of its cell. Only the order is
 * undone. A cell is no longer than the block along any dimension. (*Blosc2 format documents*, plugin filters.)
 *
 * @module
 */
import { bufferView } from "./buffer-view.js";
import { cellWalk, checkedBlockShape, scatterCells } from "./cell-copy.js";
import type { Filter, FilterContext } from "./filter.js";
import { filterFailure } from "./filter-failure.js";

function start(byteLength: number, context: FilterContext, direction: "forward" | "backward"): void {
  const blockShape = checkedBlockShape(context, byteLength, "ndmean", direction);
  if (context.meta < 1 || context.meta > 127) {
    throw filterFailure("ndmean", direction, "meta", "1..127", context.meta);
  }
  // The C library takes the first side of a cell for the step along every dimension: with a first side that the block cuts
  // short and another that it does not, it writes the means of other boxes than it stores, and can't read them.
  if (blockShape[0] < context.meta && blockShape.some((side) => side > context.meta)) {
    throw filterFailure("ndmean", direction, "first side of the block", `at least ${context.meta}`, blockShape[0]);
  }
  cellWalk.start(blockShape, context.meta);
}

/**
 * Cell means for float32 and float64 items (typesizes 4 and 8); `meta` = side of a cell in items, 1..127. Only for B2ND
 * arrays of at most 8 dimensions. Lossy.
 *
 * @throws CodecError `BLOSC2_FILTER_FAILED` without a block geometry, for another typesize, or for a cell that does not fit.
 */
export const ndmean: Filter = {
  id: 33,
  name: "ndmean",
  needsReference: false,
  forward(source, target, context): void {
    const typesize = context.superChunkTypesize;
    if (typesize !== 4 && typesize !== 8) throw filterFailure("ndmean", "forward", "typesize", "4 or 8", typesize);
    start(source.byteLength, context, "forward");
    const items = bufferView(source);
    const means = bufferView(target);
    let sum = 0;
    let out = target.byteOffset;
    while (cellWalk.next()) {
      const from = source.byteOffset + cellWalk.itemOffset * typesize;
      const to = from + cellWalk.runLength * typesize;
      // Sums of float32 items are rounded to float32 at each step, as the C library's are.
      if (typesize === 4) for (let at = from; at < to; at += 4) sum = Math.fround(sum + items.getFloat32(at, true));
      else for (let at = from; at < to; at += 8) sum += items.getFloat64(at, true);
      if (!cellWalk.lastOfCell) continue;
      const mean = sum / cellWalk.cellItemCount;
      for (const end = out + cellWalk.cellItemCount * typesize; out < end; out += typesize) {
        if (typesize === 4) means.setFloat32(out, mean, true);
        else means.setFloat64(out, mean, true);
      }
      sum = 0;
    }
  },
  backward(source, target, context): void {
    start(source.byteLength, context, "backward");
    scatterCells(source, target, context.superChunkTypesize);
  },
};
