/**
 * zstd both ways in WebAssembly, apart from the main entry because of the size of what compresses (85 KB gzipped). All is embedded: a
 * bundler has no file to copy, a page none to fetch. To read only, `@b2frame/core/read` has a decoder of its own.
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
import type { Codec } from "./codec/codec.js";
import { type CodecRegistry, defaultCodecs } from "./codec/codec-registry.js";
import { createZstdCodec, type ZstdLibrary } from "./codec/create-zstd-codec.js";
import { needsWebAssembly } from "./codec/no-webassembly.js";
import { compileZstd, compileZstdSync, instantiateZstd, type WasmModule } from "./codec/zstd-library.js";
import { decompressByKernels } from "./codec/zstd-reader.js";

let library: ZstdLibrary | undefined;

function useModule(module: WasmModule): ZstdLibrary {
  library ??= instantiateZstd(module);
  return library;
}

/** The library, compiled where this is called unless it is there. */
function libraryNow(): ZstdLibrary {
  if (library !== undefined) return library;
  try {
    return useModule(compileZstdSync());
  } catch (cause) {
    throw needsWebAssembly("zstd", 5, cause);
  }
}

/**
 * The zstd codec: levels 2 * clevel - 1 (22 for clevel 9) as C-Blosc2 chooses them, dictionaries both ways. It reads with the kernels'
 * decoder. The WebAssembly module that compresses is compiled by the first call that needs it, which takes some 30 ms; {@link loadZstd}
 * does that beforehand, without blocking. Where WebAssembly is missing or forbidden, each call throws an `UnsupportedError`.
 */
export const zstdCodec: Codec = /* @__PURE__ */ createZstdCodec({
  compress: (source, level, dictionary) => libraryNow().compress(source, level, dictionary),
  decompress: decompressByKernels,
});

async function load(): Promise<Codec> {
  try {
    useModule(await compileZstd());
    return zstdCodec;
  } catch (cause) {
    throw needsWebAssembly("zstd", 5, cause);
  }
}

let loading: Promise<Codec> | undefined;

/**
 * Compiles the module of {@link zstdCodec}, and gives the codec.
 *
 * @throws UnsupportedError where WebAssembly is missing or forbidden.
 */
export function loadZstd(): Promise<Codec> {
  if (loading === undefined) {
    loading = load();
    // A later call may find what this one did not.
    loading.catch(() => {
      loading = undefined;
    });
  }
  return loading;
}

/**
 * Loads zstd and puts it into a registry, in the place of a zstd that is there.
 *
 * @throws UnsupportedError where WebAssembly is missing or forbidden.
 */
export async function registerZstd(registry: CodecRegistry = defaultCodecs): Promise<void> {
  registry.register(await loadZstd(), { allowReserved: true, replace: true });
}
