/** All that reading a frame or a store gives, for comparison. @module */
import { createHash, type Hash } from "node:crypto";
import { type IoBackend, type NDArray, openArray, SChunk } from "@b2frame/core";
import { CHECKSUMS_NAME } from "@b2frame/core/backend";
import { openStore } from "@b2frame/stores";

/** How a frame is opened: an array or a super-chunk. */
export type ReadAs = "array" | "schunk" | "store";

function add(hash: Hash, ...values: unknown[]): void {
  for (const value of values) {
    if (value instanceof Uint8Array) hash.update(value);
    else hash.update(`${JSON.stringify(value, (_, each) => (typeof each === "bigint" ? `${each}n` : each))};`);
  }
}

function addChunks(hash: Hash, s: SChunk): void {
  add(hash, s.nchunks, s.nbytes, s.typesize, s.blocksize, s.chunksize, s.cparams);
  for (const name of s.meta.keys()) add(hash, name, s.meta.get(name));
  for (const name of s.vlmeta.keys()) if (name !== CHECKSUMS_NAME) add(hash, name, s.vlmeta.get(name));
  // Parts first: what is read whole has been held against its sum by then.
  for (let i = 0; i < s.nchunks; i++) {
    const { nbytes, cbytes, special } = s.chunkInfo(i);
    add(hash, nbytes, cbytes, special);
  }
  if (s.itemCount > 0) add(hash, s.getSlice(s.itemCount >> 1, (s.itemCount >> 1) + 1));
  for (let i = 0; i < s.nchunks; i++) add(hash, s.decompressChunk(i), s.getChunk(i));
  add(hash, s.getSlice());
}

function addArray(hash: Hash, a: NDArray): void {
  add(hash, a.shape, a.chunks, a.blocks, String(a.dtype));
  if (a.shape.every((length) => length > 0)) add(hash, a.getSlice([], []).bytes);
  addChunks(hash, a.schunk);
}

/** A digest of content and metadata, each read in several ways. @throws what reading throws */
export function digestOf(path: string, io: IoBackend, as: ReadAs): string {
  const hash = createHash("sha1");
  if (as === "array") {
    using a = openArray(path, { io });
    addArray(hash, a);
  } else if (as === "schunk") {
    using s = SChunk.open(path, io);
    addChunks(hash, s);
  } else {
    using store = openStore(path, io);
    for (const key of store.keys()) {
      add(hash, key, store.kind(key));
      if (store.kind(key) === "array") {
        using a = store.openArray(key);
        addArray(hash, a);
      } else {
        using s = store.openSChunk(key);
        addChunks(hash, s);
      }
    }
  }
  return hash.digest("hex");
}
