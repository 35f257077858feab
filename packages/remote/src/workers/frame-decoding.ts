/** One remote frame, decoded by the workers of a pool. @module */
import { type ArraySelection, type DimIndex, isBlosc2Error, NDBuffer } from "@b2frame/core/read";
import type { SourceRange } from "../byte-source.js";
import type { RemoteDecoding } from "../remote-content.js";
import type { DecodeLanes } from "./decode-lanes.js";
import { type DecodePool, lanesOf } from "./decode-pool.js";
import type { DecodeTask, FilePiece, FrameDescription } from "./messages.js";

/** What is needed of the frame's file. */
export interface DecodedFile {
  /** Fetches what a selection takes, and gives its ranges. */
  selectionRanges(selection: ArraySelection, signal: AbortSignal | undefined): Promise<readonly SourceRange[]>;
  /** The same of chunks. */
  chunkRanges(chunkIndices: readonly number[], signal: AbortSignal | undefined): Promise<readonly SourceRange[]>;
  /** Fetches a range. */
  ensure(range: SourceRange, signal: AbortSignal | undefined): Promise<void>;
  /** Copies what was fetched; what is there no longer is fetched once more. */
  copies(ranges: readonly SourceRange[], signal: AbortSignal | undefined): Promise<FilePiece[]>;
}

type TaskOf<Kind> = Extract<DecodeTask, { readonly kind: Kind }>;
/** What differs between the tasks of a frame. */
type Work =
  | Omit<TaskOf<"array">, "frame" | "pieces">
  | Omit<TaskOf<"chunk">, "frame" | "pieces">
  | Omit<TaskOf<"items">, "frame" | "pieces">;

/** More rounds than any chunk takes: what asks for more is no frame. */
const MAX_ROUNDS = 64;

/** See the module. */
export class FrameDecoding implements RemoteDecoding {
  readonly #lanes: DecodeLanes;
  readonly #frame: FrameDescription;
  readonly #file: DecodedFile;

  constructor(pool: DecodePool, frame: FrameDescription, file: DecodedFile) {
    this.#lanes = lanesOf(pool);
    this.#frame = frame;
    this.#file = file;
  }

  async array(
    index: readonly DimIndex[],
    selection: ArraySelection,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array> {
    // Objects of classes lose them on the way.
    const plain = index.map((part) => (part instanceof NDBuffer ? (part.toNestedArray() as number[]) : part));
    return await this.#run(
      { kind: "array", index: plain },
      await this.#file.selectionRanges(selection, signal),
      signal,
    );
  }

  async chunk(chunkIndex: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    return await this.#run({ kind: "chunk", chunkIndex }, await this.#file.chunkRanges([chunkIndex], signal), signal);
  }

  async items(
    start: number,
    stop: number,
    chunkIndices: readonly number[],
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array> {
    return await this.#run({ kind: "items", start, stop }, await this.#file.chunkRanges(chunkIndices, signal), signal);
  }

  /** What turns out to be missing is fetched, and the work done once more. */
  async #run(work: Work, ranges: readonly SourceRange[], signal: AbortSignal | undefined): Promise<Uint8Array> {
    const wanted = [...ranges];
    for (let round = 1; ; round++) {
      const pieces = await this.#file.copies(wanted, signal);
      try {
        return await this.#lanes.run({ ...work, frame: this.#frame.id, pieces } as DecodeTask, this.#frame, signal);
      } catch (error) {
        if (!isBlosc2Error(error, "BLOSC2_IO_NOT_PREFETCHED") || round === MAX_ROUNDS) throw error;
        const { position, length } = error.details;
        const missing = { position: Number(position), byteLength: Number(length) };
        await this.#file.ensure(missing, signal);
        wanted.push(missing);
      }
    }
  }

  /** The workers need to know the frame no longer. */
  close(): void {
    this.#lanes.forget(this.#frame.id);
  }
}
