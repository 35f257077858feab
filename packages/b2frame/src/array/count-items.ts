/** Statistics of all items of a frame, chunk by chunk. @module */
import { ArgumentError, type DType, NDArray, NDBuffer, parseDType, type SChunk } from "@b2frame/core";
import { type Statistics, StatisticsRun, statisticsValues } from "@b2frame/core/stats";
import { boxOfChunk } from "@b2frame/parts";
import type { WriteContext } from "./write-items.js";

/** The type of a frame's items. @throws ArgumentError for a super-chunk without a type given, and for an array with one */
export function countedType(file: NDArray | SChunk, label: string, given: string | undefined): DType {
  const invalid = (message: string): ArgumentError =>
    new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${label}: ${message}`, { parameter: "dtype" });
  if (file instanceof NDArray) {
    if (given !== undefined) throw invalid("is an array, and has its own type; --dtype is for super-chunks");
    return file.dtype;
  }
  if (given === undefined) throw invalid("is no array; --dtype says what its bytes are, for example --dtype '<f4'");
  return parseDType(given);
}

function* chunksOf(file: NDArray | SChunk, dtype: DType): Generator<NDBuffer> {
  if (!(file instanceof NDArray)) {
    for (let i = 0; i < file.nchunks; i++) {
      const bytes = file.decompressChunk(i);
      if (bytes.byteLength % dtype.itemsize !== 0) {
        const message = `chunk ${i} has ${bytes.byteLength} bytes, which is no whole number of items of type ${dtype.str}`;
        throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter: "dtype", chunkIndex: i });
      }
      yield new NDBuffer(dtype, [bytes.byteLength / dtype.itemsize], bytes);
    }
    return;
  }
  const count = file.itemCount === 0 ? 0 : file.grid.nchunks;
  let target = new Uint8Array(0);
  for (let i = 0; i < count; i++) {
    const { start, stop } = boxOfChunk(file, i);
    const selection = start.map((from, dim) => ({ start: from, stop: stop[dim] }));
    const { byteLength } = file.select(selection);
    // Memory for one chunk serves for all that are as large.
    if (target.byteLength !== byteLength) target = new Uint8Array(byteLength);
    yield file.get(selection, { target });
  }
}

/** Reads all chunks. `progress` counts bytes. @throws ArgumentError if its items are no numbers; as reading chunks does */
export async function countItems(
  file: NDArray | SChunk,
  dtype: DType,
  { progress, stopRequest }: WriteContext,
): Promise<Statistics> {
  // Refused before the first chunk is read, and of no items at all, too.
  statisticsValues(new NDBuffer(dtype, [0], new Uint8Array(0)));
  const run = new StatisticsRun({ times: dtype.kind === "M" || dtype.kind === "m" });
  let done = 0;
  for (const chunk of chunksOf(file, dtype)) {
    run.add(statisticsValues(chunk));
    done += chunk.bytes.byteLength;
    progress.update(done);
    await stopRequest.breathe();
  }
  return run.result();
}
