/** The engine on WebAssembly SIMD kernels: streams and filters of a block in one call. @module */
import { KERNEL_ERRORS } from "@b2frame/kernels";
import type { TargetBoxes } from "../block/box-memory.js";
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
import { StreamTable, streamCount } from "../block/stream-table.js";
import type { WindowMemory } from "../block/window-memory.js";
import type { Lent } from "../bytes/lent.js";
import type { CodecRegistry } from "../codec/codec-registry.js";
import { CodecError } from "../errors.js";
import type { FilterRegistry } from "../filter/filter-registry.js";
import { KernelsAbility } from "./kernels-ability.js";
import { KernelsBoxMemory } from "./kernels-box-memory.js";
import { KernelsMemory } from "./kernels-memory.js";
import { KernelsTargetBoxes } from "./kernels-target-boxes.js";
import { MAX_KEPT_CHUNK, PortableEngine } from "./portable-engine.js";
import { memoryOf } from "./target-memory.js";

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
  readonly lease: Lease = new Lease();
  readonly #codecs: CodecRegistry;
  readonly #filters: FilterRegistry;
  readonly #portable: PortableEngine;
  readonly #main: KernelsMemory = new KernelsMemory();
  /** What blocks pass through: the engine's own memory, or that of an allocated target while it is filled. */
  #memory: KernelsMemory = this.#main;
  readonly boxes: KernelsBoxMemory = new KernelsBoxMemory(this.#main);
  readonly #streams: StreamTable = new StreamTable();
  readonly #result: BlockEncodeResult = { byteLength: 0, allZeros: false };
  /** What the kernels can do of the coding that came last. A map of all would outlive the chunks, and slow the garbage collector down. */
  #ability: KernelsAbility | undefined;

  constructor(codecs: CodecRegistry, filters: FilterRegistry) {
    this.#codecs = codecs;
    this.#filters = filters;
    this.#portable = new PortableEngine(codecs, filters, this.lease);
  }

  prepare(target: Uint8Array): void {
    this.#memory = memoryOf(target) ?? this.#main;
    if (this.#memory === this.#main && !this.#main.kernels.owns(target)) this.#main.windows.prepare();
  }

  finish(): void {
    this.#memory = this.#main;
  }

  boxesFor(target: Uint8Array, blockByteLength: number): TargetBoxes | undefined {
    const memory = memoryOf(target);
    if (memory?.kernels.arena.fits(0, 0, blockByteLength) !== true) return undefined;
    return new KernelsTargetBoxes(memory, target, blockByteLength);
  }

  windowsFor(blockByteLength: number): WindowMemory | undefined {
    if (blockByteLength > MAX_BLOCK) return undefined;
    this.#reserve(blockByteLength, 0);
    return this.#memory.windows;
  }

  /** Makes room; an allocated target's memory must not grow, since the target would be gone: what it has no room for is decoded elsewhere. */
  #reserve(blockByteLength: number, stagingByteLength: number): void {
    if (this.#memory !== this.#main) {
      if (this.#memory.kernels.arena.fits(blockByteLength, stagingByteLength)) return;
      this.#memory = this.#main;
    }
    this.#main.reserve(blockByteLength, stagingByteLength);
  }

  stage(byteLength: number, blockByteLength: number): Lent {
    if (byteLength > MAX_STAGING || blockByteLength > MAX_BLOCK)
      return this.#portable.stage(byteLength, blockByteLength);
    this.#reserve(blockByteLength, byteLength);
    return this.lease.lend(this.#memory.stage(byteLength, blockByteLength));
  }

  chunkBuffer(byteLength: number, blockByteLength: number): Lent {
    if (byteLength > MAX_KEPT_CHUNK || blockByteLength > MAX_BLOCK)
      return this.#portable.chunkBuffer(byteLength, blockByteLength);
    return this.lease.lend(this.#memory.stage(byteLength, blockByteLength));
  }

  crc32c(bytes: Uint8Array, previous = 0): number {
    return (this.#memory.kernels.owns(bytes) ? this.#memory : this.#main).crc32c(bytes, previous);
  }

  decodeBlock(coding: BlockCoding, request: BlockDecodeRequest): void {
    const { blockByteLength, from, to, reference } = request;
    if (from === to) return;
    const ability = this.#abilityOf(coding);
    const needed = request.blockIndex > 0 && !request.variableLength && ability.needsReference ? blockByteLength : 0;
    if (
      !ability.hasFilters ||
      blockByteLength > MAX_BLOCK ||
      (reference?.byteLength ?? 0) < needed ||
      !(ability.decodes || ability.pipeline.undoes)
    ) {
      this.#portable.decodeBlock(coding, request);
      return;
    }
    // Bytes that are not staged here may need more room than an allocated target has beside it.
    if (!this.#memory.kernels.owns(request.source)) this.#memory = this.#main;
    const held = this.#hold(request);
    const dictionaryLength = this.#memory.load(coding);
    const referenceAddress = this.#memory.loadReference(needed > 0 ? reference : undefined, blockByteLength);
    // The kernels may overwrite what lies outside the range: in the engine's own memory nobody minds.
    const isOurs =
      this.#memory === this.#main || (from === 0 && to === blockByteLength) || this.#memory.isScratch(request.target);
    const inPlace = isOurs ? this.#memory.addressOf(request) : 0;
    const output = inPlace || this.#memory.outputFor(request.target, request.targetOffset - from);
    if (ability.decodes) this.#decode(coding, held, referenceAddress, dictionaryLength, output);
    else this.#decodeForeign(coding, ability, held, referenceAddress, output);
    if (inPlace === 0) request.target.set(this.#memory.view(output + from, to - from), request.targetOffset);
  }

  encodeBlock(coding: BlockCoding, request: BlockEncodeRequest): BlockEncodeResult {
    const { source, reference, target, targetOffset, targetEnd, variableLength } = request;
    const ability = this.#abilityOf(coding);
    const result = this.#result;
    const length = source.byteLength;
    const streams = coding.split && !request.short && !variableLength ? coding.typesize : 1;
    if (!this.#canFilter(ability, source, reference)) return this.#portable.encodeBlock(coding, request);
    if (!ability.encodes || coding.clevel === 0) {
      const filtered = this.#filter(coding, ability, source, reference);
      if (filtered === undefined) return this.#portable.encodeBlock(coding, request);
      if (variableLength) encodeBareStream(ability.pipeline, filtered, request, result);
      else encodeStreams(ability.pipeline, filtered, streams, request, result);
      return result;
    }
    this.#reserve(length, 0);
    const memory = this.#memory;
    const dictionaryLength = memory.load(coding);
    const { arena, bytes, exports } = memory.kernels;
    const inPlace = memory.kernels.owns(target);
    const output = inPlace ? target.byteOffset + targetOffset : memory.outputFor(target, targetOffset);
    const room = targetEnd - targetOffset;
    const status = exports.encodeBlock(
      memory.loadBlock(source),
      length,
      coding.typesize,
      coding.superChunkTypesize,
      streams,
      coding.compcode,
      coding.clevel,
      coding.runs ? 1 : 0,
      variableLength ? 1 : 0,
      memory.loadReference(ability.needsReference ? reference : undefined, length),
      arena.scratch,
      arena.otherScratch,
      arena.filtered,
      output,
      inPlace ? room : Math.min(arena.outputByteLength, room),
      arena.dictionary,
      dictionaryLength,
    );
    if (status < 0 && status !== KERNEL_ERRORS.DOES_NOT_FIT) return this.#portable.encodeBlock(coding, request);
    result.byteLength = Math.max(status, -1);
    result.allZeros = status >= 0 && coding.runs && !variableLength && exports.encodedAllZeros() !== 0;
    if (status > 0 && !inPlace) target.set(bytes.subarray(output, output + status), targetOffset);
    return result;
  }

  filterBlock(
    coding: BlockCoding,
    source: Uint8Array,
    blockIndex: number,
    reference: Uint8Array | undefined,
  ): Uint8Array {
    const ability = this.#abilityOf(coding);
    const filtered = this.#canFilter(ability, source, reference)
      ? this.#filter(coding, ability, source, reference)
      : undefined;
    return filtered ?? this.#portable.filterBlock(coding, source, blockIndex, reference);
  }

  /** Lookups are made once per coding object, which neighbouring chunks share, as long as codings take no turns. */
  #abilityOf(coding: BlockCoding): KernelsAbility {
    let ability = this.#ability;
    if (ability?.coding !== coding) {
      ability = new KernelsAbility(coding, this.#codecs, this.#filters);
      this.#ability = ability;
    }
    return ability;
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
    coding: BlockCoding,
    request: BlockDecodeRequest,
    reference: number,
    dictionaryLength: number,
    output: number,
  ): void {
    const { blockByteLength, sourceStart, variableLength } = request;
    const { kernels } = this.#memory;
    const staged = kernels.owns(request.source);
    // Bytes that are not staged are copied, and then only as many as the block has.
    const end = staged || variableLength ? request.sourceEnd : this.#streams.locate(coding, request);
    const source = this.#memory.loadSource(request, end);
    const { arena, exports } = kernels;
    const status = exports.decodeBlock(
      source,
      source + end - sourceStart,
      blockByteLength,
      coding.typesize,
      coding.superChunkTypesize,
      coding.chunkVersion,
      variableLength ? 1 : streamCount(coding, blockByteLength),
      variableLength ? 1 : 0,
      coding.formatCode,
      request.from,
      request.to,
      reference,
      arena.scratch,
      arena.otherScratch,
      output,
      arena.dictionary,
      dictionaryLength,
    );
    if (status < 0) this.#explain(coding, request, status);
  }

  /** Streams by the registry's codec, filters by the kernels. */
  #decodeForeign(
    coding: BlockCoding,
    ability: KernelsAbility,
    request: BlockDecodeRequest,
    reference: number,
    output: number,
  ): void {
    const { blockByteLength } = request;
    const { arena, bytes, exports } = this.#memory.kernels;
    this.#streams.locate(coding, request);
    const decoded = bytes.subarray(arena.scratch, arena.scratch + blockByteLength);
    decodeStreams(ability.pipeline, request, this.#streams, decoded, 0, blockByteLength);
    const status = exports.backwardFilters(
      coding.typesize,
      coding.superChunkTypesize,
      coding.chunkVersion,
      blockByteLength,
      arena.scratch,
      reference,
      arena.scratch,
      arena.otherScratch,
      output,
    );
    if (status < 0) this.#explain(coding, request, status);
  }

  /** Words a failure: the portable engine finds the same one and names the stream and its position. */
  #explain(coding: BlockCoding, request: BlockDecodeRequest, status: number): never {
    this.#portable.decodeBlock(coding, {
      ...request,
      target: new Uint8Array(request.to - request.from),
      targetOffset: 0,
    });
    const { path, structure } = request.place.location;
    throw new CodecError(
      "BLOSC2_CODEC_DECOMPRESS",
      `${path === undefined ? "" : `${path}: `}${structure}, block ${request.blockIndex}: kernel status ${status}`,
      { codec: "kernels", direction: "decompress", path, structure, block: request.blockIndex, status },
    );
  }

  #canFilter(ability: KernelsAbility, source: Uint8Array, reference: Uint8Array | undefined): boolean {
    const { byteLength } = source;
    const enoughReference = reference === undefined || !ability.needsReference || reference.byteLength >= byteLength;
    return ability.hasFilters && byteLength > 0 && byteLength <= MAX_BLOCK && enoughReference;
  }

  /** Runs the filters forward; undefined when one fails. */
  #filter(
    coding: BlockCoding,
    ability: KernelsAbility,
    source: Uint8Array,
    reference: Uint8Array | undefined,
  ): Uint8Array | undefined {
    this.#reserve(source.byteLength, 0);
    const memory = this.#memory;
    memory.load(coding);
    const { arena, exports } = memory.kernels;
    const status = exports.forwardFilters(
      coding.typesize,
      coding.superChunkTypesize,
      source.byteLength,
      memory.loadBlock(source),
      memory.loadReference(ability.needsReference ? reference : undefined, source.byteLength),
      arena.scratch,
      arena.otherScratch,
      arena.filtered,
      0,
    );
    return status < 0 ? undefined : memory.view(arena.filtered, source.byteLength);
  }
}
