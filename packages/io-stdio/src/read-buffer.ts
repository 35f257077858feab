/** The part of a file that was read ahead. @module */
import { giveBuffer, takeBuffer } from "@b2frame/io-files";

/** A read that comes from elsewhere in the file than the one before fetches this much ahead at most. */
const SCATTERED_READ_AHEAD = 4096;

/** Memory for a file that is shorter than the buffer; or a power of two times as much. */
const SMALLEST = 4096;

/** Keeps a span of the file's bytes. Its memory comes with the first read. */
export class ReadBuffer {
  readonly #capacity: number;
  #bytes: Uint8Array | undefined;
  #start = 0;
  #length = 0;
  #changes = 0;
  /** The read before was too large for the buffer. */
  #passed = false;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Whether a read of this length goes through the buffer at all. */
  serves(length: number): boolean {
    return length < this.#capacity;
  }

  /** The bytes, if they are here; `changes` tells whether the file is the one that they were read from. */
  find(position: number, length: number, changes: number): Uint8Array | undefined {
    const offset = position - this.#start;
    if (this.#bytes === undefined || changes !== this.#changes || offset < 0 || offset + length > this.#length) {
      return undefined;
    }
    return this.#bytes.subarray(offset, offset + length);
  }

  /** What is here of the front of a range that is too large to be here as a whole; `changes` as in {@link find}. */
  findFront(position: number, length: number, changes: number): Uint8Array | undefined {
    this.#passed = true;
    const there = this.#start + this.#length - position;
    return there <= 0 ? undefined : this.find(position, Math.min(there, length), changes);
  }

  /**
   * Memory to read the file into from `position` on; `filled` tells how far that went. A read near the one before, or at
   * the file's start, takes the whole buffer; one from elsewhere little more than itself, and so does one after a read that was too
   * large for the buffer: another one such is likely to follow, as after the header of a chunk. None reads past `fileSize` for nothing,
   * the size that the file has as far as is known.
   */
  room(position: number, length: number, fileSize: number): Uint8Array {
    const near = position === 0 || (position >= this.#start && position <= this.#start + this.#length + this.#capacity);
    const wanted = near && !this.#passed ? this.#capacity : Math.max(length, SCATTERED_READ_AHEAD);
    this.#passed = false;
    this.#start = position;
    this.#length = 0;
    const size = Math.min(wanted, this.#capacity, Math.max(length, fileSize - position));
    return this.#memory(size).subarray(0, size);
  }

  /** Many small files may be open at once, as those of a sparse frame are. */
  #memory(size: number): Uint8Array {
    let bytes = this.#bytes;
    if (bytes === undefined || bytes.byteLength < size) {
      giveBuffer(bytes);
      bytes = takeBuffer(Math.min(this.#capacity, 2 ** Math.ceil(Math.log2(Math.max(size, SMALLEST)))));
      this.#bytes = bytes;
    }
    return bytes;
  }

  filled(length: number, changes: number): void {
    this.#length = length;
    this.#changes = changes;
  }

  /** Forgets the bytes: the file may have changed. */
  clear(): void {
    this.#length = 0;
  }

  /** Lets the memory go. */
  free(): void {
    this.#length = 0;
    giveBuffer(this.#bytes);
    this.#bytes = undefined;
  }
}
