/** A chunk inside the file of a contiguous frame. @module */
import type { WindowMemory } from "../block/window-memory.js";
import type { ChunkSource } from "../chunk/chunk-source.js";
import { FormatError, type SourceLocation } from "../errors.js";
import type { FrameFile } from "./frame-file.js";

/** Reads a chunk's bytes from a range of a frame's file. */
export class FrameChunkSource implements ChunkSource {
  readonly byteLength: number;
  readonly #file: FrameFile;
  readonly #offset: number;
  readonly #path: string | undefined;
  readonly #name: string | number;

  /**
   * @param offset of the chunk from the frame's first byte.
   * @param byteLength bytes from there to the end of the chunk area.
   * @param path the file, for messages.
   * @param name what the chunk is called in messages, or its index.
   */
  constructor(file: FrameFile, offset: number, byteLength: number, path: string | undefined, name: string | number) {
    this.byteLength = byteLength;
    this.#file = file;
    this.#offset = offset;
    this.#path = path;
    this.#name = name;
  }

  /** Made up when it is asked for: few chunks have something wrong with them. */
  get location(): SourceLocation {
    const name = this.#name;
    return {
      path: this.#path,
      structure: typeof name === "number" ? `chunk ${name}` : name,
      position: this.#file.position + this.#offset,
    };
  }

  read(offset: number, length: number): Uint8Array {
    this.#requireInside(offset, length);
    return this.#file.read(this.#offset + offset, length);
  }

  mapped(offset: number, length: number, memory: WindowMemory): Uint8Array | undefined {
    this.#requireInside(offset, length);
    return this.#file.mapped(this.#offset + offset, length, memory);
  }

  readInto(offset: number, target: Uint8Array): void {
    this.#requireInside(offset, target.byteLength);
    this.#file.readInto(this.#offset + offset, target);
  }

  #requireInside(offset: number, length: number): void {
    if (offset < 0 || length < 0 || offset + length > this.byteLength) {
      throw new FormatError("BLOSC2_FORMAT_TRUNCATED", {
        ...this.location,
        field: "bytes",
        offset,
        expected: `${length} bytes`,
        found: `${Math.max(0, this.byteLength - offset)} bytes`,
      });
    }
  }
}
