/** zstd's C library, called with the addresses of the bytes themselves. @module */
import { type ForeignLibrary, isNull } from "./foreign-library.js";
import type { NativeLibrary } from "./native-library.js";

/** Stable functions and error codes (`zstd.h`, `zstd_errors.h`) since 1.4.0. */
const MIN_VERSION = 10_400;
/** From 1.5.0 on the optimal parsers, of levels 12 and higher, could write wrong bytes; 1.5.5 mended that. */
const FAULTY_FROM = 10_500;
const FAULTY_TO = 10_505;
const MAX_LEVEL_WHEN_FAULTY = 11;
const MAX_LEVEL = 22;
/** `ZSTD_error_dstSize_tooSmall`; a function that fails returns it negated. */
const TARGET_TOO_SMALL = 70;
const MAGIC = [0x28, 0xb5, 0x2f, 0xfd] as const;

/** What the C library made of a dictionary, good for this content and level. */
interface Digest {
  readonly content: Uint8Array;
  readonly level: number;
  readonly handle: unknown;
}

type Sized = (...parameters: readonly unknown[]) => number;

function versionText(version: number): string {
  return `${Math.floor(version / 10_000)}.${Math.floor(version / 100) % 100}.${version % 100}`;
}

function startsFrame(source: Uint8Array): boolean {
  return MAGIC.every((byte, at) => source[at] === byte);
}

/** One compressor, one decompressor, and the dictionary of each that came last. */
export class NativeZstd implements NativeLibrary {
  readonly version: string;
  readonly maxLevel: number;
  readonly #createCompressor: () => unknown;
  readonly #createDecompressor: () => unknown;
  readonly #freeCompressor: Sized;
  readonly #freeDecompressor: Sized;
  readonly #createCDict: (...parameters: readonly unknown[]) => unknown;
  readonly #createDDict: (...parameters: readonly unknown[]) => unknown;
  readonly #freeCDict: Sized;
  readonly #freeDDict: Sized;
  readonly #compress: Sized;
  readonly #compressUsing: Sized;
  readonly #decompress: Sized;
  readonly #decompressUsing: Sized;
  readonly #frameSize: Sized;
  #compressor: unknown = null;
  #decompressor: unknown = null;
  #compressDigest: Digest | undefined;
  #decompressDigest: Digest | undefined;

  /** @throws Error when a function is missing or the library is too old. */
  constructor(library: ForeignLibrary) {
    const version = library.func("uint32_t ZSTD_versionNumber()")() as number;
    if (version < MIN_VERSION)
      throw new Error(`zstd ${versionText(version)} is older than ${versionText(MIN_VERSION)}`);
    this.version = versionText(version);
    this.maxLevel = version >= FAULTY_FROM && version < FAULTY_TO ? MAX_LEVEL_WHEN_FAULTY : MAX_LEVEL;
    const sized = (prototype: string): Sized => library.func(prototype) as Sized;
    this.#createCompressor = library.func("void *ZSTD_createCCtx()");
    this.#createDecompressor = library.func("void *ZSTD_createDCtx()");
    this.#freeCompressor = sized("size_t ZSTD_freeCCtx(void *context)");
    this.#freeDecompressor = sized("size_t ZSTD_freeDCtx(void *context)");
    this.#createCDict = library.func("void *ZSTD_createCDict(const void *bytes, size_t length, int level)");
    this.#createDDict = library.func("void *ZSTD_createDDict(const void *bytes, size_t length)");
    this.#freeCDict = sized("size_t ZSTD_freeCDict(void *dictionary)");
    this.#freeDDict = sized("size_t ZSTD_freeDDict(void *dictionary)");
    // Their results are sizes, or negated error codes: signed here, so that both are numbers.
    const buffers = "void *target, size_t room, const void *source, size_t length";
    this.#compress = sized(`int64_t ZSTD_compressCCtx(void *context, ${buffers}, int level)`);
    this.#compressUsing = sized(`int64_t ZSTD_compress_usingCDict(void *context, ${buffers}, const void *dictionary)`);
    this.#decompress = sized(`int64_t ZSTD_decompressDCtx(void *context, ${buffers})`);
    this.#decompressUsing = sized(
      `int64_t ZSTD_decompress_usingDDict(void *context, ${buffers}, const void *dictionary)`,
    );
    this.#frameSize = sized("int64_t ZSTD_findFrameCompressedSize(const void *source, size_t length)");
  }

  compress(source: Uint8Array, target: Uint8Array, level: number, dictionary: Uint8Array | undefined): number {
    if (isNull(this.#compressor)) this.#compressor = held(this.#createCompressor(), "a compressor");
    const room = target.byteLength;
    const length = source.byteLength;
    const written =
      dictionary === undefined
        ? this.#compress(this.#compressor, target, room, source, length, level)
        : this.#compressUsing(this.#compressor, target, room, source, length, this.#cdict(dictionary, level));
    if (written >= 0) return written;
    if (written === -TARGET_TOO_SMALL) return 0;
    throw new Error(`zstd's error ${-written}`);
  }

  decompress(source: Uint8Array, target: Uint8Array, dictionary: Uint8Array | undefined): boolean {
    const length = source.byteLength;
    // Several frames, skippable ones and those of old versions are left to others.
    if (!startsFrame(source) || this.#frameSize(source, length) !== length) return false;
    if (isNull(this.#decompressor)) this.#decompressor = held(this.#createDecompressor(), "a decompressor");
    const room = target.byteLength;
    if (dictionary === undefined) return this.#decompress(this.#decompressor, target, room, source, length) === room;
    const ddict = this.#ddict(dictionary);
    if (isNull(ddict)) return false;
    return this.#decompressUsing(this.#decompressor, target, room, source, length, ddict) === room;
  }

  /** Gives the C library's memory back. What is called afterwards takes new memory. */
  free(): void {
    this.#freeCompressor(this.#compressor);
    this.#freeDecompressor(this.#decompressor);
    this.#freeCDict(this.#compressDigest?.handle ?? null);
    this.#freeDDict(this.#decompressDigest?.handle ?? null);
    this.#compressor = null;
    this.#decompressor = null;
    this.#compressDigest = undefined;
    this.#decompressDigest = undefined;
  }

  #cdict(dictionary: Uint8Array, level: number): unknown {
    const last = this.#compressDigest;
    if (last !== undefined && last.level === level && Buffer.compare(last.content, dictionary) === 0)
      return last.handle;
    const handle = held(this.#createCDict(dictionary, dictionary.byteLength, level), "a dictionary");
    if (last !== undefined) this.#freeCDict(last.handle);
    this.#compressDigest = { content: dictionary.slice(), level, handle };
    return handle;
  }

  /** Null for what begins like a trained dictionary and is none. */
  #ddict(dictionary: Uint8Array): unknown {
    const last = this.#decompressDigest;
    if (last !== undefined && Buffer.compare(last.content, dictionary) === 0) return last.handle;
    const handle = this.#createDDict(dictionary, dictionary.byteLength);
    if (last !== undefined) this.#freeDDict(last.handle);
    this.#decompressDigest = { content: dictionary.slice(), level: 0, handle };
    return handle;
  }
}

function held(handle: unknown, what: string): unknown {
  if (isNull(handle)) throw new RangeError(`zstd has no memory for ${what}`);
  return handle;
}
