/**
 * The registered plugin codecs that C-Blosc2 brings along: ndlz and zfp, for reading. Apart from the main entry so that
 * programs which don't need them don't carry them. (The plugin *filters* are in the default registry.)
 *
 * @module
 */
import { type CodecRegistry, defaultCodecs } from "./codec/codec-registry.js";
import { ndlzCodec } from "./codec/plugin-ndlz.js";
import { zfpAccuracyCodec, zfpPrecisionCodec, zfpRateCodec } from "./codec/plugin-zfp.js";

export { ndlzCodec, zfpAccuracyCodec, zfpPrecisionCodec, zfpRateCodec };

/**
 * Adds ndlz (32) and zfp with fixed accuracy (33), precision (34) and rate (35) to `registry`. Idempotent. They read only:
 * writing with one of them is an `UnsupportedError`.
 *
 * @example
 * ```ts
 * import { registerPlugins } from "@b2frame/core/plugins";
 * registerPlugins();
 * ```
 */
export function registerPlugins(registry: CodecRegistry = defaultCodecs): void {
  for (const codec of [ndlzCodec, zfpAccuracyCodec, zfpPrecisionCodec, zfpRateCodec]) {
    registry.register(codec, { allowReserved: true, replace: true });
  }
}
