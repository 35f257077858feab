/** The content of a super-chunk as pieces for a stream, one for each chunk. @module */
import { checkOptionNames, type OptionNames } from "../checks/option-names.js";
import { ArgumentError, IoError } from "../errors.js";
import type { StreamOptions } from "../streams/web-streams.js";
import type { SuperChunkReader } from "./super-chunk-reader.js";

/** Which items a stream gives. */
export interface ItemStreamOptions extends StreamOptions {
  /** The first item. Default 0. */
  readonly start?: number | undefined;
  /** The item to end before. Default: to the end, with the bytes of an item that is there in part only. */
  readonly stop?: number | undefined;
}

const ITEM_STREAM_NAMES: OptionNames<ItemStreamOptions> = { signal: true, start: true, stop: true };

/** Bytes of one chunk: all of them, or those of a range. */
export interface ChunkPiece {
  readonly chunkIndex: number;
  readonly from: number;
  readonly to: number;
  /** Bytes of the chunk. */
  readonly nbytes: number;
}

/** What is asked of a super-chunk, whether it is at hand or far away. */
interface Sizes {
  readonly nchunks: number;
  readonly nbytes: number;
  readonly typesize: number;
  readonly chunksize: number;
}

/** @throws ArgumentError unless it is an integer in the range */
function requireWithin(parameter: string, value: number, low: number, high: number): void {
  if (Number.isSafeInteger(value) && value >= low && value <= high) return;
  throw new ArgumentError(
    "BLOSC2_ARGUMENT_OUT_OF_RANGE",
    `${parameter}: expected an integer in ${low}..${high}, found ${value}`,
    { parameter, expected: `${low}..${high}`, found: value },
  );
}

/**
 * The parts of chunks that a range of items lies in.
 *
 * @param nbytesOf bytes of a chunk; asked for where chunks differ in size.
 * @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE`
 */
export function chunkPieces(
  sizes: Sizes,
  options: ItemStreamOptions,
  nbytesOf: (chunkIndex: number) => number | Promise<number>,
): AsyncGenerator<ChunkPiece> {
  checkOptionNames(ITEM_STREAM_NAMES, options);
  const { start = 0, stop } = options;
  const { nbytes, typesize } = sizes;
  const count = Math.floor(nbytes / typesize);
  requireWithin("start", start, 0, count);
  if (stop !== undefined) requireWithin("stop", stop, start, count);
  return partsBetween(sizes, start * typesize, stop === undefined ? nbytes : stop * typesize, nbytesOf);
}

async function* partsBetween(
  { nchunks, nbytes, chunksize }: Sizes,
  first: number,
  end: number,
  nbytesOf: (chunkIndex: number) => number | Promise<number>,
): AsyncGenerator<ChunkPiece> {
  let at = 0;
  for (let chunkIndex = 0; chunkIndex < nchunks && at < end; chunkIndex++) {
    const size = chunksize > 0 ? Math.min(chunksize, nbytes - at) : await nbytesOf(chunkIndex);
    const from = Math.max(0, first - at);
    const to = Math.min(size, end - at);
    if (from < to) yield { chunkIndex, from, to, nbytes: size };
    at += size;
  }
}

function requireSize(found: number, { chunkIndex, nbytes }: ChunkPiece): void {
  if (found === nbytes) return;
  throw new IoError(
    "BLOSC2_IO_CHANGED",
    `toReadable: chunk ${chunkIndex} had ${nbytes} bytes when the stream began, and has ${found} now`,
    { operation: "toReadable", chunk: chunkIndex, expected: nbytes, found },
  );
}

/** The content of a piece's chunk. @throws IoError `BLOSC2_IO_CHANGED` if it has another size by now */
export function requirePiece(content: Uint8Array, piece: ChunkPiece): Uint8Array {
  requireSize(content.byteLength, piece);
  return content;
}

/** The bytes of a piece, of a chunk that can be read. @throws IoError `BLOSC2_IO_CHANGED` if the chunk has another size by now */
export function readPiece(schunk: SuperChunkReader, piece: ChunkPiece): Uint8Array {
  const { chunkIndex, from, to, nbytes } = piece;
  const chunk = schunk.openChunk(chunkIndex);
  requireSize(chunk.nbytes, piece);
  if (from === 0 && to === nbytes) return schunk.decompressChunk(chunkIndex);
  const bytes = new Uint8Array(to - from);
  chunk.readBytes(from, to, bytes);
  return bytes;
}

/** What `SuperChunkReader.toReadable` gives. */
export async function* piecesOfItems(
  schunk: SuperChunkReader,
  pieces: AsyncGenerator<ChunkPiece>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield readPiece(schunk, piece);
}
