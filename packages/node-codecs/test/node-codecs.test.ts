import { loadZstd } from "@b2frame/core/zstd";
import { runCodecSuite } from "../../core/test/codec/codec-suite.js";
import { nodeZlibCodec } from "../src/node-zlib-codec.js";
import { nodeZstdCodec } from "../src/node-zstd-codec.js";

const zstd = nodeZstdCodec() ?? (await loadZstd());

runCodecSuite({ name: "node:zlib", codec: () => nodeZlibCodec, checksummed: true });
runCodecSuite({ name: "zstd on this Node", codec: () => zstd });
