/** Filling a new array, each chunk once. @module */
import type { NDArray, NDBuffer } from "@b2frame/core";
import { boxOfChunk } from "@b2frame/parts";
import type { Progress } from "../command-line/progress.js";
import type { StopRequest } from "../command-line/stop-request.js";

/** Writes all chunks of `array` with what `read` gives for them. `progress` counts bytes. */
export async function fillArray(
  array: NDArray,
  read: (start: readonly number[], stop: readonly number[]) => NDBuffer,
  { progress, stopRequest }: { readonly progress: Progress; readonly stopRequest: StopRequest },
): Promise<void> {
  let done = 0;
  for (let i = 0; i < array.grid.nchunks; i++) {
    const { start, stop } = boxOfChunk(array, i);
    const items = read(start, stop);
    array.setSlice(start, stop, items);
    done += items.bytes.byteLength;
    progress.update(done);
    await stopRequest.breathe();
  }
}
