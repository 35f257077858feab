/** zstd through node:zlib, where that has a zstd that works. @module */
import * as zlib from "node:zlib";
import type { Codec } from "@b2frame/core";
import { type CodecContext, createZstdCodec } from "@b2frame/core/codec";
import { bufferSizes } from "./buffer-sizes.js";
import { decompressionError } from "./zstd-error.js";

/** `ZSTD_c_compressionLevel` of zstd's stable interface. */
const COMPRESSION_LEVEL = 100;

interface ZstdOptions {
  readonly chunkSize: number;
  readonly maxOutputLength?: number;
  readonly dictionary?: Uint8Array;
  readonly params?: Readonly<Record<number, number>>;
}

/** The part of newer versions' node:zlib that is used here. */
interface ZstdBindings {
  zstdCompressSync(source: Uint8Array, options: ZstdOptions): Uint8Array;
  zstdDecompressSync(source: Uint8Array, options: ZstdOptions): Uint8Array;
}

/** As ZSTD_compressBound: what incompressible bytes may grow to. */
function compressBound(byteLength: number): number {
  return byteLength + (byteLength >>> 8) + 64;
}

function bind(bindings: ZstdBindings): Codec {
  return createZstdCodec({
    compress(source, level, dictionary): Uint8Array {
      const { chunkSize } = bufferSizes(compressBound(source.byteLength));
      const params = { [COMPRESSION_LEVEL]: level };
      return bindings.zstdCompressSync(
        source,
        dictionary === undefined ? { chunkSize, params } : { chunkSize, params, dictionary },
      );
    },
    decompress(frame, contentSize, dictionary): Uint8Array {
      const sizes = bufferSizes(contentSize);
      try {
        return bindings.zstdDecompressSync(frame, dictionary === undefined ? sizes : { ...sizes, dictionary });
      } catch (error) {
        throw decompressionError(error);
      }
    },
  });
}

function throws(action: () => void): boolean {
  try {
    action();
    return false;
  } catch {
    return true;
  }
}

/**
 * Whether dictionaries are honoured, which the first versions with zstd ignored without a word, and cut or mismatched streams
 * are noticed.
 */
function works(codec: Codec): boolean {
  const dictionary = new Uint8Array(1024);
  for (let at = 0, state = 1; at < dictionary.byteLength; at++) {
    state = Math.imul(state, 1103515245) + 12345;
    dictionary[at] = state >>> 16;
  }
  const context: CodecContext = { clevel: 5, typesize: 1, meta: 0, dictionary, geometry: undefined };
  const room = new Uint8Array(compressBound(dictionary.byteLength));
  const back = new Uint8Array(dictionary.byteLength);
  try {
    const written = codec.compress?.(dictionary, room, context) ?? 0;
    const stream = room.subarray(0, written);
    if (written === 0 || written > dictionary.byteLength / 4) return false;
    codec.decompress(stream, back, context);
    return (
      back.every((byte, at) => byte === dictionary[at]) &&
      throws(() => codec.decompress(stream.subarray(0, written - 1), back, context)) &&
      throws(() => codec.decompress(stream, back, { ...context, dictionary: undefined }))
    );
  } catch {
    return false;
  }
}

let found: { readonly codec: Codec | undefined } | undefined;

/**
 * zstd by Node's own library, or `undefined` where this Node has none or one that ignores dictionaries (before 22.19 and
 * 24.6). Found out by trying it, once.
 */
export function nodeZstdCodec(): Codec | undefined {
  if (found === undefined) {
    const bindings: Partial<ZstdBindings> = zlib as Partial<ZstdBindings>;
    const { zstdCompressSync, zstdDecompressSync } = bindings;
    const codec =
      zstdCompressSync === undefined || zstdDecompressSync === undefined
        ? undefined
        : bind({ zstdCompressSync, zstdDecompressSync });
    found = { codec: codec !== undefined && works(codec) ? codec : undefined };
  }
  return found.codec;
}
