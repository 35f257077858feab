/** The files of a store: those of a directory, or the members of a ZIP file. @module */
import type { IoBackend, SChunk, SChunkOpenOptions } from "@b2frame/core";
import type { ProblemList } from "@b2frame/core/backend";
import { FRAME_SUFFIXES, suffixOf } from "./store-key.js";

/** Where a frame lies. */
export interface FramePlace {
  readonly path: string;
  /** Absolute position in that file. */
  readonly position: number;
  /** Bytes set aside for it; absent where it is all of a file. */
  readonly byteLength?: number | undefined;
}

/** A file as `verifyFrame` reads it, until it is closed. */
export interface MemberBytes {
  readonly backend: IoBackend;
  /** What the file is called in messages. */
  readonly path: string;
  /** Absolute position of its first byte in what the backend opens. */
  readonly offset: number;
  readonly byteLength: number;
  close(): void;
}

/** A flat set of named frames. Names are relative paths with `/`. */
export interface MemberFiles {
  /** All of them, also those that are no frames. */
  names(): string[];
  /** Opens the frame in a file. @throws FormatError if it is none; UnsupportedError; IoError */
  open(name: string, options: SChunkOpenOptions): SChunk;
  /**
   * Holds a file against the sum that is kept of it, where one is, the first time.
   *
   * @throws FormatError `BLOSC2_FORMAT_CHECKSUM`; as {@link open}
   */
  check?(name: string): void;
  /** Throws unless a file, whatever it is, has its name wherever the container of the files keeps that. @throws FormatError; IoError */
  requireNamed?(name: string): void;
  /** The bytes of a file, whatever they are. @throws FormatError, UnsupportedError or IoError if they can't be found */
  bytesOf(name: string): MemberBytes;
  /** Adds to `problems` all that the container of the files says of one and that is not so. Gives whether its bytes can be found. */
  verify?(name: string, problems: ProblemList): boolean;
  /** Makes a file of this content, or replaces one, at once. */
  put(name: string, content: SChunk): void;
  /** Removes a file that there is. */
  remove(name: string): void;
  /** Where a file's bytes are. @throws as {@link open} */
  locate(name: string): FramePlace;
  /** Makes what was put and removed last, if that is not so already, and releases everything. */
  close(): void;
  /** Releases everything without that. */
  discard(): void;
}

/** The file with the key map and the small members, in every store that is no single frame. */
export const EMBED_NAME = "embed.b2e";

/** Whether a file's name says that it belongs to the store. */
export function isMemberName(name: string): boolean {
  return name === EMBED_NAME || FRAME_SUFFIXES.includes(suffixOf(name));
}
