/** The file of a contiguous frame, in positions relative to the frame's first byte. @module */
import type { WindowMemory } from "../block/window-memory.js";
import type { IoHandle } from "../io/backend.js";
import { type Durability, prepareToSettle, settle } from "./durability.js";
import { MappedFile } from "./mapped-file.js";

/** The disk is told to begin whenever this much has been written ahead since: then a flush waits for the rest only. */
const PREPARE_LENGTH = 8 * 1024 * 1024;

/**
 * A frame's view of its file. Part of it can be held back: writes into that window are kept in memory and reach the
 * file together with the header, in one write. So the first chunks of a frame can take the place of the empty trailer
 * that the committed header still points to, without a moment at which the file can't be opened.
 */
export class FrameFile {
  readonly handle: IoHandle;
  /** Absolute position of the frame's first byte. */
  readonly position: number;
  /** What {@link flush} is to bring about. */
  readonly durability: Durability;
  #held: Uint8Array | undefined;
  #heldStart = 0;
  /** Bytes written ahead that the disk has not been told of. */
  #unprepared = 0;
  readonly #mapped: MappedFile | undefined;

  constructor(handle: IoHandle, position: number, durability: Durability = "disk") {
    this.handle = handle;
    this.position = position;
    this.durability = durability;
    this.#mapped = handle.mapInto === undefined ? undefined : new MappedFile(handle);
  }

  /** Bytes from the frame's first one to the end of the file. */
  size(): number {
    return Math.max(0, this.handle.size() - this.position);
  }

  /** Holds back what is written into `start..end` until {@link writeHeader}. */
  hold(start: number, end: number): void {
    this.#held = end > start ? new Uint8Array(end - start) : undefined;
    this.#heldStart = start;
  }

  /** Borrowed: valid until the next call. */
  read(offset: number, length: number): Uint8Array {
    if (this.#held !== undefined && offset < this.#heldStart + this.#held.byteLength) {
      const bytes = new Uint8Array(length);
      this.readInto(offset, bytes);
      return bytes;
    }
    return this.handle.read(this.position + offset, length);
  }

  readInto(offset: number, target: Uint8Array): void {
    const held = this.#held;
    if (held === undefined || offset >= this.#heldStart + held.byteLength || offset < this.#heldStart) {
      this.handle.readInto(this.position + offset, target);
      return;
    }
    const part = held.subarray(offset - this.#heldStart, offset - this.#heldStart + target.byteLength);
    target.set(part);
    if (part.byteLength < target.byteLength) {
      this.handle.readInto(this.position + offset + part.byteLength, target.subarray(part.byteLength));
    }
  }

  /** The bytes as a view of `memory`, as {@link WindowMemory.locate} gives them. */
  mapped(offset: number, length: number, memory: WindowMemory): Uint8Array | undefined {
    return this.#held === undefined ? this.#mapped?.locate(memory, this.position + offset, length) : undefined;
  }

  /** Writes at or after the end of the header. */
  write(offset: number, bytes: Uint8Array): void {
    const held = this.#held;
    let from = 0;
    if (held !== undefined && offset < this.#heldStart + held.byteLength) {
      from = Math.min(bytes.byteLength, this.#heldStart + held.byteLength - offset);
      held.set(bytes.subarray(0, from), offset - this.#heldStart);
    }
    if (from < bytes.byteLength) this.handle.write(this.position + offset + from, bytes.subarray(from));
  }

  /** As {@link write}, of what a later flush is for: the disk can begin before that. */
  writeAhead(offset: number, bytes: Uint8Array): void {
    this.write(offset, bytes);
    this.#unprepared += bytes.byteLength;
    if (this.#unprepared < PREPARE_LENGTH) return;
    prepareToSettle(this.handle, this.durability);
    this.#unprepared = 0;
  }

  /**
   * Writes the header, and behind it what was held back, in one write.
   *
   * @param header what to write of it: all, if anything is held back.
   * @param frameLength the frame's new length; nothing past it is written.
   */
  writeHeader(header: Uint8Array, frameLength: number): void {
    const held = this.#held;
    if (held === undefined) {
      this.handle.write(this.position, header);
      return;
    }
    const used = Math.min(held.byteLength, frameLength - this.#heldStart);
    const bytes = new Uint8Array(header.byteLength + used);
    bytes.set(header);
    bytes.set(held.subarray(0, used), header.byteLength);
    this.handle.write(this.position, bytes);
    this.#held = undefined;
  }

  truncate(length: number): void {
    this.handle.truncate(this.position + length);
  }

  /** What was written before outlives what the frame's durability says, whatever happens to what is written next. */
  flush(): void {
    settle(this.handle, this.durability);
    this.#unprepared = 0;
  }

  close(): void {
    this.#mapped?.release();
    this.handle.close();
  }
}
