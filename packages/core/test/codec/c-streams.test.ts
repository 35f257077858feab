/** Streams that C-Blosc2 wrote; the hashes are of the bytes that it was given. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { defaultCodecs } from "../../src/codec/codec-registry.js";
import { registerZstd } from "../../src/zstd.js";
import { contextOf } from "./codec-suite.js";

interface StreamVector {
  readonly id: string;
  readonly codec: string;
  readonly sha256: string;
  readonly shuffle?: { readonly typesize: number; readonly blocksize: number };
  readonly dictionary?: string;
  readonly streams: readonly { readonly nbytes: number; readonly csize: number; readonly bytes: string }[];
}

const file = new URL("../../../../fixtures/codec/streams.json", import.meta.url);
const vectors: readonly StreamVector[] = JSON.parse(readFileSync(file, "utf8"));
const registry = defaultCodecs.clone();
await registerZstd(registry);

/** `csize` 0 and negative ones stand for runs, `csize === nbytes` for raw bytes; the rest is the codec's. */
function decodeVector({ codec, dictionary, streams }: StreamVector): Uint8Array {
  const context = contextOf(5, dictionary === undefined ? undefined : Buffer.from(dictionary, "base64"));
  const parts = streams.map(({ nbytes, csize, bytes }) => {
    const source = Buffer.from(bytes, "base64");
    if (csize <= 0) return new Uint8Array(nbytes).fill(-csize);
    if (csize === nbytes) return source;
    const target = new Uint8Array(nbytes);
    registry.byName(codec).decompress(source, target, context);
    return target;
  });
  return Buffer.concat(parts);
}

function unshuffled(bytes: Uint8Array, { typesize, blocksize }: { typesize: number; blocksize: number }): Uint8Array {
  const result = Uint8Array.from(bytes);
  for (let start = 0; start < bytes.byteLength; start += blocksize) {
    const items = Math.floor(Math.min(blocksize, bytes.byteLength - start) / typesize);
    for (let item = 0; item < items; item++) {
      for (let byte = 0; byte < typesize; byte++) {
        result[start + item * typesize + byte] = bytes[start + byte * items + item];
      }
    }
  }
  return result;
}

describe("streams written by C-Blosc2", () => {
  it.each(vectors.map((vector) => [vector.id, vector] as const))("%s", (_id, vector) => {
    const decoded = decodeVector(vector);
    const bytes = vector.shuffle === undefined ? decoded : unshuffled(decoded, vector.shuffle);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(vector.sha256);
  });

  it("cover every codec, and dictionaries", () => {
    const codecs = new Set(vectors.map(({ codec, dictionary }) => codec + (dictionary === undefined ? "" : " dict")));
    for (const name of ["blosclz", "lz4", "lz4hc", "zlib", "zstd", "lz4 dict", "lz4hc dict", "zstd dict"]) {
      expect(codecs.has(name), name).toBe(true);
    }
  });
});
