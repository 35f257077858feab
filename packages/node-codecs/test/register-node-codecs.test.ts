import * as zlib from "node:zlib";
import { CodecRegistry, defaultCodecs } from "@b2frame/core";
import { loadZstd } from "@b2frame/core/zstd";
import { describe, expect, it } from "vitest";
import { nodeZlibCodec } from "../src/node-zlib-codec.js";
import { nodeZstdCodec } from "../src/node-zstd-codec.js";
import { registerNodeCodecs, registerNodeCodecsSync } from "../src/register-node-codecs.js";

const [major, minor] = process.versions.node.split(".").map(Number);
const nativeZstd = major > 24 || (major === 24 && minor >= 6) || (major === 22 && minor >= 19);

describe("registerNodeCodecs", () => {
  it("replaces zlib and brings zstd", async () => {
    const registry = defaultCodecs.clone();
    await registerNodeCodecs(registry);
    expect(registry.byId(4)).toBe(nodeZlibCodec);
    expect(registry.byId(5)).toBe(nodeZstdCodec() ?? (await loadZstd()));
    await registerNodeCodecs(registry);
  });

  it("works on an empty registry", async () => {
    const registry = new CodecRegistry();
    await registerNodeCodecs(registry);
    expect(registry.names()).toEqual(["zlib", "zstd"]);
  });

  it("says without waiting whether zstd is there", async () => {
    const registry = defaultCodecs.clone();
    expect(registerNodeCodecsSync(registry)).toBe(nativeZstd);
    expect(registry.has(5)).toBe(nativeZstd);
    await registerNodeCodecs(registry);
    expect(registerNodeCodecsSync(registry)).toBe(true);
  });

  it("takes Node's zstd exactly where it honours dictionaries", () => {
    expect(nodeZstdCodec() !== undefined).toBe(nativeZstd);
    if (!nativeZstd && major < 22) expect("zstdCompressSync" in zlib).toBe(false);
  });
});

describe("streams of one zstd read by the other", () => {
  it("gives the same bytes, with and without a dictionary", async () => {
    const wasm = await loadZstd();
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
