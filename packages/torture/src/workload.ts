/** A writer that changes a frame at random and tells what it holds at each commit. @module */
import { crc32 } from "node:zlib";
import { asarray, type Durability, type IoBackend, NDArray, SChunk } from "@b2frame/core";
import { SeededRandom } from "@b2frame/interop/seeded-random";
import { type FrameKind, type FrameState, rowChecksums } from "./frame-state.js";

/** How a workload runs. */
export interface WorkloadOptions {
  readonly path: string;
  readonly backend: IoBackend;
  readonly kind: FrameKind;
  readonly seed: number;
  /** Uncompressed bytes of a chunk; a multiple of 4. */
  readonly chunkBytes: number;
  /** Whether to keep checksums. */
  readonly checksum: boolean;
  /** What commits outlive. Default `"disk"`. */
  readonly durability?: Durability;
  /** Above this many chunks deleting gets as likely as adding. Default 60. */
  readonly manyChunks?: number;
  /** Is told before a commit what the frame will hold. */
  readonly onAttempt: (state: FrameState) => void;
  /** Is told when the commit has returned. */
  readonly onCommit: (state: FrameState) => void;
}

const ITEM_BYTES = 4;
/** Items of a row of the array. */
const ROW_ITEMS = 16;
const VLMETA_NAMES = ["a", "b", "c"];
const MANY_CHUNKS = 60;

/** Content that compresses somewhat, and differs from number to number. */
function makeItems(random: SeededRandom, count: number): Int32Array {
  const base = random.bits();
  const step = random.integer(0, 3);
  const noise = random.oneIn(3);
  return Int32Array.from({ length: count }, (_, i) => (noise ? random.bits() : base + i * step) | 0);
}

function bytesOf(items: Int32Array): Uint8Array {
  return new Uint8Array(items.buffer, items.byteOffset, items.byteLength);
}

/** See the module. A step changes something or commits; nothing is committed but by {@link Workload.step} and `close`. */
export class Workload {
  readonly #options: WorkloadOptions;
  readonly #random: SeededRandom;
  readonly #schunk: SChunk;
  readonly #array: NDArray | undefined;
  readonly #vlmeta: Record<string, number>;
  #parts: number[];

  private constructor(options: WorkloadOptions, schunk: SChunk, array: NDArray | undefined, state: FrameState) {
    this.#options = options;
    this.#random = new SeededRandom(options.seed);
    this.#schunk = schunk;
    this.#array = array;
    this.#parts = [...state.parts];
    this.#vlmeta = { ...state.vlmeta };
  }

  /** Makes a new frame, which is its first commit. */
  static create(options: WorkloadOptions): Workload {
    const { path, backend, kind, chunkBytes, checksum, durability, onAttempt, onCommit } = options;
    const place = { urlpath: path, io: backend, checksum, durability };
    const empty: FrameState = { parts: [], vlmeta: {} };
    onAttempt(empty);
    const cparams = { codec: "lz4", clevel: 1 };
    let schunk: SChunk;
    let array: NDArray | undefined;
    if (kind === "array") {
      const rows = chunkBytes / ITEM_BYTES / ROW_ITEMS;
      const shapes = { shape: [0, ROW_ITEMS], chunks: [rows, ROW_ITEMS], blocks: [rows, ROW_ITEMS] };
      array = asarray(new Int32Array(0), { ...place, ...shapes, cparams });
      schunk = array.schunk;
    } else {
      const contiguous = kind === "contiguous";
      schunk = SChunk.create({ ...place, contiguous, typesize: ITEM_BYTES, chunksize: chunkBytes, cparams });
    }
    onCommit(empty);
    return new Workload(options, schunk, array, empty);
  }

  /** Goes on with a frame that is there, and holds `state`. */
  static open(options: WorkloadOptions, state: FrameState): Workload {
    const { checksum, durability } = options;
    const schunk = SChunk.open(options.path, options.backend, { mode: "r+", checksum, durability });
    try {
      const array = options.kind === "array" ? NDArray.fromSChunk(schunk) : undefined;
      return new Workload(options, schunk, array, state);
    } catch (error) {
      schunk.close();
      throw error;
    }
  }

  /** What the frame holds, uncommitted changes included. */
  get state(): FrameState {
    return { parts: [...this.#parts], vlmeta: { ...this.#vlmeta } };
  }

  /** One random change or commit. */
  step(): void {
    const choice = this.#random.integer(0, 19);
    if (choice < 4) this.#commit(() => this.#schunk.flush());
    else if (choice < 7) this.#changeVlmeta();
    else if (choice === 7 && this.#random.oneIn(4)) this.#commit(() => this.#schunk.compact());
    else if (this.#array !== undefined) this.#changeArray(this.#array);
    else this.#changeChunks();
  }

  /** Commits and closes. */
  close(): void {
    this.#commit(() => this.#schunk.close());
  }

  #commit(commit: () => void): void {
    const { state } = this;
    this.#options.onAttempt(state);
    commit();
    this.#options.onCommit(state);
  }

  #changeVlmeta(): void {
    const name = this.#random.pick(VLMETA_NAMES);
    if (this.#random.oneIn(4) && name in this.#vlmeta) {
      this.#schunk.vlmeta.delete(name);
      delete this.#vlmeta[name];
    } else {
      const value = this.#random.bits();
      this.#schunk.vlmeta.setValue(name, value);
      this.#vlmeta[name] = value;
    }
  }

  #changeChunks(): void {
    const count = this.#parts.length;
    const at = count === 0 ? 0 : this.#random.integer(0, count - 1);
    const choice = this.#random.integer(0, 9);
    if (choice < 1 || (count > (this.#options.manyChunks ?? MANY_CHUNKS) && choice < 5)) {
      // To nothing and back is a path of its own.
      for (let left = this.#random.oneIn(8) ? count : Math.min(count, 1); left > 0; left--) this.#deleteChunk();
      return;
    }
    if (choice === 1) {
      this.#reorder();
      return;
    }
    const items = makeItems(this.#random, this.#options.chunkBytes / ITEM_BYTES);
    const crc = crc32(bytesOf(items));
    if (choice < 4 && count > 0) {
      this.#schunk.updateData(at, items);
      this.#parts[at] = crc;
    } else if (choice < 6) {
      this.#schunk.insertData(at, items);
      this.#parts.splice(at, 0, crc);
    } else {
      this.#schunk.appendData(items);
      this.#parts.push(crc);
    }
  }

  #deleteChunk(): void {
    const at = this.#random.integer(0, this.#parts.length - 1);
    this.#schunk.deleteChunk(at);
    this.#parts.splice(at, 1);
  }

  #reorder(): void {
    const order = this.#random.permutation(this.#parts.length);
    this.#schunk.reorderOffsets(order);
    this.#parts = order.map((from) => this.#parts[from] as number);
  }

  #changeArray(array: NDArray): void {
    const rows = this.#parts.length;
    const chunkRows = array.chunks[0] as number;
    const choice = this.#random.integer(0, 9);
    if (choice < 2 && rows > 0) {
      const start = this.#random.integer(0, rows - 1);
      const count = Math.min(rows - start, this.#random.integer(1, chunkRows));
      array.delete(start, count);
      this.#parts.splice(start, count);
    } else if (choice < 4 && rows > 0) {
      const start = this.#random.integer(0, rows - 1);
      const count = Math.min(rows - start, this.#random.integer(1, 4));
      const items = makeItems(this.#random, count * ROW_ITEMS);
      array.setSlice([start], [start + count], items);
      this.#parts.splice(start, count, ...rowChecksums(bytesOf(items), count));
    } else if (choice === 4 && rows > 2 * chunkRows) {
      const kept = this.#random.integer(0, rows);
      array.resize([kept, ROW_ITEMS]);
      this.#parts.length = kept;
    } else {
      const count = this.#random.integer(1, 2 * chunkRows);
      const items = makeItems(this.#random, count * ROW_ITEMS);
      array.append(asarray(items, { shape: [count, ROW_ITEMS] }).get());
      this.#parts.push(...rowChecksums(bytesOf(items), count));
    }
  }
}
