/** The zstd decoder: a WebAssembly module of its own, compiled when it is first asked for. @module */
import { compileHex } from "./wasm-module.js";
import { ZSTD_ERRORS } from "./zstd-errors.js";
import { ZSTD_WASM_HEX } from "./zstd-wasm.js";

const PAGE = 65_536;
/** Room behind the frame and behind the output for reads and writes in whole vectors. */
const MARGIN = 64;
const ALIGNMENT = 64;

/** The functions of the module; addresses are offsets in its memory. */
interface ZstdExports {
  readonly memory: WebAssembly.Memory;
  /** First address that the module does not use itself. */
  heapBase(): number;
  /** Bytes decoded, or a key of `ZSTD_ERRORS`. The dictionary ends where the target begins. */
  zstdDecode(
    source: number,
    sourceLength: number,
    target: number,
    targetLength: number,
    dictionaryLength: number,
  ): number;
  /** Where the part of the frame begins at which decoding failed. */
  failedPart(): number;
}

/** A frame that can't be decoded. */
export class ZstdDecoderError extends Error {
  override readonly name: string = "ZstdDecoderError";
  /** Offset in the frame of the header, block or checksum at which decoding failed. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

function align(address: number): number {
  return Math.ceil(address / ALIGNMENT) * ALIGNMENT;
}

let compiled: WebAssembly.Module | undefined;

/** The module, compiled at the first call. */
function decoderModule(): WebAssembly.Module {
  compiled ??= compileHex(ZSTD_WASM_HEX);
  return compiled;
}

/** One instance of the decoder with a memory of its own. Not re-entrant; one per thread. */
export class ZstdDecoder {
  readonly #exports: ZstdExports;
  readonly #source: number;
  #bytes: Uint8Array;

  constructor() {
    const { exports } = new WebAssembly.Instance(decoderModule());
    this.#exports = exports as unknown as ZstdExports;
    this.#source = align(this.#exports.heapBase());
    this.#bytes = new Uint8Array(this.#exports.memory.buffer);
  }

  /**
   * Decodes one data frame (RFC 8878) of at most `maxByteLength` bytes of content; its checksum is compared if it has one.
   *
   * @param dictionary raw content, or what zstd's trainer made
   * @returns a view of the decoder's memory, good until the next call
   * @throws ZstdDecoderError for a malformed frame; RangeError when memory is refused.
   */
  decode(frame: Uint8Array, maxByteLength: number, dictionary: Uint8Array | undefined): Uint8Array {
    const dictionaryLength = dictionary?.byteLength ?? 0;
    const dictionaryStart = align(this.#source + frame.byteLength + MARGIN);
    const target = dictionaryStart + dictionaryLength;
    this.#reserve(target + maxByteLength + MARGIN);
    this.#bytes.set(frame, this.#source);
    if (dictionary !== undefined) this.#bytes.set(dictionary, dictionaryStart);
    const { byteLength } = frame;
    const decoded = this.#exports.zstdDecode(this.#source, byteLength, target, maxByteLength, dictionaryLength);
    if (decoded < 0) {
      const offset = this.#exports.failedPart() - this.#source;
      throw new ZstdDecoderError(ZSTD_ERRORS.get(decoded) ?? `status ${decoded}`, offset);
    }
    return this.#bytes.subarray(target, target + decoded);
  }

  #reserve(byteLength: number): void {
    const { memory } = this.#exports;
    const missing = byteLength - memory.buffer.byteLength;
    if (missing <= 0) return;
    memory.grow(Math.ceil(missing / PAGE));
    this.#bytes = new Uint8Array(memory.buffer);
  }
}

/**
 * A new decoder. The module is compiled once per thread, which takes a few milliseconds.
 *
 * @throws Error (the platform's `WebAssembly.CompileError` or `RangeError`) where WebAssembly with SIMD is missing or forbidden.
 */
export function loadZstdDecoder(): ZstdDecoder {
  return new ZstdDecoder();
}
