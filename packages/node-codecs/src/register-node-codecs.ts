/** Puts Node's codecs into a registry. @module */
import { type CodecRegistry, defaultCodecs } from "@b2frame/core";
import { zstdCodec } from "@b2frame/core/zstd";
import { nodeZlibCodec } from "./node-zlib-codec.js";
import { nodeZstdCodec } from "./node-zstd-codec.js";

const OPTIONS = { allowReserved: true, replace: true };

/**
 * Registers Node's zlib and zstd, in the place of what the registry has; on a Node without a zstd that works, zstd in
 * WebAssembly, which the first chunk that needs it compiles.
 *
 * @example
 * ```ts
 * import { registerNodeCodecs } from "@b2frame/node-codecs";
 *
 * registerNodeCodecs();
 * ```
 */
export function registerNodeCodecs(registry: CodecRegistry = defaultCodecs): void {
  registry.register(nodeZlibCodec, OPTIONS);
  const native = nodeZstdCodec();
  // Trying the portable one would compile it here, in programs that may never read zstd.
  registry.register(native ?? zstdCodec, { ...OPTIONS, probe: native !== undefined });
}
