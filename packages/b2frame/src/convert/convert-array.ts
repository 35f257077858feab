/** Copying an array with other parameters or shapes of chunks and blocks. @module */
import type { NDArray } from "@b2frame/core";
import { zeros } from "@b2frame/core";
import { CHECKSUMS_NAME } from "@b2frame/core/backend";
import { fillArray } from "../array/fill-array.js";
import { type ConvertJob, copyVlMetalayers } from "./convert-schunk.js";

/** The metalayers that an array has for itself. */
const OWN_LAYERS: readonly string[] = ["b2nd", "caterva"];

/** How the copy is to differ. */
export interface ConvertArrayJob extends Omit<ConvertJob, "chunksize"> {
  readonly chunks: readonly number[] | undefined;
  readonly blocks: readonly number[] | undefined;
}

/** Makes the copy and commits it. @throws as `zeros`, and when a chunk can't be read */
export async function convertArray(from: NDArray, job: ConvertArrayJob): Promise<NDArray> {
  const { urlpath, io, sparse, durability, chunks, blocks, progress, stopRequest } = job;
  const { blocksize: _, typesize: __, ...cparams } = from.schunk.cparams;
  const out = zeros(from.shape, {
    dtype: from.dtype.str,
    urlpath,
    io,
    contiguous: !sparse,
    chunks: chunks ?? (from.shape.includes(0) ? undefined : from.chunks),
    blocks: blocks ?? (chunks === undefined && !from.shape.includes(0) ? from.blocks : undefined),
    cparams: { ...cparams, ...job.cparams },
    meta: Object.fromEntries([...from.schunk.meta].filter(([name]) => !OWN_LAYERS.includes(name))),
    commit: false,
    durability,
    checksum: job.checksum ?? from.schunk.vlmeta.has(CHECKSUMS_NAME),
  });
  try {
    await fillArray(out, (start, stop) => from.getSlice(start, stop), { progress, stopRequest });
    copyVlMetalayers(from.schunk, out.schunk);
    out.flush();
    return out;
  } catch (error) {
    out.close();
    throw error;
  }
}
