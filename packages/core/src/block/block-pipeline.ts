/** The codec and filters of one chunk, looked up once and run on each of its blocks. @module */
import type { Codec, CodecContext } from "../codec/codec.js";
import type { CodecRegistry } from "../codec/codec-registry.js";
import { Blosc2Error, CodecError, type SourceLocation, UnsupportedError } from "../errors.js";
import type { Filter, FilterContext } from "../filter/filter.js";
import type { FilterRegistry } from "../filter/filter-registry.js";
import type { BlockCoding, BlockDecodeRequest, Located } from "./engine.js";
import type { Scratch } from "./scratch.js";

const SHUFFLE_ID = 1;

/** The place of what is being encoded. */
export const NEW_CHUNK: Located = { location: { structure: "new chunk", position: 0 } };

/** A filter's context; the two last fields change from block to block. */
type MutableFilterContext = { -readonly [K in keyof FilterContext]: FilterContext[K] };

interface Slot {
  readonly filter: Filter;
  readonly context: MutableFilterContext;
}

/** Adds the place to what a codec or filter threw; anything but b2frame's own errors becomes one. */
export function locateFailure(
  error: unknown,
  place: SourceLocation,
  blockIndex: number,
  what: { name: string; direction: "compress" | "decompress"; filter: boolean; stream?: number; position?: number },
): Blosc2Error {
  const { path, structure, position } = place;
  const file = path === undefined ? "" : `${path}: `;
  const stream = what.stream === undefined ? "" : `, stream ${what.stream}`;
  const block = `${file}${structure}, block ${blockIndex}${stream} at position ${what.position ?? position}`;
  if (error instanceof UnsupportedError) return error;
  const known = error instanceof Blosc2Error;
  const fallback = what.filter
    ? "BLOSC2_FILTER_FAILED"
    : what.direction === "compress"
      ? "BLOSC2_CODEC_COMPRESS"
      : "BLOSC2_CODEC_DECOMPRESS";
  const reason = error instanceof Error ? error.message : String(error);
  return new CodecError(
    known ? error.code : fallback,
    `${block}: ${known ? reason : `${what.name}: ${reason}`}`,
    {
      ...(known ? error.details : {}),
      path,
      structure,
      position: what.position ?? position,
      block: blockIndex,
      stream: what.stream,
      codec: what.name,
      direction: what.direction,
    },
    error,
  );
}

/** The filters and the codec of a chunk, bound to its parameters. */
export class BlockPipeline {
  readonly coding: BlockCoding;
  readonly codecContext: CodecContext;
  readonly #codecs: CodecRegistry;
  readonly #slots: Slot[] = [];
  /** Number of slots that decoding undoes. */
  readonly #undoneCount: number;
  #decoder: Codec | undefined;
  #encoder: Codec | undefined;

  /** @throws UnsupportedError when a filter is not registered. */
  constructor(coding: BlockCoding, codecs: CodecRegistry, filters: FilterRegistry) {
    this.coding = coding;
    this.#codecs = codecs;
    const { typesize, superChunkTypesize, chunkVersion, geometry } = coding;
    this.codecContext = {
      clevel: coding.clevel,
      typesize,
      meta: coding.codecMeta,
      dictionary: coding.dictionary,
      geometry,
    };
    for (let i = 0; i < coding.filters.length; i++) {
      const id = coding.filters[i] as number;
      if (id === 0) continue;
      const meta = coding.filtersMeta[i] as number;
      // Elements of one byte are in shuffled order already.
      if (id === SHUFFLE_ID && (meta || typesize) === 1) continue;
      this.#slots.push({
        filter: filters.byId(id),
        context: { typesize, superChunkTypesize, meta, blockIndex: 0, reference: undefined, chunkVersion, geometry },
      });
    }
    this.#undoneCount = this.#slots.filter((slot) => slot.filter.backward !== undefined).length;
  }

  /** The codec that reads the chunk's streams. @throws UnsupportedError that names the chunk's place when it is not registered */
  decoderFor({ place }: { readonly place: Located }): Codec {
    this.#decoder ??= this.#codecs.byFormatCode(this.coding.formatCode, this.coding.compcode, place.location);
    return this.#decoder;
  }

  /** The codec that writes the chunk's streams. */
  get encoder(): Codec {
    this.#encoder ??= this.#codecs.byId(this.coding.compcode);
    return this.#encoder;
  }

  /** Whether decoding runs any filter. */
  get undoes(): boolean {
    return this.#undoneCount > 0;
  }

  /**
   * Runs the filters in order.
   *
   * @returns the filtered block: `source` itself when there is no filter, else one of the two scratch buffers.
   */
  forward(
    source: Uint8Array,
    blockIndex: number,
    reference: Uint8Array | undefined,
    front: Scratch,
    back: Scratch,
  ): Uint8Array {
    let from = source;
    for (let i = 0; i < this.#slots.length; i++) {
      const { filter, context } = this.#slots[i] as Slot;
      if (filter.forward === undefined) {
        throw new UnsupportedError("BLOSC2_UNSUPPORTED", `filter "${filter.name}" can only be read, not written`, {
          feature: `filter ${filter.name}`,
        });
      }
      // The caller's buffer is never written: only the first filter reads it.
      const to = (i & 1) === 0 ? front.take(source.byteLength) : back.take(source.byteLength);
      context.blockIndex = blockIndex;
      context.reference = reference;
      try {
        filter.forward(from, to, context);
      } catch (error) {
        throw locateFailure(error, NEW_CHUNK.location, blockIndex, {
          name: filter.name,
          direction: "compress",
          filter: true,
        });
      }
      from = to;
    }
    return from;
  }

  /**
   * Undoes the filters, last slot first.
   *
   * @param request says where the block is, and what block 0 is
   * @param decoded the decoded streams, in `front`'s buffer unless no filter runs.
   * @param last receives the result when given; else it stays in a scratch buffer.
   * @returns where the result is.
   */
  backward(
    request: Pick<BlockDecodeRequest, "place" | "blockIndex" | "reference">,
    decoded: Uint8Array,
    front: Scratch,
    back: Scratch,
    last: Uint8Array | undefined,
  ): Uint8Array {
    const { blockIndex, reference } = request;
    let remaining = this.#undoneCount;
    let from = decoded;
    let inFront = true;
    for (let i = this.#slots.length - 1; i >= 0; i--) {
      const { filter, context } = this.#slots[i] as Slot;
      if (filter.backward === undefined) continue;
      remaining--;
      let to: Uint8Array;
      if (remaining === 0 && last !== undefined) to = last;
      else to = inFront ? back.take(decoded.byteLength) : front.take(decoded.byteLength);
      inFront = !inFront;
      context.blockIndex = blockIndex;
      context.reference = reference;
      try {
        filter.backward(from, to, context);
      } catch (error) {
        throw locateFailure(error, request.place.location, blockIndex, {
          name: filter.name,
          direction: "decompress",
          filter: true,
        });
      }
      from = to;
    }
    return from;
  }
}
