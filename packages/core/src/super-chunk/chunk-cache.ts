/** Chunks opened lately, so that reads which come back to a chunk find its header and block starts in memory. @module */
import { BlockCache } from "../chunk/block-cache.js";
import { type Chunk, keepBlocksIn } from "../chunk/chunk.js";

/** Chunks kept. Each holds a header and its block starts. */
const MAX_CHUNKS = 256;
/** Blocks that the kept chunks may have together; their starts take a few bytes each. */
const MAX_BLOCKS = 262144;

/** Least recently used chunks by index entry; an entry stands for the same bytes until it is released. */
export class ChunkCache {
  readonly #chunks = new Map<number, Chunk>();
  #nblocks = 0;
  #lastEntry = -1;
  #lastChunk: Chunk | undefined;
  readonly #blocks: BlockCache | undefined;
  readonly #sound = new Set<number>();

  /** @param blockCacheBytes for decoded blocks of the chunks; 0 for none. */
  constructor(blockCacheBytes: number) {
    this.#blocks = blockCacheBytes > 0 ? new BlockCache(blockCacheBytes) : undefined;
  }

  get(entry: number): Chunk | undefined {
    if (entry === this.#lastEntry) return this.#lastChunk;
    const chunk = this.#chunks.get(entry);
    if (chunk !== undefined) {
      if (this.#blocks !== undefined) keepBlocksIn(chunk, this.#blocks, entry);
      this.#chunks.delete(entry);
      this.#chunks.set(entry, chunk);
      this.#lastEntry = entry;
      this.#lastChunk = chunk;
    }
    return chunk;
  }

  /** Remembers a chunk until another one is opened. */
  setLast(entry: number, chunk: Chunk): void {
    if (this.#blocks !== undefined) keepBlocksIn(chunk, this.#blocks, entry);
    this.#lastEntry = entry;
    this.#lastChunk = chunk;
  }

  set(entry: number, chunk: Chunk): void {
    this.setLast(entry, chunk);
    this.#chunks.set(entry, chunk);
    this.#nblocks += chunk.nblocks;
    for (const oldest of this.#chunks.keys()) {
      if ((this.#chunks.size <= MAX_CHUNKS && this.#nblocks <= MAX_BLOCKS) || oldest === entry) break;
      this.#remove(oldest);
    }
  }

  /** Remembers, for longer than the chunk itself, that it agrees with its checksum. */
  noteSound(entry: number): void {
    this.#sound.add(entry);
  }

  isSound(entry: number): boolean {
    return this.#sound.has(entry);
  }

  /** Forgets a chunk whose bytes are given up. */
  delete(entry: number): void {
    this.#remove(entry);
    this.#sound.delete(entry);
    this.#blocks?.forget(entry);
    this.#lastEntry = -1;
    this.#lastChunk = undefined;
  }

  clear(): void {
    this.#chunks.clear();
    this.#sound.clear();
    this.#blocks?.clear();
    this.#nblocks = 0;
    this.#lastEntry = -1;
    this.#lastChunk = undefined;
  }

  #remove(entry: number): void {
    this.#nblocks -= this.#chunks.get(entry)?.nblocks ?? 0;
    this.#chunks.delete(entry);
  }
}
