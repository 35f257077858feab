/** The engine on WebAssembly SIMD kernels: streams and filters of a block in one call. @module */
import { KERNEL_ERRORS } from "@b2frame/kernels";
import { decodeStreams } from "../block/decode-streams.js";
import { encodeBareStream, encodeStreams } from "../block/encode-streams.js";
import { StreamTable, streamCount } from "../block/stream-table.js";
import type { CodecRegistry } from "../codec/codec-registry.js";
import { CodecError } from "../errors.js";
import type { FilterRegistry } from "../filter/filter-registry.js";
import type { BlockDecodeRequest, BlockEncodeRequest, BlockEncodeResult, BlockLayout, Engine } from "./engine.js";
import { KernelsMemory } from "./kernels-memory.js";
import { KernelsPlan } from "./kernels-plan.js";
import { MAX_KEPT_CHUNK, PortableEngine } from "./portable-engine.js";

/** Larger blocks are left to the portable engine: the kernels need several times a block's size in one memory of 4 GiB. */
const MAX_BLOCK = 128 * 1024 * 1024;
/** More compressed bytes than this are staged outside the kernels' memory. */
const MAX_STAGING = 512 * 1024 * 1024;

/**
 * Decodes and encodes blocks with the kernels. A codec that the kernels lack comes from the registry and its streams pass through
 * their memory; a block with a filter that they lack is the portable engine's.
 */
export class KernelsEngine implements Engine {
  readonly name = "kernels";
  readonly #codecs: CodecRegistry;
  readonly #filters: FilterRegistry;
  readonly #portable: PortableEngine;
  readonly #memory: KernelsMemory = new KernelsMemory();
  readonly #streams: StreamTable = new StreamTable();
  readonly #result: BlockEncodeResult = { byteLength: 0, allZeros: false };
  /** The plan for the layout that came last. A map of all would outlive the chunks, and slow the garbage collector down. */
  #plan: KernelsPlan | undefined;

  constructor(codecs: CodecRegistry, filters: FilterRegistry) {
    this.#codecs = codecs;
    this.#filters = filters;
    this.#portable = new PortableEngine(codecs, filters);
  }

  stage(byteLength: number, blockByteLength: number): Uint8Array {
    if (byteLength > MAX_STAGING || blockByteLength > MAX_BLOCK)
      return this.#portable.stage(byteLength, blockByteLength);
    return this.#memory.stage(byteLength, blockByteLength);
  }

  chunkBuffer(byteLength: number, blockByteLength: number): Uint8Array {
    if (byteLength > MAX_KEPT_CHUNK || blockByteLength > MAX_BLOCK)
      return this.#portable.chunkBuffer(byteLength, blockByteLength);
    return this.#memory.stage(byteLength, blockByteLength);
  }

  decodeBlock(layout: BlockLayout, request: BlockDecodeRequest): void {
    const { blockByteLength, from, to, reference } = request;
    if (from === to) return;
    const plan = this.#planOf(layout);
    const needed = request.blockIndex > 0 && !request.variableLength && plan.needsReference ? blockByteLength : 0;
    if (
      !plan.hasFilters ||
      blockByteLength > MAX_BLOCK ||
      (reference?.byteLength ?? 0) < needed ||
      !(plan.decodes || plan.pipeline.undoes)
    ) {
      this.#portable.decodeBlock(layout, request);
      return;
    }
    const held = this.#hold(request);
    const dictionaryLength = this.#memory.load(layout);
    const referenceAddress = this.#memory.loadReference(needed > 0 ? reference : undefined, blockByteLength);
    const output = this.#memory.outputFor(request.target, request.targetOffset - from);
    if (plan.decodes) this.#decode(layout, held, referenceAddress, dictionaryLength, output);
    else this.#decodeForeign(layout, plan, held, referenceAddress, output);
    request.target.set(this.#memory.view(output + from, to - from), request.targetOffset);
  }

  encodeBlock(layout: BlockLayout, request: BlockEncodeRequest): BlockEncodeResult {
    const { source, reference, target, targetOffset, targetEnd, variableLength } = request;
    const plan = this.#planOf(layout);
    const result = this.#result;
    const length = source.byteLength;
    const streams = layout.split && !request.short && !variableLength ? layout.typesize : 1;
    if (!this.#canFilter(plan, source, reference)) return this.#portable.encodeBlock(layout, request);
    if (!plan.encodes || layout.clevel === 0) {
      const filtered = this.#filter(layout, plan, source, reference);
      if (filtered === undefined) return this.#portable.encodeBlock(layout, request);
      if (variableLength) encodeBareStream(plan.pipeline, filtered, request, result);
      else encodeStreams(plan.pipeline, filtered, streams, request, result);
      return result;
    }
    const memory = this.#memory;
    memory.reserve(length, 0);
    const dictionaryLength = memory.load(layout);
    const { arena, bytes, exports } = memory.kernels;
    const inPlace = memory.kernels.owns(target);
    const output = inPlace ? target.byteOffset + targetOffset : memory.outputFor(target, targetOffset);
    const room = targetEnd - targetOffset;
    const status = exports.encodeBlock(
      memory.loadBlock(source),
      length,
      layout.typesize,
      layout.superChunkTypesize,
      streams,
      layout.compcode,
      layout.clevel,
      layout.runs ? 1 : 0,
      variableLength ? 1 : 0,
      memory.loadReference(plan.needsReference ? reference : undefined, length),
      arena.scratch,
      arena.otherScratch,
      arena.filtered,
      output,
      inPlace ? room : Math.min(arena.outputByteLength, room),
      arena.dictionary,
      dictionaryLength,
    );
    if (status < 0 && status !== KERNEL_ERRORS.DOES_NOT_FIT) return this.#portable.encodeBlock(layout, request);
    result.byteLength = Math.max(status, -1);
    result.allZeros = status >= 0 && layout.runs && !variableLength && exports.encodedAllZeros() !== 0;
    if (status > 0 && !inPlace) target.set(bytes.subarray(output, output + status), targetOffset);
    return result;
  }

  filterBlock(
    layout: BlockLayout,
    source: Uint8Array,
    blockIndex: number,
    reference: Uint8Array | undefined,
  ): Uint8Array {
    const plan = this.#planOf(layout);
    const filtered = this.#canFilter(plan, source, reference)
      ? this.#filter(layout, plan, source, reference)
      : undefined;
    return filtered ?? this.#portable.filterBlock(layout, source, blockIndex, reference);
  }

  /** Lookups are made once per layout object, which neighbouring chunks share, as long as layouts take no turns. */
  #planOf(layout: BlockLayout): KernelsPlan {
    let plan = this.#plan;
    if (plan?.layout !== layout) {
      plan = new KernelsPlan(layout, this.#codecs, this.#filters);
      this.#plan = plan;
    }
    return plan;
  }

  /** Makes room for the block. If that moves a source that is staged here, the result has a copy of it. */
  #hold(request: BlockDecodeRequest): BlockDecodeRequest {
    const { kernels } = this.#memory;
    const { blockByteLength, source, sourceStart, sourceEnd } = request;
    if (kernels.arena.blockByteLength >= blockByteLength) return request;
    const moved = kernels.owns(source) ? { ...request, source: source.slice(0, sourceEnd), sourceStart } : request;
    this.#memory.reserve(blockByteLength, 0);
    return moved;
  }

  #decode(
    layout: BlockLayout,
    request: BlockDecodeRequest,
    reference: number,
    dictionaryLength: number,
    output: number,
  ): void {
    const { blockByteLength, sourceStart, variableLength } = request;
    const { kernels } = this.#memory;
    const staged = kernels.owns(request.source);
    // Bytes that are not staged are copied, and then only as many as the block has.
    const end = staged || variableLength ? request.sourceEnd : this.#streams.locate(layout, request);
    const source = this.#memory.loadSource(request, end);
    const { arena, exports } = kernels;
    const status = exports.decodeBlock(
      source,
      source + end - sourceStart,
      blockByteLength,
      layout.typesize,
      layout.superChunkTypesize,
      layout.chunkVersion,
      variableLength ? 1 : streamCount(layout, blockByteLength),
      variableLength ? 1 : 0,
      layout.formatCode,
      request.from,
      request.to,
      reference,
      arena.scratch,
      arena.otherScratch,
      output,
      arena.dictionary,
      dictionaryLength,
    );
    if (status < 0) this.#explain(layout, request, status);
  }

  /** Streams by the registry's codec, filters by the kernels. */
  #decodeForeign(
    layout: BlockLayout,
    plan: KernelsPlan,
    request: BlockDecodeRequest,
    reference: number,
    output: number,
  ): void {
    const { blockByteLength } = request;
    const { arena, bytes, exports } = this.#memory.kernels;
    this.#streams.locate(layout, request);
    const decoded = bytes.subarray(arena.scratch, arena.scratch + blockByteLength);
    decodeStreams(plan.pipeline, request, this.#streams, decoded, 0, blockByteLength);
    const status = exports.backwardFilters(
      layout.typesize,
      layout.superChunkTypesize,
      layout.chunkVersion,
      blockByteLength,
      arena.scratch,
      reference,
      arena.scratch,
      arena.otherScratch,
      output,
    );
    if (status < 0) this.#explain(layout, request, status);
  }

  /** Words a failure: the portable engine finds the same one and names the stream and its position. */
  #explain(layout: BlockLayout, request: BlockDecodeRequest, status: number): never {
    this.#portable.decodeBlock(layout, {
      ...request,
      target: new Uint8Array(request.to - request.from),
      targetOffset: 0,
    });
    const { path, structure } = layout.location;
    throw new CodecError(
      "BLOSC2_CODEC_DECOMPRESS",
      `${path === undefined ? "" : `${path}: `}${structure}, block ${request.blockIndex}: kernel status ${status}`,
      { codec: "kernels", direction: "decompress", path, structure, block: request.blockIndex, status },
    );
  }

  #canFilter(plan: KernelsPlan, source: Uint8Array, reference: Uint8Array | undefined): boolean {
    const { byteLength } = source;
    const enoughReference = reference === undefined || !plan.needsReference || reference.byteLength >= byteLength;
    return plan.hasFilters && byteLength > 0 && byteLength <= MAX_BLOCK && enoughReference;
  }

  /** Runs the filters forward; undefined when one fails. */
  #filter(
    layout: BlockLayout,
    plan: KernelsPlan,
    source: Uint8Array,
    reference: Uint8Array | undefined,
  ): Uint8Array | undefined {
    const memory = this.#memory;
    memory.reserve(source.byteLength, 0);
    memory.load(layout);
    const { arena, exports } = memory.kernels;
    const status = exports.forwardFilters(
      layout.typesize,
      layout.superChunkTypesize,
      source.byteLength,
      memory.loadBlock(source),
      memory.loadReference(plan.needsReference ? reference : undefined, source.byteLength),
      arena.scratch,
      arena.otherScratch,
      arena.filtered,
      0,
    );
    return status < 0 ? undefined : memory.view(arena.filtered, source.byteLength);
  }
}
