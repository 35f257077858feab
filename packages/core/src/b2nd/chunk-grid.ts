/**
 * The geometry of an array: which chunk and block an item lies in.
 *
 * A chunk holds `chunks` rounded up to whole blocks ("extended"), always full size; inside it the blocks follow each other in C
 * order of the block grid, and inside a block the items in C order.
 *
 * @module
 */
import { ArgumentError } from "../errors.js";
import { cOrderStrides, product } from "../values/shape.js";

/** Chunk and block geometry of one array shape. Immutable; a resize makes a new one. */
export class ChunkGrid {
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly blocks: readonly number[];
  /** Chunk shape rounded up to whole blocks. */
  readonly extendedChunkShape: readonly number[];
  /** Chunks along each dimension. */
  readonly chunksPerDim: readonly number[];
  /** Blocks along each dimension of a chunk. */
  readonly blocksPerDim: readonly number[];
  readonly chunkStrides: readonly number[];
  readonly blockStrides: readonly number[];
  /** Strides of an item inside a block. */
  readonly itemStrides: readonly number[];
  /** Items in a block, and in a whole (extended) chunk. */
  readonly blockItemCount: number;
  readonly chunkItemCount: number;
  readonly nchunks: number;

  constructor(shape: readonly number[], chunkShape: readonly number[], blockShape: readonly number[]) {
    if (chunkShape.length !== shape.length || blockShape.length !== shape.length) {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_INVALID",
        `shape, chunks and blocks have ${shape.length}, ${chunkShape.length} and ${blockShape.length} dimensions; expected the same number`,
        { parameter: "chunks" },
      );
    }
    this.shape = [...shape];
    this.chunks = [...chunkShape];
    this.blocks = [...blockShape];
    this.extendedChunkShape = chunkShape.map((c, i) => {
      const b = blockShape[i] as number;
      return b === 0 ? c : Math.ceil(c / b) * b;
    });
    this.chunksPerDim = shape.map((s, i) => (s === 0 ? 0 : Math.ceil(s / (chunkShape[i] as number))));
    this.blocksPerDim = this.extendedChunkShape.map((e, i) =>
      blockShape[i] === 0 ? 0 : e / (blockShape[i] as number),
    );
    this.chunkStrides = cOrderStrides(this.chunksPerDim);
    this.blockStrides = cOrderStrides(this.blocksPerDim);
    this.itemStrides = cOrderStrides(blockShape);
    this.blockItemCount = product(blockShape);
    this.chunkItemCount = product(this.extendedChunkShape);
    this.nchunks = product(this.chunksPerDim);
  }

  get ndim(): number {
    return this.shape.length;
  }

  /** Items in the array. */
  get itemCount(): number {
    return product(this.shape);
  }
}
