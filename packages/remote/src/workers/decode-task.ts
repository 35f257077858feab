/** Decoding, wherever it is done. @module */
import { decodeWholeChunk } from "@b2frame/core/codec";
import { ArrayReader, openSChunkReader, readingEnvironment, type SuperChunkReader } from "@b2frame/core/read";
import { cachedHandle, RangeCache } from "../range-cache.js";
import type { DecodeTask, FrameDescription } from "./messages.js";

/** A frame of which pieces come and go. */
class KnownFrame {
  readonly #cache = new RangeCache(0);
  readonly #description: FrameDescription;
  #schunk: SuperChunkReader | undefined;
  #array: ArrayReader | undefined;

  constructor(description: FrameDescription) {
    this.#description = description;
    for (const { position, bytes } of description.pieces) this.#cache.add(position, bytes, true);
  }

  decode(task: Extract<DecodeTask, { readonly frame: number }>): Uint8Array {
    for (const { position, bytes } of task.pieces) this.#cache.add(position, bytes);
    try {
      // Here, and not before, so that what opening lacks is told as what decoding lacks.
      const schunk = this.#open();
      if (task.kind === "chunk") return schunk.decompressChunk(task.chunkIndex);
      if (task.kind === "items") return schunk.getSlice(task.start, task.stop);
      this.#array ??= new ArrayReader(schunk);
      return this.#array.get(task.index).bytes;
    } finally {
      this.#cache.trim();
    }
  }

  #open(): SuperChunkReader {
    const { name, offset, end, checksum } = this.#description;
    this.#schunk ??= openSChunkReader(cachedHandle(this.#cache, end, name), { offset, path: name, checksum });
    return this.#schunk;
  }

  close(): void {
    this.#schunk?.close();
  }
}

/** The frames that a worker knows, and what it does with them. */
export class Decoder {
  readonly #frames = new Map<number, KnownFrame>();

  learn(frame: FrameDescription): void {
    this.#frames.set(frame.id, new KnownFrame(frame));
  }

  forget(frame: number): void {
    this.#frames.get(frame)?.close();
    this.#frames.delete(frame);
  }

  /** @throws FormatError, CodecError, UnsupportedError; IoError `BLOSC2_IO_NOT_PREFETCHED` for what more of the file it takes */
  decode(task: DecodeTask): Uint8Array {
    if (task.kind === "nothing") return new Uint8Array(0);
    if (task.kind === "stored") return decodeWholeChunk(task.bytes, task.structure, readingEnvironment());
    const frame = this.#frames.get(task.frame);
    if (frame === undefined) throw new Error(`frame ${task.frame} is not known here`);
    return frame.decode(task);
  }
}
