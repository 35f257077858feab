/** Decompressing runs of chunks. @module */
import { IoError, type SChunk } from "@b2frame/core";
import type { Job, Outcome } from "./job.js";
import { type FrameSpec, openFrame } from "./open-frame.js";
import { bytesAt, openArea, type Place, type SharedArea } from "./shared-area.js";

/** What is decompressed. */
export interface DecodeSpec {
  readonly frame: FrameSpec;
  /** Shared memory that tasks may name, if any do. */
  readonly area: SharedArea | undefined;
}

/** Neighbouring chunks to decompress. */
export interface DecodeTask {
  readonly first: number;
  readonly count: number;
  /** Uncompressed bytes of all of them. */
  readonly byteLength: number;
  /** Memory of that size to decompress into, moved here and back, or shared; new memory is taken without it. */
  readonly into: ArrayBuffer | Place | undefined;
}

/** The chunks, one after another. */
export interface DecodeResult {
  /** Their memory, unless it is shared. */
  readonly buffer: ArrayBuffer | undefined;
  /** Where each chunk ends. */
  readonly ends: readonly number[];
}

/** See the module's description. */
export class DecodeJob implements Job<DecodeTask, DecodeResult> {
  readonly #schunk: SChunk;
  readonly #area: Uint8Array;

  private constructor(schunk: SChunk, area: Uint8Array) {
    this.#schunk = schunk;
    this.#area = area;
  }

  static async open({ frame, area }: DecodeSpec, thread: number): Promise<DecodeJob> {
    const opened = area === undefined ? new Uint8Array(0) : openArea(area, thread);
    return new DecodeJob(await openFrame(frame), opened);
  }

  run({ first, count, byteLength, into }: DecodeTask): Outcome<DecodeResult> {
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
    const buffer = into === undefined ? new ArrayBuffer(byteLength) : into;
    const bytes = buffer instanceof ArrayBuffer ? new Uint8Array(buffer) : bytesAt(buffer, this.#area);
    const ends: number[] = [];
    let at = 0;
    for (const chunk of chunks) {
      chunk.decompressInto(bytes, at);
      at += chunk.nbytes;
      ends.push(at);
    }
    if (!(buffer instanceof ArrayBuffer)) return { result: { buffer: undefined, ends }, transfer: [] };
    return { result: { buffer, ends }, transfer: [buffer] };
  }

  close(): void {
    this.#schunk.close();
  }
}
