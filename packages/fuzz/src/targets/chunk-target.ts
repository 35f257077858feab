/** Lone chunks. @module */
import { Chunk, chunkFromBytes, defaultEnvironment } from "@b2frame/core/codec";
import type { Content } from "../content.js";
import { fixtureChunks } from "../fixtures.js";
import { onlyFile } from "../input.js";
import type { FuzzTarget } from "./target.js";

/** Reads a chunk whole, in parts, and as variable-length blocks. */
export function readChunk(chunk: Chunk, content: Content): void {
  const isWhole = content.attempt("content", () => chunk.decompress());
  const part = (step: string, read: () => Uint8Array): void => {
    if (isWhole) content.attempt(step, read);
    else content.attemptUnseen(read);
  };
  part("items", () => chunk.readItems(Math.floor(chunk.nbytes / chunk.typesize / 2), 1));
  part("middle", () => {
    const start = Math.floor(chunk.nbytes / 3);
    const target = new Uint8Array(Math.min(chunk.nbytes - start, 100));
    chunk.readBytes(start, start + target.byteLength, target);
    return target;
  });
  content.attempt("variable-length blocks", () => {
    const blocks = chunk.vlBlocks();
    return Buffer.concat(blocks.slice(0, 100));
  });
}

export const chunkTarget: FuzzTarget = {
  seeds: () =>
    fixtureChunks([
      "splitlimit/t2/n66",
      "core/blosclz/c1/shuffle/t1",
      "core/blosclz/c5/delta/t7",
      "core/lz4/c1/delta/t16",
      "core/lz4/c5/delta+shuffle/t8",
      "core/zlib/c1/delta/t3",
      "core/zlib/c9/delta+shuffle/t255",
      "core/zstd/c1/none/t300",
      "core/zstd/c5/delta/t16",
      "split/zlib/forward_compat/c5/t4/bitshuffle",
      "special/repeat/t7/n5439",
      "special/nan/t4/n0",
      "blosc1/blosclz/c5/s1/t8",
      "blosc1/zlib/c1/s2/t4",
      "vlblocks/lz4/b2/shuffle/t4",
      "vlblocks/zstd/b5/bitshuffle/t4",
      "plugins/bytedelta/bitshuffle/t4/n160",
      "trunc/f64/1",
    ]),
  read(input, options, content) {
    readChunk(Chunk.open(chunkFromBytes(onlyFile(input).bytes), defaultEnvironment(options)), content);
  },
};
