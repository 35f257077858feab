/** An open file in mode `r`, `r+` or `w+`. @module */
import { closeSync, fdatasyncSync, ftruncateSync } from "node:fs";
import { dirname } from "node:path";
import { type IoHandle, shortRead } from "@b2frame/core";
import { canDetach } from "./detach-buffer.js";
import { MappedWindows, type WindowPlan } from "./mapped-windows.js";
import type { MappingDriver } from "./mapping-driver.js";
import { readFully, writeFully } from "./positioned-io.js";
import { ScratchBuffer } from "./scratch-buffer.js";
import { syncDirectory } from "./sync-directory.js";

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

/**
 * Reads come from the map. Before each, the file is asked for its size: touching a page past the end kills the process, and
 * another process may have cut the file.
 */
export class MmapHandle implements IoHandle {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #driver: MappingDriver;
  readonly #windows: MappedWindows;
  readonly #scratch = new ScratchBuffer();
  readonly #writes: "descriptor" | "map";
  #reserved: number | undefined;
  #unsyncedName: boolean;

  constructor(parts: MmapHandleParts) {
    this.#path = parts.path;
    this.#descriptor = parts.descriptor;
    this.#driver = parts.driver;
    this.#windows = new MappedWindows(parts.plan);
    this.#writes = parts.writes;
    this.#reserved = parts.initialMappingSize;
    this.#unsyncedName = parts.created;
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
    return this.#driver.fileSize(this.#descriptor);
  }

  read(position: number, length: number): Uint8Array {
    const view = this.#locate(position, length);
    // Where a view can't be detached it must not leave: after close() it would be the end of the process.
    if (view !== undefined && canDetach()) return view;
    const copy = this.#scratch.take(length);
    if (view === undefined) this.#readFromFile(position, copy);
    else copy.set(view);
    return copy;
  }

  readInto(position: number, target: Uint8Array): void {
    const view = this.#locate(position, target.byteLength);
    if (view === undefined) this.#readFromFile(position, target);
    else target.set(view);
  }

  write(position: number, bytes: Uint8Array): void {
    if (this.#writes === "descriptor") writeFully(this.#descriptor, bytes, position);
    else this.#writeThroughMap(position, bytes);
  }

  truncate(size: number): void {
    ftruncateSync(this.#descriptor, size);
  }

  flush(): void {
    if (this.#writes === "map") this.#windows.sync(this.size());
    fdatasyncSync(this.#descriptor);
    if (this.#unsyncedName) {
      syncDirectory(dirname(this.#path));
      this.#unsyncedName = false;
    }
  }

  close(): void {
    try {
      this.#windows.release();
    } finally {
      closeSync(this.#descriptor);
    }
  }

  #shortRead(position: number, length: number, available: number): Error {
    return shortRead({ operation: "read", path: this.#path, position, length }, available);
  }

  /** The bytes in the map, or undefined if they have to be read; in both cases the file has them. */
  #locate(position: number, length: number): Uint8Array | undefined {
    const size = this.size();
    if (position + length > size) throw this.#shortRead(position, length, Math.max(0, size - position));
    return this.#windows.locate(position, length, size, this.#extent(size));
  }

  #readFromFile(position: number, target: Uint8Array): void {
    const found = readFully(this.#descriptor, target, position);
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
    const view = this.#locate(position, bytes.byteLength);
    if (view === undefined) writeFully(this.#descriptor, bytes, position);
    else view.set(bytes);
  }
}
