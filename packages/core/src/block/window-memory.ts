/** Parts of files that lie in an engine's memory, so that blocks are decoded from there without a copy. @module */

/** What lays parts of a file under memory; an open file. */
export interface MappableFile {
  mapInto?(position: number, target: Uint8Array): MappedFilePart | undefined;
  mappableSize?(): number;
}

/** A part of a file under memory. */
export interface MappedFilePart {
  /** Bytes of the file that are there. */
  readonly byteLength: number;
  /** Puts plain memory there again. */
  release(): void;
}

/** Memory of an engine under which parts of files are laid: a few windows, of which the one used least recently is used again. */
export interface WindowMemory {
  /**
   * Bytes of a file as a view of this memory, which is read-only and holds until the next call of this or of the engine.
   *
   * @param key stands for the file, and keeps none of it alive.
   * @returns undefined where they have to be copied: they can't be mapped, or it would not pay.
   */
  locate(key: object, file: MappableFile, position: number, length: number): Uint8Array | undefined;
  /** Puts plain memory where parts of the file are. */
  release(key: object): void;
}
