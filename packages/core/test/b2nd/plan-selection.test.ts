import { noise } from "@b2frame/test-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asarray, type DimIndex } from "../../src/index.js";
import {
  openArrayReader,
  planHeader,
  planSelection,
  rangeCacheHandle,
  type SelectionPlanOptions,
} from "../../src/read.js";

const SHAPE = [300, 300, 60];
/** Chunks of more than 1 MiB, of which blocks are fetched singly, with special chunks among them. */
function makeFrame(chunks: number[], blocks: number[], filters: string[] = ["shuffle"]): Uint8Array {
  const values = noise(SHAPE.reduce((product, n) => product * n));
  values.fill(0, 0, 60 * 300 * 60);
  using array = asarray(values, { shape: SHAPE, chunks: chunks, blocks: blocks, cparams: { codec: "lz4", filters } });
  return array.toCframe();
}

/** Reads through ranges that were planned, and nothing else. */
function readPlanned(
  frame: Uint8Array,
  index: DimIndex[],
  options: SelectionPlanOptions = {},
): { data: Uint8Array; fetched: number; rounds: number } {
  const described = openArrayReader(frame);
  const { placement } = described.schunk;
  if (placement === undefined) throw new Error("no placement");
  const { handle, ranges } = rangeCacheHandle(frame.byteLength);
  let fetched = 0;
  const fetch = ({ position, byteLength }: { position: number; byteLength: number }): void => {
    fetched += byteLength;
    ranges.add({ position, bytes: frame.subarray(position, position + byteLength) });
  };
  const plan = planSelection(placement, described.select(index), options);
  for (const range of plan.ranges) fetch(range);
  const rest = plan.rest((position, byteLength) => handle.read(position, byteLength));
  for (const range of rest) fetch(range);
  const planned = fetched;
  // The description of the frame is what a remote reader has already.
  fetch(planHeader(0, frame.byteLength));
  const tail = placement.headerLength + placement.cbytes;
  fetch({ position: tail, byteLength: frame.byteLength - tail });
  using array = openArrayReader(handle);
  const data = array.get(index).bytes;
  described.close();
  return { data, fetched: planned, rounds: rest.length > 0 ? 2 : 1 };
}

const FRAMES = [
  makeFrame([150, 150, 60], [10, 30, 60]),
  makeFrame([40, 40, 40], [8, 8, 40]),
  makeFrame([150, 150, 60], [10, 30, 60], ["delta", "shuffle"]),
] as const;
const bounds = (size: number) =>
  fc.tuple(fc.nat(size), fc.nat(size), fc.integer({ min: 1, max: 9 })).map(([a, b, step]) => ({
    start: Math.min(a, b),
    stop: Math.max(a, b),
    step,
  }));

describe("the ranges that are planned for a selection", () => {
  it("are all that reading it takes, whatever is selected", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FRAMES),
        fc.tuple(...SHAPE.map(bounds)),
        fc.boolean(),
        (frame, index, blocksOnly) => {
          const expected = openArrayReader(frame).get(index).bytes;
          const options = blocksOnly ? { maxWholeChunk: 0 } : {};
          expect(Buffer.from(readPlanned(frame, index, options).data).equals(Buffer.from(expected))).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("of one item in a large chunk are its header, its block starts and one block", () => {
    const [frame] = FRAMES;
    const { fetched, rounds } = readPlanned(frame, [200, 200, 10]);
    // 15 * 5 blocks of 18,000 incompressible bytes, their starts, and the length of the streams.
    expect(fetched).toBeLessThan(18_000 * 1.1 + 32 + 4 * 75 + 512);
    expect(rounds).toBe(2);
  });

  it("of a cube are hardly more than the blocks that it touches, in two steps at most", () => {
    const [frame] = FRAMES;
    const [depth, height, width] = [10, 30, 60];
    const parts = (start: number, stop: number, size: number): number =>
      Math.ceil(stop / size) - Math.floor(start / size);
    const start = fc.tuple(fc.integer({ min: 60, max: 300 - 64 }), fc.nat(300 - 64));
    fc.assert(
      fc.property(start, ([z, y]) => {
        const index = [
          { start: z, stop: z + 64 },
          { start: y, stop: y + 64 },
        ];
        const { fetched, rounds } = readPlanned(frame, index, { maxWholeChunk: 0 });
        // Chunks of 150 are whole blocks of 10 and 30: blocks are those of the array. Each holds some header bytes, each chunk its starts.
        const touched = parts(z, z + 64, depth) * parts(y, y + 64, height) * depth * height * width;
        const heads = parts(z, z + 64, 150) * parts(y, y + 64, 150) * (32 + 4 * 75 + 512);
        expect(fetched).toBeLessThan(1.3 * touched + heads);
        expect(rounds).toBeLessThanOrEqual(2);
      }),
      { numRuns: 60 },
    );
  });

  it("of most of a chunk are the chunk, in one step", () => {
    expect(
      readPlanned(FRAMES[0], [
        { start: 150, stop: 290 },
        { start: 150, stop: 300 },
      ]).rounds,
    ).toBe(1);
  });

  it("of special chunks are none", () => {
    expect(readPlanned(FRAMES[1], [{ start: 0, stop: 40 }]).fetched).toBe(0);
  });
});
