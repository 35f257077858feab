/** Decompressing runs of chunks. @module */
import { IoError, type SChunk } from "@b2frame/core";
import type { Job, Outcome } from "./job.js";
import { type FrameSpec, openFrame } from "./open-frame.js";

/** Neighbouring chunks to decompress. */
export interface DecodeTask {
  readonly first: number;
  readonly count: number;
  /** Uncompressed bytes of all of them. */
  readonly byteLength: number;
  /** Memory of that size to decompress into, shared or moved; new memory is taken without it. */
  readonly buffer: ArrayBuffer | SharedArrayBuffer | undefined;
}

/** The chunks, one after another. */
export interface DecodeResult {
  readonly bytes: Uint8Array<ArrayBuffer | SharedArrayBuffer>;
  /** Where each chunk ends. */
  readonly ends: readonly number[];
}

/** See the module's description. */
export class DecodeJob implements Job<DecodeTask, DecodeResult> {
  readonly #schunk: SChunk;

  private constructor(schunk: SChunk) {
    this.#schunk = schunk;
  }

  static async open(frame: FrameSpec): Promise<DecodeJob> {
    return new DecodeJob(await openFrame(frame));
  }

  run({ first, count, byteLength, buffer }: DecodeTask): Outcome<DecodeResult> {
    const chunks = Array.from({ length: count }, (_, i) => this.#schunk.openChunk(first + i));
    const found = chunks.reduce((sum, chunk) => sum + chunk.nbytes, 0);
    if (found !== byteLength) {
      const path = this.#schunk.urlpath;
      throw new IoError("BLOSC2_IO_STALE", `${path}: chunk ${first}: the frame was changed while it was read`, {
        operation: "read",
        path,
        expected: byteLength,
        found,
      });
    }
    const bytes = new Uint8Array(buffer ?? new ArrayBuffer(byteLength));
    const ends: number[] = [];
    let at = 0;
    for (const chunk of chunks) {
      chunk.decompressInto(bytes, at);
      at += chunk.nbytes;
      ends.push(at);
    }
    return { result: { bytes, ends }, transfer: bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [] };
  }

  close(): void {
    this.#schunk.close();
  }
}
