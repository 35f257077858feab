/** A block of a chunk at the front of the engine's memory, from where its items are copied by boxes or lists. @module */
import type { BoxMemory } from "../block/box-memory.js";
import { fillPattern, nanPattern } from "../chunk/special-chunk.js";
import type { IndexedSpecial } from "../frame/offsets-index.js";
import type { SuperChunkReader } from "../super-chunk/super-chunk-reader.js";
import { openArrayChunk } from "./array-chunk.js";
import type { ArraySelection } from "./array-selection.js";
import type { DimCursor } from "./dim-cursor.js";

/** Larger blocks are not decoded into the engine's memory. */
export const MAX_STAGED_BLOCK: number = 4 * 1024 * 1024;
/** For chunks of more compressed bytes the engine's memory might have to grow while a block is decoded. */
const MAX_STAGED_CHUNK = 64 * 1024 * 1024;

/** Decodes blocks that the cursors of a selection are at. */
export class StagedBlock {
  readonly #schunk: SuperChunkReader;
  readonly #boxes: BoxMemory;
  readonly #selection: ArraySelection;
  readonly #cursors: readonly DimCursor[];
  readonly #scratch: Uint8Array;
  /** Bytes of the engine's memory that are needed, this block among them. */
  readonly #byteLength: number;
  readonly #blockBytes: number;
  /** What the block repeats, if it is no chunk's. */
  #repeated: IndexedSpecial | undefined;

  /** @param scratch memory for one block, of a chunk that is too large to be staged */
  constructor(
    schunk: SuperChunkReader,
    boxes: BoxMemory,
    selection: ArraySelection,
    cursors: readonly DimCursor[],
    scratch: Uint8Array,
    byteLength: number,
  ) {
    this.#schunk = schunk;
    this.#boxes = boxes;
    this.#selection = selection;
    this.#cursors = cursors;
    this.#scratch = scratch;
    this.#byteLength = byteLength;
    this.#blockBytes = selection.grid.blockItemCount * selection.itemsize;
    this.#reserve(0);
  }

  #reserve(stagingByteLength: number): void {
    this.#boxes.reserve(this.#byteLength, this.#blockBytes, stagingByteLength);
  }

  /** Decodes what is selected of the block, or fills it with what its chunk repeats. @throws FormatError, CodecError, IoError */
  load(chunkIndex: number, special: IndexedSpecial | undefined): void {
    if (special !== undefined) {
      this.#repeat(special);
      return;
    }
    const { grid, itemsize } = this.#selection;
    const chunk = openArrayChunk(this.#schunk, grid, itemsize, chunkIndex);
    let from = 0;
    let to = 1;
    let blockIndex = 0;
    for (let dim = 0; dim < this.#cursors.length; dim++) {
      const { block, lowest, highest } = this.#cursors[dim] as DimCursor;
      from += lowest * (grid.itemStrides[dim] as number);
      to += highest * (grid.itemStrides[dim] as number);
      blockIndex += block * (grid.blockStrides[dim] as number);
    }
    const start = blockIndex * this.#blockBytes;
    this.#repeated = undefined;
    from *= itemsize;
    to *= itemsize;
    if (chunk.cbytes <= MAX_STAGED_CHUNK) {
      this.#reserve(chunk.cbytes);
      chunk.readBytes(start + from, start + to, this.#boxes.view(), from);
    } else {
      chunk.readBytes(start + from, start + to, this.#scratch, from);
      this.#boxes.view().set(this.#scratch.subarray(from, to), from);
    }
  }

  #repeat(special: IndexedSpecial): void {
    if (this.#repeated === special) return;
    const pattern = special === "nan" ? nanPattern(this.#selection.itemsize) : undefined;
    if (pattern === undefined) this.#boxes.view().fill(0, 0, this.#blockBytes);
    else fillPattern(this.#boxes.view(), 0, this.#blockBytes, pattern, 0);
    this.#repeated = special;
  }
}
