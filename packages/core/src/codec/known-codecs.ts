/** The codecs that the *Blosc2 format documents* and C-Blosc2's plugin registry name, and where each comes from. @module */

/** A codec that has an id, whether or not it is registered. */
export interface KnownCodec {
  readonly name: string;
  /** What to do to have it. */
  readonly remedy: string;
}

const ZSTD = 'call registerZstd() of "@b2frame/core/zstd", or registerNodeCodecs() of "@b2frame/node-codecs"';

function external(plugin: string): string {
  return `no JavaScript implementation is known; wrap ${plugin} in a Codec and pass it to registerCodec()`;
}

/** ndlz and zfp can be read but not written. */
const READER = 'call registerPlugins() of "@b2frame/core/plugins", which reads it';

/** By compcode. */
export const KNOWN_CODECS: ReadonlyMap<number, KnownCodec> = new Map([
  [0, { name: "blosclz", remedy: "register blosclzCodec of @b2frame/core" }],
  [1, { name: "lz4", remedy: "register lz4Codec of @b2frame/core" }],
  [2, { name: "lz4hc", remedy: "register lz4hcCodec of @b2frame/core" }],
  [4, { name: "zlib", remedy: "register zlibCodec of @b2frame/core" }],
  [5, { name: "zstd", remedy: ZSTD }],
  [32, { name: "ndlz", remedy: READER }],
  [33, { name: "zfp_acc", remedy: READER }],
  [34, { name: "zfp_prec", remedy: READER }],
  [35, { name: "zfp_rate", remedy: READER }],
  [36, { name: "openhtj2k", remedy: external("blosc2_openhtj2k (https://github.com/Blosc/blosc2_openhtj2k)") }],
  [37, { name: "grok", remedy: external("blosc2_grok (https://github.com/Blosc/blosc2_grok)") }],
  [38, { name: "openzl", remedy: external("blosc2_openzl (https://github.com/Blosc/blosc2_openzl)") }],
  [39, { name: "j2k", remedy: external("blosc2_j2k (https://github.com/Blosc/blosc2_j2k)") }],
  [40, { name: "htj2k", remedy: external("blosc2_htj2k (https://github.com/Blosc/blosc2_htj2k)") }],
]);
