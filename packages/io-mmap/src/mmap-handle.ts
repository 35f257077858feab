/** An open file in mode `r`, `r+` or `w+`. @module */
import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { IoHandle } from "@b2frame/core";
import { type MappedPart, shortRead } from "@b2frame/core/backend";
import {
  type DroppedFile,
  flushInBackground,
  forgetHandle,
  identityText,
  NODE_FILE_SYSTEM,
  RenameFollowers,
  readFully,
  statusOf,
  syncDirectory,
  WriteBuffer,
  watchHandle,
  writeFully,
} from "@b2frame/io-files";
import { canDetach } from "./detach-buffer.js";
import { mapOver } from "./map-over.js";
import { MappedWindows, type WindowPlan } from "./mapped-windows.js";
import type { MappingDriver } from "./mapping-driver.js";
import { ScratchBuffer } from "./scratch-buffer.js";

/** What a handle is made of. */
export interface MmapHandleParts {
  readonly path: string;
  readonly descriptor: number;
  /** Asked for the file's size before each access. */
  readonly driver: MappingDriver;
  readonly plan: WindowPlan;
  /** Address space to reserve at first; undefined: as much as the file is long. */
  readonly initialMappingSize: number | undefined;
  readonly writes: "descriptor" | "map";
  /** The file may be a new one: its name has to be made durable, too. */
  readonly created: boolean;
}

/** This thread's open files that may be new ones, which get their final name when they are whole. */
export const newFiles: RenameFollowers = new RenameFollowers();

/** What is to be done for a handle that is gone. Views of its maps may still be in use, and go with the last of them. */
function dropped(name: { path: string }, descriptor: number): DroppedFile {
  return {
    path: name.path,
    close: () => {
      newFiles.forget(name);
      closeSync(descriptor);
    },
  };
}

/** As many bytes are copied as fast as a view is made. */
const ALWAYS_COPIED = 2 ** 14;
/** Bytes of longer reads that are copied before a view is made. */
const COPIED_BEFORE_VIEWS = 2 ** 21;

/** Bytes of small writes that are collected: for chunks of a few KiB a call for each would cost as much as compressing them. */
const COLLECTED = 2 ** 15;

/**
 * A read that is this long, and goes further than all such reads before it, is not served by the map: to touch so many pages for
 * the first time costs more than a system call that copies the bytes (6 % of decompressing a whole frame). What is read again comes
 * from the map, which is faster then (by 12 %).
 */
const BULK = 2 ** 17;

/**
 * Reads come from the map, bulk reads excepted. Before each, the file is asked for its size: touching a page past the end kills
 * the process, and another process may have cut the file. Small writes that touch each other reach the file together.
 */
export class MmapHandle implements IoHandle {
  /** Absent where the driver can't. */
  readonly mapInto?: (position: number, target: Uint8Array) => MappedPart | undefined;
  /** Changes when a new file gets its final name. An object of its own, so that who waits for that does not keep the handle. */
  readonly #name: { path: string };
  readonly #descriptor: number;
  readonly #driver: MappingDriver;
  readonly #windows: MappedWindows;
  readonly #scratch = new ScratchBuffer();
  readonly #writes: "descriptor" | "map";
  readonly #writeBuffer: WriteBuffer;
  #reserved: number | undefined;
  #unsyncedName: boolean;
  #copiedBytes = 0;
  /** Where the furthest bulk read ended. */
  #streamedTo = 0;

  constructor(parts: MmapHandleParts) {
    this.#name = { path: parts.path };
    this.#descriptor = parts.descriptor;
    this.#driver = parts.driver;
    this.#windows = new MappedWindows(parts.plan);
    this.#writes = parts.writes;
    this.#reserved = parts.initialMappingSize;
    this.#unsyncedName = parts.created;
    if (parts.created) newFiles.expect(this.#name);
    if (parts.driver.mapOver !== undefined) {
      this.mapInto = (position, target) => mapOver(parts.plan, position, target, this.mappableSize());
    }
    const { path, descriptor } = parts;
    const write = (position: number, bytes: Uint8Array): void =>
      writeFully(NODE_FILE_SYSTEM, descriptor, position, bytes);
    this.#writeBuffer = new WriteBuffer({ path, write }, COLLECTED);
    watchHandle(this, dropped(this.#name, descriptor));
  }

  /** Bytes of address space that are set aside for the file: it doubles when the file outgrows it. */
  get reserved(): number {
    return this.#reserved ?? this.size();
  }

  /** Bytes of address space that are mapped now. */
  get mappedBytes(): number {
    return this.#windows.mappedBytes;
  }

  size(): number {
    return Math.max(this.#fileSize(), this.#writeBuffer.end);
  }

  read(position: number, length: number): Uint8Array {
    const size = this.#requireInside(position, length);
    if (this.#givesViews(position, length)) {
      const view = this.#windows.locate(position, length, size, this.#extent(size));
      if (view !== undefined) return view;
    }
    const copy = this.#scratch.take(length);
    this.#copyTo(position, copy, size);
    return copy;
  }

  readInto(position: number, target: Uint8Array): void {
    if (target.byteLength >= BULK && position >= this.#streamedTo) {
      this.#streamedTo = position + target.byteLength;
      this.#writeBuffer.drain();
      this.#readFromFile(position, target);
    } else {
      this.#copyTo(position, target, this.#requireInside(position, target.byteLength));
    }
  }

  mappableSize(): number {
    this.#writeBuffer.drain();
    return this.#fileSize();
  }

  write(position: number, bytes: Uint8Array): void {
    if (this.#writes === "descriptor") this.#writeBuffer.write(position, bytes);
    else this.#writeThroughMap(position, bytes);
  }

  truncate(size: number): void {
    this.#writeBuffer.drain();
    ftruncateSync(this.#descriptor, size);
  }

  flush(): void {
    this.#writeBuffer.drain();
    if (this.#writes === "map") this.#windows.sync(this.size());
    fdatasyncSync(this.#descriptor);
    if (this.#unsyncedName) {
      syncDirectory(NODE_FILE_SYSTEM, dirname(this.#name.path));
      this.#unsyncedName = false;
    }
  }

  drain(): void {
    this.#writeBuffer.drain();
  }

  prepareFlush(): void {
    this.#writeBuffer.drain();
    if (this.#writes === "map") return;
    flushInBackground({ open: () => openSync(this.#name.path, "r+"), sync: fdatasync, close: closeSync });
  }

  identify(): string {
    return identityText(statusOf(NODE_FILE_SYSTEM, this.#descriptor).identity);
  }

  close(): void {
    newFiles.forget(this.#name);
    forgetHandle(this);
    try {
      this.#writeBuffer.close();
    } finally {
      this.#letGo();
    }
  }

  #letGo(): void {
    try {
      this.#windows.release();
    } finally {
      closeSync(this.#descriptor);
    }
  }

  #fileSize(): number {
    return this.#driver.fileSize(this.#descriptor);
  }

  #shortRead(position: number, length: number, available: number): Error {
    return shortRead({ operation: "read", path: this.#name.path, position, length }, available);
  }

  /** The file's size, which is enough for the bytes. */
  #requireInside(position: number, length: number): number {
    const end = position + length;
    this.#writeBuffer.drainBefore(end);
    let size = this.#fileSize();
    if (end > size && !this.#writeBuffer.isEmpty) {
      // The file ends before the pending bytes begin: the gap between reads as zeros once they are written.
      this.#writeBuffer.drain();
      size = this.#fileSize();
    }
    if (end > size) throw this.#shortRead(position, length, Math.max(0, size - position));
    return size;
  }

  /**
   * Whether a read gives a view of the map. Where a view can't be detached it must not leave: after close() it would be the end
   * of the process. And its first view costs more than copying a header and an index does.
   */
  #givesViews(position: number, length: number): boolean {
    if (!canDetach()) return false;
    if (this.#windows.hasView(position, length)) return true;
    if (length <= ALWAYS_COPIED) return false;
    this.#copiedBytes += length;
    return this.#copiedBytes > COPIED_BEFORE_VIEWS;
  }

  #copyTo(position: number, target: Uint8Array, size: number): void {
    if (!this.#windows.copy(position, target, this.#extent(size))) this.#readFromFile(position, target);
  }

  #readFromFile(position: number, target: Uint8Array): void {
    const found = readFully(NODE_FILE_SYSTEM, this.#descriptor, position, target);
    if (found < target.byteLength) throw this.#shortRead(position, target.byteLength, found);
  }

  /** How far the file is mapped: its size in mode `r`, the reservation in the others. */
  #extent(size: number): number {
    if (this.#reserved === undefined) return size;
    while (this.#reserved < size) this.#reserved *= 2;
    return this.#reserved;
  }

  /**
   * Storing into a page that has no disk space is a fatal signal when the disk is full, so the space is allocated first:
   * that is an error which changes nothing.
   */
  #writeThroughMap(position: number, bytes: Uint8Array): void {
    const before = this.size();
    const end = position + bytes.byteLength;
    try {
      this.#driver.allocate?.(this.#descriptor, position, bytes.byteLength);
    } catch (error) {
      if (end > before) ftruncateSync(this.#descriptor, before);
      throw error;
    }
    const size = this.#requireInside(position, bytes.byteLength);
    const view = this.#windows.locate(position, bytes.byteLength, size, this.#extent(size));
    if (view === undefined) writeFully(NODE_FILE_SYSTEM, this.#descriptor, position, bytes);
    else view.set(bytes);
  }
}
