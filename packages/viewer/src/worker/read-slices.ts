/** Pictures, cells and files of slices. @module */
import { ArgumentError, type DimIndex, NDBuffer } from "@b2frame/core/read";
import { numbersOf } from "./numbers.js";
import { arrayAt, frameAt, trafficOf } from "./open-frames.js";
import type { Cells, Cost, DimPart, Plane, PlaneRequest, TableRequest } from "./protocol.js";
import { spreadOf } from "./spread.js";
import { itemText } from "./value-text.js";

/** More bytes at once than a picture, a table or a file to be saved takes. */
const MAX_SLICE_BYTES = 2 ** 29;

function indexOf(parts: readonly DimPart[]): DimIndex[] {
  return parts.map((part) => (typeof part === "number" ? part : { ...part }));
}

/** Reads a slice. @throws ArgumentError if it is larger than a page can hold; as `RemoteArray.get` */
export function readSlice(frame: number, parts: readonly DimPart[], signal: AbortSignal): Promise<NDBuffer> {
  const array = arrayAt(frame);
  const index = indexOf(parts);
  const { byteLength } = array.select(index);
  if (byteLength > MAX_SLICE_BYTES) {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_OUT_OF_RANGE",
      `the slice has ${byteLength} bytes; at most ${MAX_SLICE_BYTES} are read at once here`,
      { parameter: "index", expected: MAX_SLICE_BYTES, found: byteLength },
    );
  }
  return array.get(index, { signal });
}

/** Stride, in items, of each dimension of the array within what was read; 0 for those that were given one position. */
function stridesIn(buffer: NDBuffer, parts: readonly DimPart[]): number[] {
  let next = 0;
  return parts.map((part) => (typeof part === "number" ? 0 : (buffer.strides[next++] ?? 0)));
}

function lengthOf(part: DimPart | undefined): number {
  if (part === undefined || typeof part === "number") return 1;
  return Math.max(0, Math.ceil((part.stop - part.start) / part.step));
}

/** A picture. @throws as {@link readSlice} */
export async function readPlane(request: PlaneRequest, signal: AbortSignal): Promise<Plane> {
  const { frame, index, rows, columns, channels, part } = request;
  const buffer = await readSlice(frame, index, signal);
  const strides = stridesIn(buffer, index);
  const { values, exact } = numbersOf(buffer, part);
  return {
    height: lengthOf(index[rows]),
    width: lengthOf(index[columns]),
    rowStride: strides[rows] ?? 0,
    columnStride: strides[columns] ?? 0,
    channelStride: channels === undefined ? 0 : (strides[channels] ?? 0),
    channelCount: channels === undefined ? 1 : lengthOf(index[channels]),
    // A view of the decoder's memory would move all of that.
    values: values.byteLength === values.buffer.byteLength ? values : values.slice(),
    exact,
    spread: spreadOf(values),
    traffic: trafficOf(arrayAt(frame)),
  };
}

/** Cells: one row and column for each position of two dimensions; fields are columns, too. @throws as {@link readSlice} */
export async function readTable(request: TableRequest, signal: AbortSignal): Promise<Cells> {
  const { frame, index, rows: rowDim, columns: columnDim } = request;
  const buffer = await readSlice(frame, index, signal);
  const strides = stridesIn(buffer, index);
  const { dtype } = buffer;
  // Item by item: the buffer as one dimension.
  const items = new NDBuffer(dtype, [buffer.itemCount], buffer.bytes).toNestedArray();
  const height = rowDim === undefined ? 1 : lengthOf(index[rowDim]);
  const width = columnDim === undefined ? 1 : lengthOf(index[columnDim]);
  const rows: string[][] = [];
  for (let y = 0; y < height; y++) {
    const row: string[] = [];
    for (let x = 0; x < width; x++) {
      const at = y * (strides[rowDim ?? -1] ?? 0) + x * (strides[columnDim ?? -1] ?? 0);
      const item = items[at] ?? "";
      if (dtype.fields === undefined) row.push(itemText(item, dtype.kind));
      else {
        const fields = item as Record<string, never>;
        for (const field of dtype.fields) {
          row.push(itemText(fields[field.name] ?? "", field.shape.length === 0 ? field.dtype.kind : ""));
        }
      }
    }
    rows.push(row);
  }
  return { rows, traffic: trafficOf(arrayAt(frame)) };
}

/** Bytes of a super-chunk. @throws as `RemoteSChunk.getSlice` */
export async function readBytes(frame: number, start: number, stop: number, signal: AbortSignal): Promise<Uint8Array> {
  const schunk = frameAt(frame);
  if (!("itemCount" in schunk)) throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", "an array", { parameter: "frame" });
  const { typesize } = schunk;
  const first = Math.floor(start / typesize);
  const bytes = await schunk.getSlice(first, Math.min(schunk.itemCount, Math.ceil(stop / typesize)), { signal });
  return bytes.slice(start - first * typesize, stop - first * typesize);
}

/** What reading a slice takes, whether it is cached or not. Nothing is fetched. @throws ArgumentError */
export function costOf(frame: number, parts: readonly DimPart[]): Cost {
  const array = arrayAt(frame);
  const selection = array.select(indexOf(parts));
  let chunks = 0;
  for (const _ of selection.chunks()) chunks++;
  const ranges = array.plan(indexOf(parts));
  return {
    chunks,
    blocks: selection.blockCount,
    blocksInAll: array.select().blockCount,
    bytes: ranges.reduce((sum, range) => sum + range.byteLength, 0),
    requests: ranges.length,
  };
}
