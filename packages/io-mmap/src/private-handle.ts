/** An open file in mode `c`: changes stay in this handle's memory, the file is never changed. @module */
import { closeSync } from "node:fs";
import { IoError, type IoHandle } from "@b2frame/core";
import { shortRead } from "@b2frame/core/backend";
import { identityText, NODE_FILE_SYSTEM, readFully, statusOf } from "@b2frame/io-files";
import { canDetach } from "./detach-buffer.js";
import { MappedWindows } from "./mapped-windows.js";
import type { MappingDriver } from "./mapping-driver.js";
import type { MmapHandleParts } from "./mmap-handle.js";
import { ScratchBuffer } from "./scratch-buffer.js";

/** Bytes of one private segment, where windows are no smaller. A multiple of every page size. */
const LARGEST_SEGMENT = 2 ** 18;

/**
 * Changes inside the file as it was at `open` go into private, copy-on-write pages of the map. What lies past its end, or
 * can't be mapped, is kept in segments of ordinary memory, which come before the map when both have a place.
 */
export class PrivateHandle implements IoHandle {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #driver: MappingDriver;
  readonly #windows: MappedWindows;
  /** A window is a whole number of segments, so what lies in one segment lies in one window. */
  readonly #segmentSize: number;
  readonly #scratch = new ScratchBuffer();
  readonly #segments = new Map<number, Uint8Array>();
  /** The file's size at `open`: how far it is mapped. */
  readonly #extent: number;
  /** Bytes at the start that are still the file's, changed or not. From here on everything is in segments, or zeros. */
  #fileBytes: number;
  #size: number;

  constructor(parts: Pick<MmapHandleParts, "path" | "descriptor" | "driver" | "plan">) {
    this.#path = parts.path;
    this.#descriptor = parts.descriptor;
    this.#driver = parts.driver;
    this.#segmentSize = Math.min(LARGEST_SEGMENT, parts.plan.windowSize);
    const windowSize = Math.ceil(parts.plan.windowSize / this.#segmentSize) * this.#segmentSize;
    this.#windows = new MappedWindows({ ...parts.plan, windowSize });
    this.#extent = parts.driver.fileSize(parts.descriptor);
    this.#fileBytes = this.#extent;
    this.#size = this.#extent;
  }

  size(): number {
    return this.#size;
  }

  read(position: number, length: number): Uint8Array {
    const end = position + length;
    this.#requireInside(position, length);
    const view = canDetach() ? this.#viewOfMap(position, length) : undefined;
    if (view !== undefined) return view;
    const first = Math.floor(position / this.#segmentSize);
    const segment = this.#segments.get(first);
    if (segment !== undefined && end <= (first + 1) * this.#segmentSize) {
      return segment.subarray(position - first * this.#segmentSize, end - first * this.#segmentSize);
    }
    const copy = this.#scratch.take(length);
    this.#copyOut(position, copy);
    return copy;
  }

  readInto(position: number, target: Uint8Array): void {
    this.#requireInside(position, target.byteLength);
    const view = this.#viewOfMap(position, target.byteLength);
    if (view === undefined) this.#copyOut(position, target);
    else target.set(view);
  }

  write(position: number, bytes: Uint8Array): void {
    const end = position + bytes.byteLength;
    for (let at = position; at < end; ) {
      const index = Math.floor(at / this.#segmentSize);
      const pieceEnd = Math.min(end, (index + 1) * this.#segmentSize);
      const piece = bytes.subarray(at - position, pieceEnd - position);
      const mapped =
        this.#segments.has(index) || pieceEnd > this.#fileBytes ? undefined : this.#locate(at, piece.byteLength);
      if (mapped === undefined) this.#segmentFor(index).set(piece, at - index * this.#segmentSize);
      else mapped.set(piece);
      at = pieceEnd;
    }
    this.#size = Math.max(this.#size, end);
  }

  truncate(size: number): void {
    if (size < this.#size) {
      for (const [index, segment] of this.#segments) {
        const kept = size - index * this.#segmentSize;
        if (kept <= 0) this.#segments.delete(index);
        else if (kept < this.#segmentSize) segment.fill(0, kept);
      }
      this.#fileBytes = Math.min(this.#fileBytes, size);
    }
    this.#size = size;
  }

  flush(): void {}

  identify(): string {
    return identityText(statusOf(NODE_FILE_SYSTEM, this.#descriptor).identity);
  }

  close(): void {
    this.#segments.clear();
    try {
      this.#windows.release();
    } finally {
      closeSync(this.#descriptor);
    }
  }

  #requireInside(position: number, length: number): void {
    if (position + length > this.#size) {
      const available = Math.max(0, this.#size - position);
      throw shortRead({ operation: "read", path: this.#path, position, length }, available);
    }
  }

  #hasSegments(start: number, end: number): boolean {
    if (this.#segments.size === 0) return false;
    for (let index = Math.floor(start / this.#segmentSize); index * this.#segmentSize < end; index++) {
      if (this.#segments.has(index)) return true;
    }
    return false;
  }

  /** The bytes in one piece in the map, if that is where they are. */
  #viewOfMap(position: number, length: number): Uint8Array | undefined {
    const end = position + length;
    if (end > this.#fileBytes || this.#hasSegments(position, end)) return undefined;
    return this.#locate(position, length);
  }

  /** Bytes of the file in the map. The file must be as long as it was: private pages go, too, when another process cuts it. */
  #locate(position: number, length: number): Uint8Array | undefined {
    const size = this.#driver.fileSize(this.#descriptor);
    if (position + length > size) throw this.#stale(position, length, size);
    return this.#windows.locate(position, length, this.#extent, this.#extent);
  }

  #stale(position: number, length: number, found: number): IoError {
    return new IoError(
      "BLOSC2_IO_STALE",
      `${this.#path}: read of ${length} bytes at position ${position}: the file was cut under the open handle: expected ` +
        `${this.#extent} bytes, found ${found}`,
      { operation: "read", path: this.#path, position, length, expected: this.#extent, found },
    );
  }

  #copyOut(position: number, target: Uint8Array): void {
    const end = position + target.byteLength;
    for (let at = position; at < end; ) {
      const index = Math.floor(at / this.#segmentSize);
      const segment = this.#segments.get(index);
      const pieceEnd = Math.min(end, (index + 1) * this.#segmentSize);
      const piece = target.subarray(at - position, pieceEnd - position);
      if (segment === undefined) this.#copyFileBytes(at, piece);
      else piece.set(segment.subarray(at - index * this.#segmentSize, pieceEnd - index * this.#segmentSize));
      at = pieceEnd;
    }
  }

  /**
   * What the handle's content is where it has no segment: the file's bytes (with the map's changes), then zeros. `target` lies
   * in one segment's place.
   */
  #copyFileBytes(position: number, target: Uint8Array): void {
    const length = Math.max(0, Math.min(target.byteLength, this.#fileBytes - position));
    if (length > 0) {
      const view = this.#locate(position, length);
      if (view === undefined) {
        const found = readFully(NODE_FILE_SYSTEM, this.#descriptor, position, target.subarray(0, length));
        if (found < length) throw this.#stale(position, length, position + found);
      } else {
        target.set(view);
      }
    }
    target.fill(0, length);
  }

  #segmentFor(index: number): Uint8Array {
    let segment = this.#segments.get(index);
    if (segment === undefined) {
      segment = new Uint8Array(this.#segmentSize);
      this.#copyFileBytes(index * this.#segmentSize, segment);
      this.#segments.set(index, segment);
    }
    return segment;
  }
}
