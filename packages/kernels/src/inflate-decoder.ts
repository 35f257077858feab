/** The decoder of zlib streams: a WebAssembly module of its own, compiled when it is first asked for. @module */
import { align, DecoderMemory, MARGIN } from "./decoder-memory.js";
import { CONTENT_TOO_LONG, INFLATE_ERRORS } from "./inflate-errors.js";
import { INFLATE_WASM_HEX } from "./inflate-wasm.js";
import { StreamDecoderError } from "./stream-decoder-error.js";
import { compileHex } from "./wasm-module.js";

/** The functions of the module; addresses are offsets in its memory. */
interface InflateExports {
  readonly memory: WebAssembly.Memory;
  /** First address that the module does not use itself. */
  heapBase(): number;
  /** Bytes decoded, or a key of `INFLATE_ERRORS`. */
  inflateDecode(source: number, sourceLength: number, target: number, targetLength: number): number;
  /** Where the part of the stream begins at which decoding failed. */
  failedPart(): number;
}

let compiled: WebAssembly.Module | undefined;

/** The module, compiled at the first call. */
function decoderModule(): WebAssembly.Module {
  compiled ??= compileHex(INFLATE_WASM_HEX);
  return compiled;
}

/** What the header of a refused stream says. */
function describeHeader(status: number, stream: Uint8Array): string {
  const hex = (from: number, to: number): string =>
    `0x${Array.from(stream.subarray(from, to), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  if (status === -2) return ` for ${hex(0, 2)}`;
  return status === -3 ? `, the one with the id ${hex(2, 6)}` : "";
}

/** One instance of the decoder with a memory of its own. Not re-entrant; one per thread. */
export class InflateDecoder {
  readonly #exports: InflateExports;
  readonly #memory: DecoderMemory;

  constructor() {
    const { exports } = new WebAssembly.Instance(decoderModule());
    this.#exports = exports as unknown as InflateExports;
    this.#memory = new DecoderMemory(this.#exports.memory, this.#exports.heapBase());
  }

  /**
   * Decodes a zlib stream (RFC 1950), after which more bytes may follow, and compares its checksum. No preset dictionary can be given.
   *
   * @returns a view of the decoder's memory, good until the next call; `undefined` where the content has more than `maxByteLength` bytes
   * @throws StreamDecoderError for a malformed stream; RangeError when memory is refused.
   */
  decode(stream: Uint8Array, maxByteLength: number): Uint8Array | undefined {
    const memory = this.#memory;
    const { source } = memory;
    const sourceEnd = source + stream.byteLength;
    const target = align(sourceEnd + MARGIN);
    memory.reserve(target + maxByteLength + MARGIN);
    const { bytes } = memory;
    bytes.set(stream, source);
    // A stream that is cut reads on there: what it says then must not depend on the stream before.
    bytes.fill(0, sourceEnd, sourceEnd + MARGIN);
    const decoded = this.#exports.inflateDecode(source, stream.byteLength, target, maxByteLength);
    if (decoded >= 0) return bytes.subarray(target, target + decoded);
    if (decoded === CONTENT_TOO_LONG) return undefined;
    const problem = INFLATE_ERRORS.get(decoded) ?? `status ${decoded}`;
    throw new StreamDecoderError(problem + describeHeader(decoded, stream), this.#exports.failedPart() - source);
  }
}

/**
 * A new decoder. The module is compiled once per thread, which takes a few milliseconds.
 *
 * @throws Error (the platform's `WebAssembly.CompileError` or `RangeError`) where WebAssembly with SIMD is missing or forbidden.
 */
export function loadInflateDecoder(): InflateDecoder {
  return new InflateDecoder();
}
