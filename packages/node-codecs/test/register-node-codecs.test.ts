import * as zlib from "node:zlib";
import { defaultCodecs } from "@b2frame/core";
import { CodecRegistry } from "@b2frame/core/codec";
import { zstdCodec } from "@b2frame/core/zstd";
import { describe, expect, it } from "vitest";
import { nodeZlibCodec } from "../src/node-zlib-codec.js";
import { nodeZstdCodec } from "../src/node-zstd-codec.js";
import { registerNodeCodecs } from "../src/register-node-codecs.js";

const [major, minor] = process.versions.node.split(".").map(Number);
const nativeZstd = major > 24 || (major === 24 && minor >= 6) || (major === 22 && minor >= 19);

describe("registerNodeCodecs", () => {
  it("replaces zlib and brings zstd", () => {
    const registry = defaultCodecs.clone();
    registerNodeCodecs(registry);
    expect(registry.byId(4)).toBe(nodeZlibCodec);
    expect(registry.byId(5)).toBe(nodeZstdCodec() ?? zstdCodec);
    registerNodeCodecs(registry);
  });

  it("works on an empty registry", () => {
    const registry = new CodecRegistry();
    registerNodeCodecs(registry);
    expect(registry.keys()).toEqual(["zlib", "zstd"]);
  });

  it("takes Node's zstd exactly where it honours dictionaries", () => {
    expect(nodeZstdCodec() !== undefined).toBe(nativeZstd);
    if (!nativeZstd && major < 22) expect("zstdCompressSync" in zlib).toBe(false);
  });
});

describe("streams of one zstd read by the other", () => {
  it("gives the same bytes, with and without a dictionary", () => {
    const wasm = zstdCodec;
    const node = nodeZstdCodec() ?? wasm;
    const source = new TextEncoder().encode("frame, chunk, block, stream; ".repeat(40));
    for (const dictionary of [undefined, source.slice(100, 400)]) {
      const context = { clevel: 5, typesize: 1, meta: 0, dictionary, geometry: undefined };
      for (const [from, to] of [
        [wasm, node],
        [node, wasm],
      ]) {
        const stream = new Uint8Array(source.byteLength);
        const written = from.compress?.(source, stream, context) ?? 0;
        expect(written).toBeGreaterThan(0);
        const back = new Uint8Array(source.byteLength);
        to.decompress(stream.subarray(0, written), back, context);
        expect(back).toEqual(source);
      }
    }
  });
});
