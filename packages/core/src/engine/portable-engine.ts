/** The engine in plain TypeScript: codecs and filters from the registries, streams and scratch from `block/`. @module */
import { BlockPipeline } from "../block/block-pipeline.js";
import { decodeStreams } from "../block/decode-streams.js";
import { encodeBareStream, encodeStreams } from "../block/encode-streams.js";
import type {
  BlockCoding,
  BlockDecodeRequest,
  BlockEncodeRequest,
  BlockEncodeResult,
  Engine,
} from "../block/engine.js";
import { Lease } from "../block/lease.js";
import { Scratch } from "../block/scratch.js";
import { StreamTable } from "../block/stream-table.js";
import { crc32c } from "../bytes/crc32c.js";
import type { Lent } from "../bytes/lent.js";
import type { CodecRegistry } from "../codec/codec-registry.js";
import type { FilterRegistry } from "../filter/filter-registry.js";

/** Buffers for larger chunks are not kept. */
export const MAX_KEPT_CHUNK: number = 32 * 1024 * 1024;

/** Decodes and encodes blocks with whatever the registries hold. The oracle for other engines. */
export class PortableEngine implements Engine {
  readonly name = "portable";
  readonly lease: Lease;
  readonly #codecs: CodecRegistry;
  readonly #filters: FilterRegistry;
  readonly #staging: Scratch = new Scratch();
  readonly #chunk: Scratch = new Scratch();
  readonly #front: Scratch = new Scratch();
  readonly #back: Scratch = new Scratch();
  readonly #streams: StreamTable = new StreamTable();
  readonly #result: BlockEncodeResult = { byteLength: 0, allZeros: false };
  #pipeline: BlockPipeline | undefined;

  /** @param lease that of the engine which this one helps out */
  constructor(codecs: CodecRegistry, filters: FilterRegistry, lease: Lease = new Lease()) {
    this.lease = lease;
    this.#codecs = codecs;
    this.#filters = filters;
  }

  /** Lookups are made once per coding object, that is once per chunk. */
  #pipelineOf(coding: BlockCoding): BlockPipeline {
    if (this.#pipeline?.coding !== coding) {
      this.#pipeline = new BlockPipeline(coding, this.#codecs, this.#filters);
    }
    return this.#pipeline;
  }

  stage(byteLength: number, _blockByteLength: number): Lent {
    return this.lease.lend(this.#staging.take(byteLength));
  }

  chunkBuffer(byteLength: number, _blockByteLength: number): Lent {
    return this.lease.lend(byteLength > MAX_KEPT_CHUNK ? new Uint8Array(byteLength) : this.#chunk.take(byteLength));
  }

  crc32c(bytes: Uint8Array, previous = 0): number {
    return crc32c(bytes, previous);
  }

  decodeBlock(coding: BlockCoding, request: BlockDecodeRequest): void {
    const { blockByteLength, from, to, target, targetOffset } = request;
    if (from === to) return;
    const pipeline = this.#pipelineOf(coding);
    const streams = this.#streams;
    streams.locate(coding, request);
    const filtered = pipeline.undoes;
    const whole = from === 0 && to === blockByteLength;
    const direct = whole ? target.subarray(targetOffset, targetOffset + blockByteLength) : undefined;
    const decoded = direct !== undefined && !filtered ? direct : this.#front.take(blockByteLength);
    if (filtered) {
      decodeStreams(pipeline, request, streams, decoded, 0, blockByteLength);
    } else {
      decodeStreams(pipeline, request, streams, decoded, from, to);
    }
    const block = filtered ? pipeline.backward(request, decoded, this.#front, this.#back, direct) : decoded;
    if (direct === undefined) target.set(block.subarray(from, to), targetOffset);
  }

  encodeBlock(coding: BlockCoding, request: BlockEncodeRequest): BlockEncodeResult {
    const pipeline = this.#pipelineOf(coding);
    const { source, blockIndex, reference } = request;
    const filtered = pipeline.forward(source, blockIndex, reference, this.#front, this.#back);
    if (request.variableLength) {
      encodeBareStream(pipeline, filtered, request, this.#result);
    } else {
      encodeStreams(pipeline, filtered, coding.split && !request.short ? coding.typesize : 1, request, this.#result);
    }
    return this.#result;
  }

  filterBlock(
    coding: BlockCoding,
    source: Uint8Array,
    blockIndex: number,
    reference: Uint8Array | undefined,
  ): Uint8Array {
    return this.#pipelineOf(coding).forward(source, blockIndex, reference, this.#front, this.#back);
  }
}
