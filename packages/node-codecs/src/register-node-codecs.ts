/** Puts Node's codecs into a registry. @module */
import { type CodecRegistry, defaultCodecs } from "@b2frame/core";
import { nodeZlibCodec } from "./node-zlib-codec.js";
import { nodeZstdCodec } from "./node-zstd-codec.js";

/** The compcode of zstd. */
const ZSTD = 5;
const OPTIONS = { allowReserved: true, replace: true };

/**
 * Registers Node's zlib, and its zstd where it has one that works, in the place of what the registry has.
 *
 * @returns whether zstd is there now. False means that this Node needs zstd in WebAssembly, which loads asynchronously: use
 * {@link registerNodeCodecs}.
 */
export function registerNodeCodecsSync(registry: CodecRegistry = defaultCodecs): boolean {
  registry.register(nodeZlibCodec, OPTIONS);
  const zstd = nodeZstdCodec();
  if (zstd !== undefined) registry.register(zstd, OPTIONS);
  return registry.has(ZSTD);
}

/**
 * Registers Node's zlib and zstd, in the place of what the registry has; on a Node without a zstd that works, zstd in
 * WebAssembly.
 *
 * @throws UnsupportedError when the WebAssembly module is needed and can't be loaded.
 * @example
 * ```ts
 * import { registerNodeCodecs } from "@b2frame/node-codecs";
 *
 * await registerNodeCodecs();
 * ```
 */
export async function registerNodeCodecs(registry: CodecRegistry = defaultCodecs): Promise<void> {
  if (registerNodeCodecsSync(registry)) return;
  const { registerZstd } = await import("@b2frame/core/zstd");
  await registerZstd(registry);
}
