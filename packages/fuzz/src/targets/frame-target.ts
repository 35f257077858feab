/** Contiguous frames. @module */
import { type IoBackend, memory, memoryHandle, repairFrame, SChunk, verifyFrame } from "@b2frame/core";
import { openChecked } from "@b2frame/core/backend";
import type { Content } from "../content.js";
import { fixtureFile } from "../fixtures.js";
import { type InputFile, onlyFile } from "../input.js";
import type { OpenOptions } from "../setups.js";
import { readSuperChunk } from "./read-super-chunk.js";
import type { FuzzTarget } from "./target.js";

const PATH = "frame";
/** Verification and repair decode every chunk: a frame that rightly promises more than this would take its time. */
const MAX_VERIFIED_BYTES = 2 ** 23;

/** A backend of its own that has `file`. */
export function memoryWith(file: InputFile): IoBackend {
  const backend = memory();
  const handle = openChecked(backend, PATH, "w+");
  handle.write(0, file.bytes);
  handle.close();
  return backend;
}

/** Verifies and repairs the frame at `path`. */
export function verifyAndRepair(path: string, backend: IoBackend, options: OpenOptions, content: Content): void {
  content.attempt("verify", () => {
    const structure = verifyFrame(path, backend, { ...options, decode: false });
    if (structure.nbytes > MAX_VERIFIED_BYTES) return "large";
    const { ok, nchunks } = verifyFrame(path, backend, options);
    return `${ok}, ${nchunks} chunks`;
  });
  content.attempt("repair", () => {
    const { chunksRecovered, chunksLost } = repairFrame(path, backend, "repaired", memory(), options);
    return `${chunksRecovered} recovered, ${chunksLost} lost`;
  });
}

/** Changes the frame in `backend`, which must then open again. */
function edit(backend: IoBackend, options: OpenOptions, content: Content): void {
  content.attempt("edit", () => {
    using schunk = SChunk.open(PATH, backend, { ...options, mode: "r+" });
    const item = new Uint8Array(Math.min(schunk.typesize, 2 ** 16)).fill(7);
    content.attempt("append", () => schunk.appendData(item));
    content.attempt("update", () => {
      schunk.updateData(0, item);
      return "done";
    });
    content.attempt("insert", () => schunk.insertData(0, item));
    content.attempt("delete", () => schunk.deleteChunk(schunk.nchunks - 1));
    content.attempt("set", () => {
      schunk.vlmeta.set("fuzz", item.subarray(0, 4));
      return "done";
    });
    schunk.flush();
    using again = SChunk.open(PATH, backend, options);
    return again.nchunks;
  });
}

export const frameTarget: FuzzTarget = {
  seeds: () =>
    [
      "empty",
      "fill-nans",
      "empty-meta",
      "vlblocks",
      "vlblocks-var",
      "one",
      "typesize1",
      "vlmeta-gone",
      "clevel0",
      "fill-uninit",
      "meta16",
      "varchunks-buffer",
      "meta",
    ].map((name) => fixtureFile(`conformance/frames/${name}.b2frame`)),
  read(input, options, content) {
    const file = onlyFile(input);
    content.attempt("open", () => {
      using schunk = SChunk.openHandle(memoryHandle(file.bytes), options);
      readSuperChunk(schunk, content);
      return "done";
    });
    const backend = memoryWith(file);
    verifyAndRepair(PATH, backend, options, content);
    edit(backend, options, content);
  },
};
