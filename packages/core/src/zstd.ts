/**
 * zstd in WebAssembly, apart from the main entry because of its size (80 KB gzipped).
 *
 * @example
 * ```ts
 * import { registerZstd } from "@b2frame/core/zstd";
 *
 * await registerZstd(); // from here on every frame may use zstd
 * ```
 *
 * @module
 */
import * as zstdWasm from "@bokuweb/zstd-wasm";
import type { Codec } from "./codec/codec.js";
import { type CodecRegistry, defaultCodecs } from "./codec/codec-registry.js";
import { createZstdCodec, type ZstdLibrary } from "./codec/create-zstd-codec.js";
import { UnsupportedError } from "./errors.js";

/** The library writes through null pointers when its 2 GiB of memory run out, so it is kept far from that. */
const MAX_BYTE_LENGTH = 128 * 1024 * 1024;
const NO_DICTIONARY: Uint8Array = new Uint8Array(0);

function requireModest(byteLength: number): void {
  if (byteLength > MAX_BYTE_LENGTH) {
    throw new RangeError(`zstd in WebAssembly takes at most ${MAX_BYTE_LENGTH} bytes a stream, found ${byteLength}`);
  }
}

/** One compressor and one decompressor context serve all calls: making one costs more than compressing a small stream. */
function wasmLibrary(): ZstdLibrary {
  const compressor = zstdWasm.createCCtx();
  const decompressor = zstdWasm.createDCtx();
  return {
    compress(source, level, dictionary): Uint8Array {
      requireModest(source.byteLength);
      return zstdWasm.compressUsingDict(compressor, source, dictionary ?? NO_DICTIONARY, level);
    },
    decompress(frame, contentSize, dictionary): Uint8Array {
      requireModest(Math.max(frame.byteLength, contentSize));
      const room = { defaultHeapSize: contentSize };
      return zstdWasm.decompressUsingDict(decompressor, frame, dictionary ?? NO_DICTIONARY, room);
    },
  };
}

async function load(): Promise<Codec> {
  try {
    await zstdWasm.init();
  } catch (cause) {
    loading = undefined;
    throw new UnsupportedError(
      "BLOSC2_UNSUPPORTED_CODEC",
      "zstd: the WebAssembly module of @bokuweb/zstd-wasm can't be loaded",
      { feature: "zstd" },
      cause,
    );
  }
  return createZstdCodec(wasmLibrary());
}

let loading: Promise<Codec> | undefined;

/**
 * Loads the zstd codec: levels 2 * clevel - 1 (22 for clevel 9) as C-Blosc2 chooses them, dictionaries both ways. Loading is
 * asynchronous because the WebAssembly module is; the codec itself is synchronous. Later calls give the same codec.
 *
 * @throws UnsupportedError when the module can't be loaded.
 */
export function loadZstd(): Promise<Codec> {
  loading ??= load();
  return loading;
}

/**
 * Loads zstd and puts it into a registry, in the place of a zstd that is there.
 *
 * @throws UnsupportedError when the module can't be loaded.
 */
export async function registerZstd(registry: CodecRegistry = defaultCodecs): Promise<void> {
  registry.register(await loadZstd(), { allowReserved: true, replace: true });
}
