/** Blocks decoded lately, for scattered reads that come back to a block. @module */
import type { BlockReader } from "./block-reader.js";

/** What the lists below take for a slot, with room to spare. */
const SLOT_OVERHEAD = 256;
const MAX_SLOTS = 65536;
const NONE = -1;

/**
 * Least recently used blocks, in slots of one size that are used over and over. Blocks are found by a key that stands for a chunk
 * (its index entry) and their index in it.
 */
export class BlockCache {
  /** Most bytes that the cache takes, all in all. */
  readonly maxBytes: number;
  /** Changes whenever a chunk is forgotten: chunks opened before may be gone, and neither read nor fill the cache any longer. */
  version = 0;
  /** Bytes of a slot: those of the largest block so far. */
  #slotBytes = 0;
  #slots: (Uint8Array | undefined)[] = [];
  /** Slots in use are `0..#used`. */
  #used = 0;
  #keys = new Float64Array(0);
  #blocks = new Int32Array(0);
  /** First slot of each bucket, and for each slot the next one in its bucket. */
  #buckets = new Int32Array(0);
  #nextInBucket = new Int32Array(0);
  /** The slots from the one used last to the one used least lately. */
  #older = new Int32Array(0);
  #newer = new Int32Array(0);
  #newest = NONE;
  #oldest = NONE;

  /** @param maxBytes 1 or more */
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** Bytes of decoded blocks that there is memory for at the moment. */
  get heldBytes(): number {
    let held = 0;
    for (const slot of this.#slots) held += slot?.byteLength ?? 0;
    return held;
  }

  /**
   * Reads bytes `start..stop` of a chunk into `target`, block by block: from the cache, or else decoding the whole block into it.
   * The range has been checked.
   */
  read(chunk: BlockReader, key: number, start: number, stop: number, target: Uint8Array, targetOffset: number): void {
    const { blocksize } = chunk.coding;
    if (!this.#fit(blocksize)) {
      chunk.read(start, stop, target, targetOffset);
      return;
    }
    for (let i = Math.floor(start / blocksize); i * blocksize < stop; i++) {
      const blockStart = i * blocksize;
      const from = Math.max(0, start - blockStart);
      const to = Math.min(blocksize, stop - blockStart);
      let at = this.#find(key, i);
      if (at === NONE) at = this.#decode(chunk, key, i);
      else this.#touch(at);
      const block = this.#slots[at] as Uint8Array;
      const out = targetOffset + blockStart + from - start;
      if (to - from > 64) {
        target.set(block.subarray(from, to), out);
      } else {
        for (let b = from; b < to; b++) target[out + b - from] = block[b] as number;
      }
    }
  }

  /** Forgets the blocks of a chunk whose bytes are given up. */
  forget(key: number): void {
    this.version++;
    for (let slot = 0; slot < this.#used; slot++) {
      if (this.#keys[slot] !== key || this.#blocks[slot] === NONE) continue;
      this.#unlist(slot);
    }
  }

  /** Forgets everything. The memory stays. */
  clear(): void {
    this.version++;
    this.#empty();
  }

  #empty(): void {
    this.#used = 0;
    this.#newest = NONE;
    this.#oldest = NONE;
    this.#buckets.fill(NONE);
  }

  /** Makes slots that hold such blocks; whether there is room for one. */
  #fit(blocksize: number): boolean {
    if (blocksize <= this.#slotBytes) return this.#slots.length > 0;
    const count = Math.min(MAX_SLOTS, Math.floor(this.maxBytes / (blocksize + SLOT_OVERHEAD)));
    // A block that is too large is read past the cache, which keeps the others.
    if (count === 0) return false;
    this.#slotBytes = blocksize;
    this.#slots = new Array<Uint8Array | undefined>(count).fill(undefined);
    this.#keys = new Float64Array(count);
    this.#blocks = new Int32Array(count);
    this.#nextInBucket = new Int32Array(count);
    this.#older = new Int32Array(count);
    this.#newer = new Int32Array(count);
    this.#buckets = new Int32Array(2 ** Math.ceil(Math.log2(2 * count)));
    this.#empty();
    return true;
  }

  /** Decodes a block into the slot used least lately; gives the slot. */
  #decode(chunk: BlockReader, key: number, blockIndex: number): number {
    let slot = this.#used;
    if (slot < this.#slots.length) {
      this.#slots[slot] ??= new Uint8Array(this.#slotBytes);
      this.#used++;
      this.#blocks[slot] = NONE;
    } else {
      slot = this.#oldest;
      if (this.#blocks[slot] !== NONE) this.#unlist(slot);
      this.#unlink(slot);
    }
    // Until the block is whole the slot counts as empty and is the first to be used again, should decoding fail.
    this.#linkOldest(slot);
    const { blocksize } = chunk.coding;
    const start = blockIndex * blocksize;
    chunk.read(start, start + chunk.blockByteLength(blockIndex), this.#slots[slot] as Uint8Array, 0);
    const bucket = this.#bucketOf(key, blockIndex);
    this.#keys[slot] = key;
    this.#blocks[slot] = blockIndex;
    this.#nextInBucket[slot] = this.#buckets[bucket] as number;
    this.#buckets[bucket] = slot;
    this.#touch(slot);
    return slot;
  }

  #bucketOf(key: number, blockIndex: number): number {
    const low = Math.imul((key % 0x100000000) ^ (key / 0x100000000), 0x9e3779b1);
    const mixed = Math.imul(low ^ (low >>> 15) ^ blockIndex, 0x85ebca6b);
    return (mixed ^ (mixed >>> 13)) & (this.#buckets.length - 1);
  }

  #find(key: number, blockIndex: number): number {
    let slot = this.#buckets[this.#bucketOf(key, blockIndex)] as number;
    while (slot !== NONE && (this.#blocks[slot] !== blockIndex || this.#keys[slot] !== key)) {
      slot = this.#nextInBucket[slot] as number;
    }
    return slot;
  }

  /** Takes a slot out of its bucket, so that its block is no longer found. */
  #unlist(slot: number): void {
    const bucket = this.#bucketOf(this.#keys[slot] as number, this.#blocks[slot] as number);
    const next = this.#nextInBucket[slot] as number;
    let at = this.#buckets[bucket] as number;
    if (at === slot) {
      this.#buckets[bucket] = next;
    } else {
      while (this.#nextInBucket[at] !== slot) at = this.#nextInBucket[at] as number;
      this.#nextInBucket[at] = next;
    }
    this.#blocks[slot] = NONE;
  }

  /** Makes a slot the one used last. */
  #touch(slot: number): void {
    if (slot === this.#newest) return;
    this.#unlink(slot);
    this.#older[slot] = this.#newest;
    this.#newer[slot] = NONE;
    if (this.#newest === NONE) this.#oldest = slot;
    else this.#newer[this.#newest] = slot;
    this.#newest = slot;
  }

  #linkOldest(slot: number): void {
    this.#newer[slot] = this.#oldest;
    this.#older[slot] = NONE;
    if (this.#oldest === NONE) this.#newest = slot;
    else this.#older[this.#oldest] = slot;
    this.#oldest = slot;
  }

  #unlink(slot: number): void {
    const newer = this.#newer[slot] as number;
    const older = this.#older[slot] as number;
    if (newer === NONE) this.#newest = older;
    else this.#older[newer] = older;
    if (older === NONE) this.#oldest = newer;
    else this.#newer[older] = newer;
  }
}
