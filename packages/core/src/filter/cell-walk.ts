/**
 * Walking over the cells of a B2ND block: the block is cut into boxes of a given shape (smaller ones at its far edges), and
 * each box into runs of items that are contiguous in the block. Cells come in C order, and so do the runs of a cell.
 *
 * @module
 */

/** The most dimensions that the cell filters take. */
export const MAX_CELL_DIMENSIONS = 8;

/** One walk at a time over all runs of a block; reused so that a filter call creates no object. */
export class CellWalk {
  /** Item index in the block of the run's first item. */
  itemOffset = 0;
  /** Items in the run. */
  runLength = 0;
  /** Items in the cell that the run belongs to. */
  cellItemCount = 0;
  /** Whether the run is the last of its cell. */
  lastOfCell = false;

  #ndim = 0;
  /** Whether a run is current. */
  #started = false;
  /** Per dimension: block shape, cell shape, item stride, first coordinate and shape of the cell, run's place in the cell. */
  readonly #block: Int32Array = new Int32Array(MAX_CELL_DIMENSIONS);
  readonly #cell: Int32Array = new Int32Array(MAX_CELL_DIMENSIONS);
  readonly #stride: Int32Array = new Int32Array(MAX_CELL_DIMENSIONS);
  readonly #origin: Int32Array = new Int32Array(MAX_CELL_DIMENSIONS);
  readonly #extent: Int32Array = new Int32Array(MAX_CELL_DIMENSIONS);
  readonly #run: Int32Array = new Int32Array(MAX_CELL_DIMENSIONS);

  /** Starts over a block of `blocks` (1 to 8 dimensions, all at least 1) cut into cells with `side` items a side. */
  start(blockShape: readonly number[], side: number): void {
    this.#ndim = blockShape.length;
    let stride = 1;
    for (let d = this.#ndim - 1; d >= 0; d--) {
      this.#block[d] = blockShape[d];
      this.#cell[d] = Math.min(side, blockShape[d]);
      this.#stride[d] = stride;
      this.#origin[d] = 0;
      this.#run[d] = 0;
      stride *= blockShape[d];
    }
    this.#enterCell();
    this.#started = false;
  }

  /** Steps to the first run, then to the next one; false after the last. */
  next(): boolean {
    const last = this.#ndim - 1;
    if (this.#started && !this.#advanceRun()) {
      if (!this.#advanceCell()) return false;
      this.#enterCell();
    }
    this.#started = true;
    let offset = this.#origin[last];
    let isLast = true;
    for (let d = 0; d < last; d++) {
      offset += (this.#origin[d] + this.#run[d]) * this.#stride[d];
      if (this.#run[d] + 1 < this.#extent[d]) isLast = false;
    }
    this.itemOffset = offset;
    this.lastOfCell = isLast;
    return true;
  }

  /** To the next run of this cell; false, and back on the first, after its last. */
  #advanceRun(): boolean {
    for (let d = this.#ndim - 2; d >= 0; d--) {
      this.#run[d]++;
      if (this.#run[d] < this.#extent[d]) return true;
      this.#run[d] = 0;
    }
    return false;
  }

  /** To the next cell's origin; false after the last cell. */
  #advanceCell(): boolean {
    for (let d = this.#ndim - 1; d >= 0; d--) {
      this.#origin[d] += this.#cell[d];
      if (this.#origin[d] < this.#block[d]) return true;
      this.#origin[d] = 0;
    }
    return false;
  }

  #enterCell(): void {
    let count = 1;
    for (let d = 0; d < this.#ndim; d++) {
      this.#extent[d] = Math.min(this.#cell[d], this.#block[d] - this.#origin[d]);
      count *= this.#extent[d];
    }
    this.cellItemCount = count;
    this.runLength = this.#extent[this.#ndim - 1];
  }
}
