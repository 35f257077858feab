/** Giving out the items of an array or super-chunk in order. @module */
import type { NDArray, SChunk } from "@b2frame/core";
import type { ByteSink } from "../command-line/output-place.js";
import type { Progress } from "../command-line/progress.js";
import type { StopRequest } from "../command-line/stop-request.js";
import { cOrderPieces } from "./c-order-pieces.js";

/** Most bytes of an array decoded at once. */
const MAX_PIECE_BYTES = 64 << 20;

/** What goes on beside the writing. */
export interface WriteContext {
  /** Counts bytes. */
  readonly progress: Progress;
  readonly stopRequest: StopRequest;
}

/** Writes all items of an array in C order. */
export async function writeArrayItems(array: NDArray, sink: ByteSink, context: WriteContext): Promise<void> {
  const { shape, chunks: chunkShape, dtype } = array;
  let done = 0;
  for (const piece of cOrderPieces({
    shape,
    chunks: chunkShape,
    itemsize: dtype.itemsize,
    maxBytes: MAX_PIECE_BYTES,
  })) {
    const { bytes } = array.getSlice(piece.start, piece.stop);
    await sink(bytes);
    done += bytes.byteLength;
    context.progress.update(done);
    await context.stopRequest.breathe();
  }
}

/** Writes the items from `start` to `stop` of a super-chunk; by default all its bytes. */
export async function writeItems(
  schunk: SChunk,
  sink: ByteSink,
  { progress, stopRequest, ...bounds }: WriteContext & { readonly start?: number; readonly stop?: number },
): Promise<void> {
  if (bounds.start === undefined && bounds.stop === undefined) {
    let done = 0;
    for (let i = 0; i < schunk.nchunks; i++) {
      const bytes = schunk.decompressChunk(i);
      await sink(bytes);
      done += bytes.byteLength;
      progress.update(done);
      await stopRequest.breathe();
    }
    return;
  }
  const { start = 0, stop = schunk.itemCount } = bounds;
  const { typesize } = schunk;
  const step = Math.max(1, Math.floor((schunk.chunksize > 0 ? schunk.chunksize : 1 << 22) / typesize));
  for (let from = start; from < stop; ) {
    // Whole chunks, so that none is decoded twice.
    const to = Math.min(stop, (Math.floor(from / step) + 1) * step);
    await sink(schunk.getSlice(from, to));
    progress.update((to - start) * typesize);
    await stopRequest.breathe();
    from = to;
  }
}
