/** The codecs that the *Blosc2 format documents* and C-Blosc2's plugin registry name, and where each comes from. @module */

/** A codec that has an id, whether or not it is registered. */
export interface KnownCodec {
  readonly name: string;
  /** What to do to have it in `registry`: the expression that stands for it in the program, empty for the default registry. */
  remedy(registry: string): string;
}

function ours(codec: string) {
  return (registry: string): string => `register ${codec} of @b2frame/core with ${registerCall(registry)}`;
}

function zstd(registry: string): string {
  return `call registerZstd(${registry}) of "@b2frame/core/zstd", or registerNodeCodecs(${registry}) of "@b2frame/node-codecs"`;
}

function external(plugin: string) {
  return (registry: string): string =>
    `no JavaScript implementation is known; wrap ${plugin} in a Codec and pass it to ${registerCall(registry)}`;
}

/** ndlz and zfp can be read but not written. */
function reader(registry: string): string {
  return `call registerPlugins(${registry}) of "@b2frame/core/plugins", which reads it`;
}

/** What takes a codec into `registry`. */
export function registerCall(registry: string): string {
  return registry === "" ? "registerCodec()" : `${registry}.register()`;
}

/** By compcode. */
export const KNOWN_CODECS: ReadonlyMap<number, KnownCodec> = new Map([
  [0, { name: "blosclz", remedy: ours("blosclzCodec") }],
  [1, { name: "lz4", remedy: ours("lz4Codec") }],
  [2, { name: "lz4hc", remedy: ours("lz4hcCodec") }],
  [4, { name: "zlib", remedy: ours("zlibCodec") }],
  [5, { name: "zstd", remedy: zstd }],
  [32, { name: "ndlz", remedy: reader }],
  [33, { name: "zfp_acc", remedy: reader }],
  [34, { name: "zfp_prec", remedy: reader }],
  [35, { name: "zfp_rate", remedy: reader }],
  [36, { name: "openhtj2k", remedy: external("blosc2_openhtj2k (https://github.com/Blosc/blosc2_openhtj2k)") }],
  [37, { name: "grok", remedy: external("blosc2_grok (https://github.com/Blosc/blosc2_grok)") }],
  [38, { name: "openzl", remedy: external("blosc2_openzl (https://github.com/Blosc/blosc2_openzl)") }],
  [39, { name: "j2k", remedy: external("blosc2_j2k (https://github.com/Blosc/blosc2_j2k)") }],
  [40, { name: "htj2k", remedy: external("blosc2_htj2k (https://github.com/Blosc/blosc2_htj2k)") }],
]);
