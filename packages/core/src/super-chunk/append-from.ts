/** Appending the bytes of a stream to a super-chunk, chunk by chunk. @module */
import { checkOptionNames, type OptionNames } from "../checks/option-names.js";
import { type BytePiece, bytesOfPiece, endedInside } from "../streams/byte-pieces.js";
import { eachPiece } from "../streams/each-piece.js";
import type { PieceSource, StreamOptions } from "../streams/web-streams.js";
import { appendItems, chunksizeForAppend } from "./item-slices.js";
import type { SuperChunkState } from "./super-chunk-state.js";

const STREAM_NAMES: OptionNames<StreamOptions> = { signal: true };

const OPERATION = "appendFrom";
/** Memory is taken as it is filled, from here on. */
const FIRST_ROOM = 64 * 1024;

/** Collects bytes until they fill the chunk that comes next. */
class ChunkFiller {
  readonly #state: SuperChunkState;
  readonly #change: (append: () => void) => void;
  #buffer: Uint8Array = new Uint8Array(0);
  #filled = 0;
  /** Bytes that fill the chunk; 0: to be found out. */
  #wanted = 0;

  constructor(state: SuperChunkState, change: (append: () => void) => void) {
    this.#state = state;
    this.#change = change;
  }

  add(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.byteLength; ) {
      if (this.#wanted === 0) this.#wanted = this.#room();
      const taken = Math.min(bytes.byteLength - done, this.#wanted - this.#filled);
      this.#reserve(this.#filled + taken);
      this.#buffer.set(bytes.subarray(done, done + taken), this.#filled);
      this.#filled += taken;
      done += taken;
      if (this.#filled === this.#wanted) this.store();
    }
  }

  /** Appends what waits. */
  store(): void {
    const bytes = this.#buffer.subarray(0, this.#filled);
    this.#filled = 0;
    this.#wanted = 0;
    if (bytes.byteLength > 0) this.#change(() => appendItems(this.#state, bytes));
  }

  /** Bytes to the end of the last chunk, or of a new one; whole items. */
  #room(): number {
    const state = this.#state;
    return state.reading(OPERATION, () => {
      const { chunks, header } = state.frame;
      const whole = chunksizeForAppend(state, Number.MAX_SAFE_INTEGER);
      const used = chunks.variable || chunks.length === 0 ? 0 : chunks.nbytesOf(chunks.length - 1);
      const room = used < whole ? whole - used : whole;
      return Math.max(header.typesize, room - (room % header.typesize));
    });
  }

  #reserve(byteLength: number): void {
    if (byteLength <= this.#buffer.byteLength) return;
    const size = Math.min(this.#wanted, Math.max(FIRST_ROOM, byteLength, 2 * this.#buffer.byteLength));
    this.#state.requireAllocation(size, "chunk that is filled");
    const larger = new Uint8Array(size);
    larger.set(this.#buffer.subarray(0, this.#filled));
    this.#buffer = larger;
  }
}

/** What `SChunk.appendFrom` does. @returns the number of items */
export async function appendFrom(
  state: SuperChunkState,
  source: PieceSource<BytePiece>,
  options: StreamOptions,
): Promise<number> {
  checkOptionNames(STREAM_NAMES, options);
  state.requireOpen(OPERATION);
  const filler = new ChunkFiller(state, (append) => state.changing(OPERATION, append));
  let byteLength = 0;
  await eachPiece(source, OPERATION, options, (piece) => {
    const bytes = bytesOfPiece(piece, OPERATION);
    filler.add(bytes);
    byteLength += bytes.byteLength;
  });
  state.requireOpen(OPERATION);
  const { typesize } = state.frame.header;
  const items = Math.floor(byteLength / typesize);
  const rest = byteLength % typesize;
  if (rest !== 0) throw endedInside(OPERATION, "item", items, rest, typesize);
  filler.store();
  state.commit();
  return items;
}
