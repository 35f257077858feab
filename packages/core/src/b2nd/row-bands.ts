/** Cutting rows, items of the first dimension, into bands that are read one after another. @module */
import { checkOptionNames, type OptionNames } from "../checks/option-names.js";
import { ArgumentError, IoError } from "../errors.js";
import type { StreamOptions } from "../streams/web-streams.js";
import { product } from "../values/shape.js";
import type { ArrayReader } from "./array-reader.js";
import { type DimIndex, normaliseIndex, type Slice } from "./dim-index.js";

/** Which rows a stream gives, and by how many bytes at a time. */
export interface RowStreamRange extends StreamOptions {
  /** The first row; negative numbers count from the end. Default 0. */
  readonly start?: number | undefined;
  /** The row to end before; negative numbers count from the end. Default: to the end. */
  readonly stop?: number | undefined;
  /** Bytes of a piece at most, one item at least. Default 4 MiB. Where a row of blocks is larger, blocks are decoded more than once. */
  readonly pieceBytes?: number | undefined;
}

const ROW_STREAM_NAMES: OptionNames<RowStreamRange> = { signal: true, start: true, stop: true, pieceBytes: true };
const DEFAULT_PIECE = 4 * 2 ** 20;

/** A box of an array whose items lie together in C order. */
export interface RowBand {
  readonly index: readonly DimIndex[];
  readonly byteLength: number;
}

/** What is asked of an array, whether it is at hand or far away. */
interface Geometry {
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly blocks: readonly number[];
  readonly dtype: { readonly itemsize: number };
}

/**
 * Bands of rows in C order, that end where blocks do as far as they may be that large.
 *
 * @throws ArgumentError for an array without dimensions, and bad options
 */
export function rowBands(array: Geometry, options: RowStreamRange): Iterable<RowBand> {
  checkOptionNames(ROW_STREAM_NAMES, options);
  const { start, stop, pieceBytes = DEFAULT_PIECE } = options;
  const { shape } = array;
  if (shape.length === 0) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", "an array without dimensions has no rows", {
      parameter: "array",
    });
  }
  if (!Number.isSafeInteger(pieceBytes) || pieceBytes < 1) {
    throw new ArgumentError("BLOSC2_ARGUMENT_OUT_OF_RANGE", `pieceBytes is ${pieceBytes}; expected an integer from 1`, {
      parameter: "pieceBytes",
      value: pieceBytes,
    });
  }
  const [rows] = normaliseIndex([{ start, stop }], shape);
  const from = rows?.start ?? 0;
  return bandsOf(array, pieceBytes, [], { start: from, stop: from + (rows?.count ?? 0) });
}

function* bandsOf(
  array: Geometry,
  pieceBytes: number,
  prefix: readonly Slice[],
  range: { readonly start: number; readonly stop: number },
): Generator<RowBand> {
  const { shape, chunks, blocks, dtype } = array;
  const dim = prefix.length;
  const itemBytes = product(shape.slice(dim + 1)) * dtype.itemsize;
  if (itemBytes === 0) return;
  if (itemBytes > pieceBytes && dim + 1 < shape.length) {
    for (let at = range.start; at < range.stop; at++) {
      const inner = { start: 0, stop: shape[dim + 1] as number };
      yield* bandsOf(array, pieceBytes, [...prefix, { start: at, stop: at + 1 }], inner);
    }
    return;
  }
  const most = Math.max(1, Math.floor(pieceBytes / itemBytes));
  const chunk = chunks[dim] as number;
  const block = blocks[dim] as number;
  for (let at = range.start; at < range.stop; ) {
    const stop = Math.min(range.stop, bandEnd(at, most, chunk, block));
    yield { index: [...prefix, { start: at, stop }], byteLength: (stop - at) * itemBytes };
    at = stop;
  }
}

/** Where a band that begins at an item ends: at the last end of a chunk, else of a block, that is near enough. */
function bandEnd(at: number, most: number, chunk: number, block: number): number {
  const chunkStart = at - (at % chunk);
  const limit = at + most;
  if (limit >= chunkStart + chunk) return limit - (limit % chunk);
  const blockEnd = limit - ((limit - chunkStart) % block);
  return blockEnd > at ? blockEnd : limit;
}

/** Refuses what was read of an array that was cut meanwhile. @throws IoError `BLOSC2_IO_CHANGED` */
export function requireBand(bytes: Uint8Array, { byteLength }: RowBand): Uint8Array {
  if (bytes.byteLength === byteLength) return bytes;
  throw new IoError(
    "BLOSC2_IO_CHANGED",
    `toReadable: ${bytes.byteLength} of the ${byteLength} bytes that come next are left: the array was cut since the stream began`,
    { operation: "toReadable", expected: byteLength, found: bytes.byteLength },
  );
}

/** What `ArrayReader.toReadable` gives. */
export function* piecesOfRows(array: ArrayReader, bands: Iterable<RowBand>): Generator<Uint8Array> {
  for (const band of bands) yield requireBand(array.get(band.index).bytes, band);
}
