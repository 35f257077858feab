/** The zstd decoder: a WebAssembly module of its own, compiled when it is first asked for. @module */
import { align, DecoderMemory, MARGIN } from "./decoder-memory.js";
import { StreamDecoderError } from "./stream-decoder-error.js";
import { compileHex } from "./wasm-module.js";
import { ZSTD_ERRORS } from "./zstd-errors.js";
import { ZSTD_WASM_HEX } from "./zstd-wasm.js";

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

let compiled: WebAssembly.Module | undefined;

/** The module, compiled at the first call. */
function decoderModule(): WebAssembly.Module {
  compiled ??= compileHex(ZSTD_WASM_HEX);
  return compiled;
}

/** One instance of the decoder with a memory of its own. Not re-entrant; one per thread. */
export class ZstdDecoder {
  readonly #exports: ZstdExports;
  readonly #memory: DecoderMemory;

  constructor() {
    const { exports } = new WebAssembly.Instance(decoderModule());
    this.#exports = exports as unknown as ZstdExports;
    this.#memory = new DecoderMemory(this.#exports.memory, this.#exports.heapBase());
  }

  /**
   * Decodes one data frame (RFC 8878) of at most `maxByteLength` bytes of content; its checksum is compared if it has one.
   *
   * @param dictionary raw content, or what zstd's trainer made
   * @returns a view of the decoder's memory, good until the next call
   * @throws StreamDecoderError for a malformed frame; RangeError when memory is refused.
   */
  decode(frame: Uint8Array, maxByteLength: number, dictionary: Uint8Array | undefined): Uint8Array {
    const memory = this.#memory;
    const { source } = memory;
    const dictionaryLength = dictionary?.byteLength ?? 0;
    const dictionaryStart = align(source + frame.byteLength + MARGIN);
    const target = dictionaryStart + dictionaryLength;
    memory.reserve(target + maxByteLength + MARGIN);
    const { bytes } = memory;
    bytes.set(frame, source);
    if (dictionary !== undefined) bytes.set(dictionary, dictionaryStart);
    const decoded = this.#exports.zstdDecode(source, frame.byteLength, target, maxByteLength, dictionaryLength);
    if (decoded < 0) {
      const offset = this.#exports.failedPart() - source;
      throw new StreamDecoderError(ZSTD_ERRORS.get(decoded) ?? `status ${decoded}`, offset);
    }
    return bytes.subarray(target, target + decoded);
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
