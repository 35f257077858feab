/** Compressing the chunks of a part exactly as one writer of the whole frame would. @module */
import { ArgumentError, type ArrayInput, type NDArray, type SChunk, zeros } from "@b2frame/core";
import { boxOfChunk, type ChunkBox } from "./chunk-box.js";
import { chunkByteLength, type PartsPlan } from "./plan.js";

type ArrayGeometry = Extract<PartsPlan["geometry"], { kind: "array" }>;

/** Adds chunks to the super-chunk of a part. */
export interface ChunkWriter {
  boxOf(chunkIndex: number): ChunkBox;
  append(part: SChunk, box: ChunkBox, items: ArrayInput): void;
}

/** Each chunk is that of a small array in memory with the same chunks and blocks, and the shape that is left at the edges. */
class ArrayChunkWriter implements ChunkWriter {
  readonly #plan: PartsPlan;
  readonly #geometry: ArrayGeometry;
  /** By their shape: there are few. */
  readonly #arrays = new Map<string, NDArray>();

  constructor(plan: PartsPlan, geometry: ArrayGeometry) {
    this.#plan = plan;
    this.#geometry = geometry;
  }

  boxOf(chunkIndex: number): ChunkBox {
    return boxOfChunk(this.#geometry, chunkIndex);
  }

  append(part: SChunk, { start, stop }: ChunkBox, items: ArrayInput): void {
    const array = this.#arrayOf(stop.map((end, dim) => end - (start[dim] as number)));
    array.set([], items);
    part.appendChunk(array.schunk.getChunk(0));
  }

  #arrayOf(shape: readonly number[]): NDArray {
    const key = shape.join();
    let array = this.#arrays.get(key);
    if (array === undefined) {
      const { chunks, blocks, dtype } = this.#geometry;
      array = zeros(shape, { dtype, chunks, blocks, cparams: this.#plan.cparams });
      this.#arrays.set(key, array);
    }
    return array;
  }
}

class BytesChunkWriter implements ChunkWriter {
  readonly #plan: PartsPlan;

  constructor(plan: PartsPlan) {
    this.#plan = plan;
  }

  boxOf(index: number): ChunkBox {
    const start = index * this.#plan.chunkBytes;
    return { index, start: [start], stop: [start + chunkByteLength(this.#plan, index)] };
  }

  append(part: SChunk, { index }: ChunkBox, items: ArrayInput): void {
    const expected = chunkByteLength(this.#plan, index);
    if (ArrayBuffer.isView(items) && items.byteLength === expected) {
      part.appendData(items);
      return;
    }
    const found = ArrayBuffer.isView(items) ? `${items.byteLength} bytes` : "no bytes";
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `chunk ${index}: expected ${expected} bytes, found ${found}`, {
      parameter: "items",
      expected,
      found,
    });
  }
}

/** What compresses the chunks of a plan. */
export function chunkWriter(plan: PartsPlan): ChunkWriter {
  const { geometry } = plan;
  return geometry.kind === "array" ? new ArrayChunkWriter(plan, geometry) : new BytesChunkWriter(plan);
}
