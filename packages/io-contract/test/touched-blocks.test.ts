import { asarray, memory, openArray } from "@b2frame/core";
import { defaultEngine, type Engine } from "@b2frame/core/codec";
import { describe, expect, it } from "vitest";
import { counting } from "../src/index.js";

const SHAPE = [96, 80, 64];
const CHUNK = [48, 40, 32];
const BLOCK = [16, 20, 16];
const ITEMSIZE = 4;

/** Compressible, but not so much that a block could be a run. */
function values(): Int32Array {
  const data = new Int32Array(SHAPE.reduce((a, b) => a * b, 1));
  let state = 1;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    data[i] = i + (state & 0xff);
  }
  return data;
}

/** How many parts of `size` the range `from..to` touches, counted anew in each chunk of `whole`. */
function partsTouched(from: number, to: number, size: number, whole: number): number {
  const parts = new Set<string>();
  for (let i = from; i < to; i++) parts.add(`${Math.floor(i / whole)}:${Math.floor((i % whole) / size)}`);
  return parts.size;
}

function touched(start: readonly number[], stop: readonly number[], shape: readonly number[]): number {
  return shape.reduce(
    (n, size, i) => n * partsTouched(start[i] as number, stop[i] as number, size, CHUNK[i] as number),
    1,
  );
}

const SLICES: [string, number[], number[]][] = [
  ["one item", [5, 5, 5], [6, 6, 6]],
  ["one block", [16, 20, 16], [32, 40, 32]],
  ["a block and one item more", [16, 20, 16], [33, 40, 32]],
  ["across a chunk border", [40, 30, 20], [56, 50, 44]],
  ["a row", [50, 41, 0], [51, 42, 64]],
  ["a plane", [0, 0, 33], [96, 80, 34]],
  ["one chunk", [48, 40, 32], [96, 80, 64]],
  ["everything", [0, 0, 0], SHAPE],
  ["nothing", [3, 3, 3], [3, 9, 9]],
];

describe.each(["portable", "kernels"] as const)("slices of an array, %s engine", (name) => {
  const inner = memory();
  asarray(values(), {
    shape: SHAPE,
    chunks: CHUNK,
    blocks: BLOCK,
    urlpath: "a.b2nd",
    io: inner,
    cparams: { codec: "lz4" },
  }).close();

  it.each(SLICES)("read and decode only the blocks they touch: %s", (_, start, stop) => {
    const backend = counting(inner);
    let blocks = 0;
    const real: Engine = defaultEngine({ engine: name });
    const engine: Engine = {
      name: real.name,
      lease: real.lease,
      stage: (...given) => real.stage(...given),
      chunkBuffer: (...given) => real.chunkBuffer(...given),
      encodeBlock: (...given) => real.encodeBlock(...given),
      filterBlock: (...given) => real.filterBlock(...given),
      decodeBlock: (...given) => {
        blocks++;
        real.decodeBlock(...given);
      },
    };
    using array = openArray("a.b2nd", { io: backend, engine });
    const all = values();
    // What each touched block takes in the file: from its start to the next one in its chunk.
    let expectedBytes = 0;
    const grid = array.grid;
    for (let chunkIndex = 0; chunkIndex < grid.nchunks; chunkIndex++) {
      const chunk = array.schunk.getChunk(chunkIndex);
      const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const nblocks = (CHUNK as number[]).reduce((n, c, i) => n * (c / (BLOCK[i] as number)), 1);
      const starts = Array.from({ length: nblocks }, (_, i) => view.getInt32(32 + 4 * i, true));
      const origin = grid.chunkStrides.map(
        (s, i) => (Math.floor(chunkIndex / s) % (grid.chunksPerDim[i] as number)) * (CHUNK[i] as number),
      );
      let any = false;
      for (let b = 0; b < nblocks; b++) {
        const inside = grid.blockStrides.map(
          (s, i) => (Math.floor(b / s) % (grid.blocksPerDim[i] as number)) * (BLOCK[i] as number),
        );
        const hit = origin.every((o, i) => {
          const first = o + (inside[i] as number);
          return (
            first < (stop[i] as number) &&
            first + (BLOCK[i] as number) > (start[i] as number) &&
            (stop[i] as number) > (start[i] as number)
          );
        });
        const empty = start.some((s, i) => s >= (stop[i] as number));
        if (!hit || empty) continue;
        any = true;
        expectedBytes += (b + 1 < nblocks ? (starts[b + 1] as number) : chunk.byteLength) - (starts[b] as number);
      }
      if (any) expectedBytes += 512; // the first read of a chunk: its header and block starts
    }
    backend.reset();
    blocks = 0; // opening decoded the index
    const slice = array.getSlice(start, stop);
    expect(blocks).toBe(touched(start, stop, BLOCK));
    expect(backend.counts.bytesRead).toBe(expectedBytes);
    let at = 0;
    for (let i = start[0] as number; i < (stop[0] as number); i++) {
      for (let j = start[1] as number; j < (stop[1] as number); j++) {
        for (let k = start[2] as number; k < (stop[2] as number); k++) {
          if (slice.data[at++] !== all[(i * 80 + j) * 64 + k]) throw new Error(`wrong item at ${i}, ${j}, ${k}`);
        }
      }
    }
    expect(slice.bytes.byteLength).toBe(at * ITEMSIZE);
  });
});
