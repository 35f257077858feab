/**
 * The table of chunks of a frame that is being changed. Every change keeps entries, sizes and facts in step. Chunks have one size but for
 * a shorter last one, until a change breaks that; from then on they may differ (`chunksize` 0), and stay so.
 *
 * @module
 */
import { ChunkTable, type ChunkTableFacts, type ChunkTableHome } from "./chunk-table.js";
import { CHUNKSIZE_UNSET, CHUNKSIZE_VARIABLE } from "./frame-layout.js";

/** See the module. */
export class EditableChunkTable extends ChunkTable {
  /** Fixes what the first chunk decides. */
  begin(vlBlocks: boolean, chunksize: number): void {
    if (this.facts.chunksize === CHUNKSIZE_UNSET) this.facts.chunksize = chunksize;
    if (this.length === 0) this.facts.vlBlocks = vlBlocks;
  }

  /** Fixes the kind of the only chunk that there will be. */
  restart(vlBlocks: boolean): void {
    this.facts.vlBlocks = vlBlocks;
  }

  /** Whether chunks still have one size when a chunk of so many bytes is inserted. */
  fitsInserted(chunkIndex: number, nbytes: number): boolean {
    const { chunksize } = this.facts;
    if (nbytes === 0 || nbytes > chunksize) return false;
    const atEnd = chunkIndex === this.length;
    return atEnd ? this.facts.nbytes % chunksize === 0 : nbytes === chunksize;
  }

  /** Whether chunks still have one size when a chunk is replaced by one of so many bytes. */
  fitsReplaced(chunkIndex: number, nbytes: number): boolean {
    const { chunksize } = this.facts;
    return chunkIndex === this.length - 1 ? nbytes > 0 && nbytes <= chunksize : nbytes === chunksize;
  }

  /** Whether chunks still have one size in another order. */
  fitsReordered(order: ArrayLike<number>): boolean {
    const { chunksize, nbytes } = this.facts;
    const last = this.length - 1;
    return last < 0 || nbytes % chunksize === 0 || order[last] === last;
  }

  insert(chunkIndex: number, entry: number, nbytes: number): void {
    this.index.insert(chunkIndex, entry);
    this.sizes?.splice(chunkIndex, 0, nbytes);
    this.#grow(nbytes);
  }

  /** @param oldNbytes what {@link nbytesOf} said: the replaced chunk may be gone by now */
  replace(chunkIndex: number, entry: number, oldNbytes: number, nbytes: number): void {
    this.index.set(chunkIndex, entry);
    if (this.sizes !== undefined) this.sizes[chunkIndex] = nbytes;
    this.#grow(nbytes - oldNbytes);
  }

  /** @param nbytes what {@link nbytesOf} said */
  remove(chunkIndex: number, nbytes: number): void {
    this.index.delete(chunkIndex);
    this.sizes?.splice(chunkIndex, 1);
    this.#grow(-nbytes);
  }

  #grow(nbytes: number): void {
    this.starts = undefined;
    this.facts.nbytes += nbytes;
  }

  /** `new[i] = old[order[i]]`; `order` is a permutation. */
  reorder(order: ArrayLike<number>): void {
    this.index.reorder(order);
    const old = this.sizes;
    if (old !== undefined) this.sizes = Array.from(order, (from) => old[from] as number);
    this.starts = undefined;
  }

  /** Puts a chunk's bytes elsewhere; nothing else of it changes. */
  move(chunkIndex: number, entry: number): void {
    this.index.set(chunkIndex, entry);
  }

  /** Puts other chunks, all of the full size, in the place of all. */
  replaceAll(entries: Float64Array): void {
    this.index.replace(entries);
    this.sizes = undefined;
    this.starts = undefined;
    this.facts.nbytes = entries.length * this.facts.chunksize;
  }

  /** Adds chunks of one entry at the end of an empty table, `nbytes` in all. */
  fill(entry: number, chunksize: number, nbytes: number): void {
    this.index.appendRepeated(entry, Math.ceil(nbytes / chunksize));
    this.facts.chunksize = chunksize;
    this.facts.nbytes = nbytes;
  }

  /** Adds an entry at the end, whose size the facts that follow by {@link state} account for. */
  append(entry: number): void {
    this.index.appendRepeated(entry, 1);
  }

  /** Takes over the facts of a table whose entries have been appended. */
  state({ nbytes, chunksize, variableChunks, vlBlocks }: ChunkTableFacts): void {
    this.sizes = undefined;
    this.starts = undefined;
    Object.assign(this.facts, { nbytes, chunksize, variableChunks, vlBlocks });
  }

  /** The same table for another frame that has the chunks now. */
  movedTo(home: ChunkTableHome): EditableChunkTable {
    return new EditableChunkTable(home, this.index, this.facts);
  }

  /** Lets chunks differ in size. No entry may be a special one then: it would lose its size. */
  becomeVariable(): void {
    const sizes = Array.from({ length: this.length }, (_, i) => this.nbytesOf(i));
    this.sizes = sizes;
    this.starts = undefined;
    this.facts.chunksize = CHUNKSIZE_VARIABLE;
    this.facts.variableChunks = true;
  }
}
