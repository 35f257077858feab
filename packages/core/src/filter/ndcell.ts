/**
 * Cell order, filter 32: the items of a B2ND block are put in cells of `meta` items a side, cell by cell in C order, the items
 * of a cell in C order; cells at the far edges are smaller. (*Blosc2 format documents*, plugin filters.)
 *
 * @module
 */
import { cellWalk, checkedBlockShape, gatherCells, scatterCells } from "./cell-copy.js";
import type { Filter, FilterContext } from "./filter.js";
import { filterFailure } from "./filter-failure.js";

function start(byteLength: number, context: FilterContext, direction: "forward" | "backward"): void {
  const blockShape = checkedBlockShape(context, byteLength, "ndcell", direction);
  const items = byteLength / context.superChunkTypesize;
  if (context.meta < 1 || context.meta ** blockShape.length > items) {
    throw filterFailure("ndcell", direction, "meta", `a side of a cell of at most ${items} items`, context.meta);
  }
  cellWalk.start(blockShape, context.meta);
}

/**
 * Cell order; `meta` = side of a cell in items. Only for B2ND arrays of at most 8 dimensions.
 *
 * @throws CodecError `BLOSC2_FILTER_FAILED` without a block geometry, or when a cell has more items than the block.
 */
export const ndcell: Filter = {
  id: 32,
  name: "ndcell",
  needsReference: false,
  forward(source, target, context): void {
    start(source.byteLength, context, "forward");
    gatherCells(source, target, context.superChunkTypesize);
  },
  backward(source, target, context): void {
    start(source.byteLength, context, "backward");
    scatterCells(source, target, context.superChunkTypesize);
  },
};
