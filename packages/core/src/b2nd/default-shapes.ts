/**
 * Chunk and block shapes for callers who give none, chosen the way python-blosc2 does: blocks that fit a core's L2 cache share, chunks
 * of a fixed multiple, filled from the last dimension forward.
 *
 * python-blosc2 asks the machine for its cache sizes; here the sizes are constants, so that the same call writes the same file
 * everywhere. They are what python-blosc2 arrives at on a machine with 512 KiB of L2 and 16 MiB of L3 cache.
 *
 * @module
 */
import { ArgumentError } from "../errors.js";
import { product } from "../values/shape.js";

const DEFAULT_BLOCK_BYTES = 128 * 1024;
const DEFAULT_CHUNK_BYTES = 4 * 1024 * 1024;

/** The divisor of `value` that lies nearest to `wanted`; with `atMost`, none above it. */
function nearestDivisor(value: number, wanted: number, atMost: boolean): number {
  if (value > 10_000_000) {
    // Trying every divisor of a long dimension would take longer than writing it; only those near the wanted size count.
    for (let i = Math.min(wanted, value); i > wanted / 2 && i >= 1; i--) if (value % i === 0) return i;
    return wanted;
  }
  let best = 1;
  for (let i = 1; i * i <= value; i++) {
    if (value % i !== 0) continue;
    for (const divisor of [i, value / i]) {
      if (atMost && divisor > wanted) continue;
      const closer = Math.abs(divisor - wanted) - Math.abs(best - wanted);
      if (closer < 0 || (closer === 0 && divisor < best)) best = divisor;
    }
  }
  return best;
}

/** A part of `shape` of at most about `itemCount` items, whole in the last dimensions, at least `minimum` in each. */
function partition(itemCount: number, shape: readonly number[], minimum: readonly number[]): number[] {
  const part = shape.map(() => 1);
  let left = itemCount;
  for (let i = shape.length - 1; i >= 0 && left > 1; i--) {
    const size = shape[i] as number;
    const least = minimum[i] as number;
    let length = Math.max(size, least);
    if (length <= left) {
      if (size % length !== 0) length = nearestDivisor(size, length, false);
    } else {
      length = Math.max(left, least);
      const divisor = size % length === 0 ? length : nearestDivisor(size, length, true);
      // A divisor avoids padding at the edge, unless it is far from what was wanted.
      if (Math.floor(length / 2) < divisor && divisor < length * 2) length = divisor;
    }
    part[i] = length;
    left = Math.floor(left / length);
  }
  return part;
}

/** Shapes to use for an array; what is given stays as it is. */
export interface ShapeChoice {
  readonly chunks: readonly number[];
  readonly blocks: readonly number[];
}

function checkGiven(name: string, given: readonly number[], shape: readonly number[]): void {
  if (given.length !== shape.length) {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `${name} has ${given.length} dimensions; the shape has ${shape.length}`,
      { parameter: name },
    );
  }
  for (let i = 0; i < given.length; i++) {
    const n = given[i] as number;
    if (!Number.isInteger(n) || n < 0 || n > 0x7fffffff || (n === 0 && shape[i] !== 0)) {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_OUT_OF_RANGE",
        `${name}[${i}] is ${n}; expected an integer from ${shape[i] === 0 ? 0 : 1} to 2^31 - 1`,
        { parameter: name, value: n },
      );
    }
  }
}

/**
 * The shape to be parted. An empty dimension can grow: where its chunks are free as well, it is taken to be long enough for the others to
 * fill a chunk, so that rows that are appended come to chunks of the usual size.
 */
function extentToChoose(
  shape: readonly number[],
  itemsize: number,
  blockShape: readonly number[] | undefined,
  isFree: boolean,
): number[] {
  const others = product(shape.filter((n) => n > 0)) * itemsize;
  const first = shape.indexOf(0);
  return shape.map((n, i) => {
    if (n > 0) return n;
    const least = Math.max(1, blockShape?.[i] ?? 1);
    return isFree && i === first ? Math.max(least, 2 ** Math.floor(Math.log2(DEFAULT_CHUNK_BYTES / others))) : least;
  });
}

/**
 * Completes the caller's choice.
 *
 * @throws ArgumentError for shapes of the wrong rank, zero parts of a dimension that is not empty, or a block larger than its chunk.
 */
export function chooseShapes(
  shape: readonly number[],
  itemsize: number,
  chunkShape?: readonly number[],
  blockShape?: readonly number[],
): ShapeChoice {
  if (chunkShape !== undefined) checkGiven("chunks", chunkShape, shape);
  if (blockShape !== undefined) checkGiven("blocks", blockShape, shape);
  if (chunkShape !== undefined && blockShape !== undefined) {
    for (let i = 0; i < shape.length; i++) {
      if ((blockShape[i] as number) > (chunkShape[i] as number)) {
        throw new ArgumentError(
          "BLOSC2_ARGUMENT_INVALID",
          `blocks[${i}] is ${blockShape[i]}, larger than chunks[${i}], ${chunkShape[i]}`,
          {
            parameter: "blocks",
          },
        );
      }
    }
    return { chunks: chunkShape, blocks: blockShape };
  }
  const extent = extentToChoose(chunkShape ?? shape, itemsize, blockShape, chunkShape === undefined);
  const ones = extent.map(() => 1);
  const blockBytes =
    blockShape === undefined ? Math.max(DEFAULT_BLOCK_BYTES, itemsize) : product(blockShape) * itemsize;
  const block = blockShape ?? partition(Math.floor(blockBytes / itemsize), extent, ones);
  if (chunkShape !== undefined) return { chunks: chunkShape, blocks: block };
  const actualBlockBytes = product(block) * itemsize;
  const chunkBytes = Math.max(actualBlockBytes, Math.floor(DEFAULT_CHUNK_BYTES / actualBlockBytes) * actualBlockBytes);
  const chunk = partition(Math.floor(chunkBytes / itemsize), extent, block).map((c, i) => {
    const b = block[i] as number;
    return Math.max(b, Math.min(extent[i] as number, Math.ceil(c / b) * b));
  });
  return { chunks: chunk, blocks: block };
}
