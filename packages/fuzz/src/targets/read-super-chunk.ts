/** Every way of reading a super-chunk. @module */
import type { SChunk } from "@b2frame/core";
import type { Content } from "../content.js";

const MAX_CHUNKS = 40;
const MAX_ITEMS = 500;

/** What msgpack gave, in text. Large integers come as `bigint`. */
function describe(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === "bigint" ? `${each}` : each))?.slice(0, 1000) ?? "nothing";
}

function readMetalayers(schunk: SChunk, content: Content): void {
  content.attempt("metalayers", () => schunk.meta.keys().join());
  for (const name of schunk.meta.keys()) content.attempt(name, () => schunk.meta.get(name));
  content.attempt("vlmetalayers", () => schunk.vlmeta.keys().join());
  for (const name of schunk.vlmeta.keys().slice(0, MAX_CHUNKS)) {
    content.attempt(name, () => schunk.vlmeta.get(name));
    content.attempt(name, () => describe(schunk.vlmeta.getValue(name)));
  }
}

/** Reads metalayers, chunks, items and facts of `schunk`. */
export function readSuperChunk(schunk: SChunk, content: Content): void {
  content.attempt("facts", () => [schunk.nchunks, schunk.nbytes, schunk.cbytes, schunk.typesize].join());
  content.attempt("cparams", () => describe(schunk.cparams));
  content.attempt("dead bytes", () => schunk.deadBytes);
  readMetalayers(schunk, content);
  let isWhole = true;
  for (let index = 0; index < Math.min(schunk.nchunks, MAX_CHUNKS) && !content.isFull; index += 1) {
    content.attempt("stored", () => schunk.getChunk(index));
    isWhole = content.attempt("chunk", () => schunk.decompressChunk(index)) && isWhole;
  }
  content.attempt("blocks", () => Buffer.concat(schunk.vlBlocks(0).slice(0, MAX_CHUNKS)));
  content.attempt("infos", () => {
    let seen = 0;
    for (const info of schunk.iterChunksInfo()) {
      seen += info.nbytes;
      if (info.index >= MAX_CHUNKS) break;
    }
    return seen;
  });
  const { itemCount } = schunk;
  const part = (step: string, read: () => Uint8Array): void => {
    if (isWhole && schunk.nchunks <= MAX_CHUNKS) content.attempt(step, read);
    else content.attemptUnseen(read);
  };
  part("slice", () => schunk.getSlice(0, Math.min(itemCount, MAX_ITEMS)));
  part("end", () => schunk.getSlice(Math.max(0, itemCount - 3)));
  part("sparse", () => schunk.getSparse(itemCount === 0 ? [] : [itemCount - 1, 0, Math.floor(itemCount / 2)]));
}
