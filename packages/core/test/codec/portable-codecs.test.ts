import { blosclzCodec } from "../../src/codec/blosclz-codec.js";
import { createZlibReader } from "../../src/codec/create-zlib-codec.js";
import { createZstdCodec } from "../../src/codec/create-zstd-codec.js";
import { inflateByFflate } from "../../src/codec/fflate-reader.js";
import { lz4Codec, lz4hcCodec } from "../../src/codec/lz4-codec.js";
import { zlibCodec } from "../../src/codec/zlib-codec.js";
import { compileZstd, instantiateZstd } from "../../src/codec/zstd-library.js";
import { loadZstd } from "../../src/zstd.js";
import { runCodecSuite } from "./codec-suite.js";

const zstd = await loadZstd();
const fflateCodec = { ...zlibCodec, ...createZlibReader({ decompress: inflateByFflate }) };
const library = createZstdCodec(instantiateZstd(await compileZstd()));

runCodecSuite({ name: "blosclz", codec: () => blosclzCodec });
runCodecSuite({ name: "lz4", codec: () => lz4Codec });
runCodecSuite({ name: "lz4hc", codec: () => lz4hcCodec });
runCodecSuite({ name: "zlib", codec: () => zlibCodec, checksummed: true });
runCodecSuite({ name: "zlib without WebAssembly", codec: () => fflateCodec, checksummed: true });
runCodecSuite({ name: "zstd", codec: () => zstd });
runCodecSuite({ name: "zstd of the library alone", codec: () => library });
