/** zlib's C library, called with the addresses of the bytes themselves. @module */
import { endianness } from "node:os";
import type { ForeignLibrary } from "./foreign-library.js";
import type { NativeLibrary } from "./native-library.js";

const Z_FINISH = 4;
const Z_OK = 0;
const Z_STREAM_END = 1;
const Z_BUF_ERROR = -5;
const MAX_LEVEL = 9;
/** `avail_in` and `avail_out` have 32 bits. */
const MAX_BYTE_LENGTH = 2 ** 32 - 1;

/** `z_stream` (`zlib.h`) where pointers and `long` have 64 bits. */
const STREAM_LENGTH = 112;
const NEXT_IN = 0;
const AVAIL_IN = 8;
const NEXT_OUT = 24;
const AVAIL_OUT = 32;
/** Pointers there: the library does not look at more than these bytes of one. */
const ARCHITECTURES: readonly string[] = ["x64", "arm64", "riscv64", "loong64"];

type StreamFunction = (stream: Uint8Array, ...parameters: readonly unknown[]) => number;

/** One `z_stream`: its memory, and what the library reads and writes next. */
class Stream {
  readonly bytes: Uint8Array = new Uint8Array(new ArrayBuffer(STREAM_LENGTH));
  readonly #fields: DataView = new DataView(this.bytes.buffer);
  readonly #library: ForeignLibrary;

  constructor(library: ForeignLibrary) {
    this.#library = library;
  }

  point(source: Uint8Array, target: Uint8Array): void {
    if (source.byteLength > MAX_BYTE_LENGTH || target.byteLength > MAX_BYTE_LENGTH) {
      throw new RangeError(`zlib takes at most ${MAX_BYTE_LENGTH} bytes a stream`);
    }
    const fields = this.#fields;
    fields.setBigUint64(NEXT_IN, this.#library.addressOf(source), true);
    fields.setUint32(AVAIL_IN, source.byteLength, true);
    fields.setBigUint64(NEXT_OUT, this.#library.addressOf(target), true);
    fields.setUint32(AVAIL_OUT, target.byteLength, true);
  }

  get availableOut(): number {
    return this.#fields.getUint32(AVAIL_OUT, true);
  }
}

/** One stream for each direction. */
export class NativeZlib implements NativeLibrary {
  readonly version: string;
  readonly maxLevel: number = MAX_LEVEL;
  readonly #inflateInit: StreamFunction;
  readonly #inflateReset: StreamFunction;
  readonly #inflate: StreamFunction;
  readonly #inflateEnd: StreamFunction;
  readonly #deflateInit: StreamFunction;
  readonly #deflateReset: StreamFunction;
  readonly #deflate: StreamFunction;
  readonly #deflateEnd: StreamFunction;
  readonly #inflating: Stream;
  readonly #deflating: Stream;
  #inflates = false;
  /** The level that `#deflating` is set up for; 0 when it is not. */
  #level = 0;

  /** @throws Error when a function is missing, or on a system whose `z_stream` looks different. */
  constructor(library: ForeignLibrary) {
    if (process.platform === "win32" || !ARCHITECTURES.includes(process.arch) || endianness() !== "LE") {
      throw new Error(`zlib's structures are not known for ${process.platform} on ${process.arch}`);
    }
    const stream = (prototype: string): StreamFunction => library.func(prototype) as StreamFunction;
    this.version = library.func("const char *zlibVersion()")() as string;
    this.#inflateInit = stream("int inflateInit_(void *stream, const char *version, int length)");
    this.#inflateReset = stream("int inflateReset(void *stream)");
    this.#inflate = stream("int inflate(void *stream, int flush)");
    this.#inflateEnd = stream("int inflateEnd(void *stream)");
    this.#deflateInit = stream("int deflateInit_(void *stream, int level, const char *version, int length)");
    this.#deflateReset = stream("int deflateReset(void *stream)");
    this.#deflate = stream("int deflate(void *stream, int flush)");
    this.#deflateEnd = stream("int deflateEnd(void *stream)");
    this.#inflating = new Stream(library);
    this.#deflating = new Stream(library);
  }

  compress(source: Uint8Array, target: Uint8Array, level: number): number {
    if (target.byteLength === 0) return 0;
    this.#beginDeflating(level);
    this.#deflating.point(source, target);
    const status = this.#deflate(this.#deflating.bytes, Z_FINISH);
    if (status === Z_STREAM_END) return target.byteLength - this.#deflating.availableOut;
    if (status === Z_OK || status === Z_BUF_ERROR) return 0;
    throw new Error(`zlib's error ${status}`);
  }

  decompress(source: Uint8Array, target: Uint8Array): boolean {
    const { bytes } = this.#inflating;
    if (this.#inflates) {
      if (this.#inflateReset(bytes) !== Z_OK) return false;
    } else if (this.#inflateInit(bytes, this.version, STREAM_LENGTH) === Z_OK) {
      this.#inflates = true;
    } else {
      return false;
    }
    this.#inflating.point(source, target);
    return this.#inflate(bytes, Z_FINISH) === Z_STREAM_END && this.#inflating.availableOut === 0;
  }

  /** Gives the C library's memory back. What is called afterwards takes new memory. */
  free(): void {
    if (this.#inflates) this.#inflateEnd(this.#inflating.bytes);
    this.#inflates = false;
    this.#endDeflating();
  }

  #beginDeflating(level: number): void {
    const { bytes } = this.#deflating;
    if (this.#level === level) {
      const status = this.#deflateReset(bytes);
      if (status !== Z_OK) throw new Error(`zlib's error ${status}`);
      return;
    }
    this.#endDeflating();
    const status = this.#deflateInit(bytes, level, this.version, STREAM_LENGTH);
    if (status !== Z_OK) throw new Error(`zlib's error ${status}`);
    this.#level = level;
  }

  #endDeflating(): void {
    if (this.#level !== 0) this.#deflateEnd(this.#deflating.bytes);
    this.#level = 0;
  }
}
