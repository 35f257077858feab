/** What of a chunk's codec and filters the kernels can do, worked out once per chunk. @module */
import { BlockPipeline, NEW_CHUNK } from "../block/block-pipeline.js";
import type { BlockCoding } from "../block/engine.js";
import type { CodecRegistry } from "../codec/codec-registry.js";
import { hasKernels } from "../codec/kernel-codec.js";
import { isBlosc2Error } from "../errors.js";
import { bitshuffle } from "../filter/bitshuffle.js";
import { bytedelta } from "../filter/bytedelta.js";
import { delta } from "../filter/delta.js";
import type { Filter } from "../filter/filter.js";
import type { FilterRegistry } from "../filter/filter-registry.js";
import { intTrunc } from "../filter/int-trunc.js";
import { shuffle } from "../filter/shuffle.js";
import { truncPrec } from "../filter/trunc-prec.js";

/** The filters that the kernels have. A filter that a user registered in place of one of these is not among them. */
const KERNEL_FILTERS: ReadonlySet<Filter> = new Set([shuffle, bitshuffle, delta, truncPrec, bytedelta, intTrunc]);

/** What the kernels can do of one coding. */
export class KernelsAbility {
  readonly pipeline: BlockPipeline;
  /** Whether the kernels have every filter. */
  readonly hasFilters: boolean;
  /** Whether a filter refers to block 0. */
  readonly needsReference: boolean;
  readonly coding: BlockCoding;
  readonly #codecs: CodecRegistry;
  #decodes: boolean | undefined;
  #encodes: boolean | undefined;

  /** @throws UnsupportedError when a filter is not registered. */
  constructor(coding: BlockCoding, codecs: CodecRegistry, filters: FilterRegistry) {
    this.pipeline = new BlockPipeline(coding, codecs, filters);
    this.coding = coding;
    this.#codecs = codecs;
    let hasFilters = true;
    let needsReference = false;
    for (const id of coding.filters) {
      if (id === 0) continue;
      const filter = filters.byId(id);
      hasFilters &&= KERNEL_FILTERS.has(filter);
      needsReference ||= filter.needsReference;
    }
    this.hasFilters = hasFilters;
    this.needsReference = needsReference;
  }

  /** Whether the kernels have the codec that reads the chunk. */
  get decodes(): boolean {
    this.#decodes ??= this.#hasDecoder();
    return this.#decodes;
  }

  #hasDecoder(): boolean {
    const { formatCode, compcode } = this.coding;
    try {
      // No matter which place: the error is not passed on.
      return hasKernels(this.#codecs.byFormatCode(formatCode, compcode, NEW_CHUNK.location));
    } catch (error) {
      if (!isBlosc2Error(error)) throw error;
      // Streams that are stored or repeat one byte need no codec; the pipeline tells of the first that does.
      return false;
    }
  }

  /** Whether the kernels have the codec that writes the chunk. */
  get encodes(): boolean {
    this.#encodes ??= this.#hasEncoder();
    return this.#encodes;
  }

  #hasEncoder(): boolean {
    const codec = this.#codecs.byId(this.coding.compcode);
    return codec.compress !== undefined && hasKernels(codec);
  }
}
