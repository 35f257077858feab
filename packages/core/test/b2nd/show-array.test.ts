import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { type IoBackend, memory, NDArray, SChunk, zeros } from "../../src/index.js";
import { openArrayReader, openSChunkReader } from "../../src/read.js";

function grid(shape: readonly number[], backend?: IoBackend, clevel = 5): NDArray {
  const urlpath = backend === undefined ? {} : { urlpath: "a.b2nd", io: backend };
  const size = shape.map((length) => Math.ceil(length / 10));
  const array = zeros(shape, {
    dtype: "<i4",
    chunks: size,
    blocks: size,
    cparams: { codec: "lz4", clevel },
    ...urlpath,
  });
  array.set(
    [],
    Int32Array.from({ length: array.itemCount }, (_, i) => i % 100),
  );
  array.commit();
  return array;
}

/** A backend that notes which bytes are read. */
function counting(inner: IoBackend): { backend: IoBackend; reads: () => number } {
  let reads = 0;
  const backend: IoBackend = {
    name: inner.name,
    capabilities: inner.capabilities,
    exists: (path) => inner.exists(path),
    remove: (path) => inner.remove(path),
    rename: (from, to) => inner.rename(from, to),
    open: (path, mode) => {
      const handle = inner.open(path, mode);
      const read = handle.read.bind(handle);
      const readInto = handle.readInto.bind(handle);
      handle.read = (position, length) => {
        reads += length;
        return read(position, length);
      };
      handle.readInto = (position, target) => {
        reads += target.byteLength;
        readInto(position, target);
      };
      return handle;
    },
  };
  return { backend, reads: () => reads };
}

describe("an array", () => {
  it("shows itself in console.log and in strings: what it is, then its values", () => {
    using array = grid([2, 3]);
    const text = [
      `NDArray (2, 3) <i4, chunks (1, 1), blocks (1, 1), shuffle + lz4 5, ratio ${array.schunk.cratio.toFixed(1)}`,
      "[[0 1 2]\n [3 4 5]]",
    ].join("\n");
    expect(inspect(array)).toBe(text);
    expect(`${array}`).toBe(text);
    expect(inspect({ array })).toContain("[[0 1 2]");
  });

  it("is read only at its edges, if it is large", () => {
    const files = memory();
    grid([1000, 1000], files, 0).close();
    const { backend, reads } = counting(files);
    using array = NDArray.fromSChunk(SChunk.open("a.b2nd", backend));
    const before = reads();
    // NumPy: np.arange(10**6).reshape(1000, 1000) % 100
    expect(String(array).split("\n").slice(1)).toEqual([
      "[[ 0  1  2 ... 97 98 99]",
      " [ 0  1  2 ... 97 98 99]",
      " [ 0  1  2 ... 97 98 99]",
      " ...",
      " [ 0  1  2 ... 97 98 99]",
      " [ 0  1  2 ... 97 98 99]",
      " [ 0  1  2 ... 97 98 99]]",
    ]);
    // Less than one of the hundred chunks, which have 40,000 bytes each.
    expect(reads() - before).toBeGreaterThan(0);
    expect(reads() - before).toBeLessThan(40_000);
  });

  it("of many dimensions or large items shows few of them, or none", () => {
    using deep = zeros(new Array<number>(12).fill(3), { dtype: "u1" });
    expect(String(deep).replace(/^.*\n/, "").match(/0/g)).toHaveLength(2 ** 12);
    using wide = zeros([4], { dtype: "|S2000000" });
    expect(String(wide)).toMatch(/^NDArray \(4,\) \|S2000000, [^\n]+$/);
  });

  it("that is closed, or can't be read, says so and never throws", () => {
    using closed = grid([20, 20]);
    closed.close();
    expect(inspect(closed)).toBe("NDArray (20, 20) <i4, chunks (2, 2), blocks (2, 2), closed");
    expect(inspect(closed.schunk)).toBe("SChunk (closed)");
    using whole = grid([20, 20]);
    const bytes = whole.schunk.toCframe();
    const { placement } = whole.schunk;
    bytes.fill(0xff, placement?.headerLength, (placement?.headerLength ?? 0) + 300);
    using damaged = NDArray.fromSChunk(SChunk.fromCframe(bytes));
    const [line, values] = String(damaged).split("\n");
    expect(line).toContain("NDArray (20, 20)");
    expect(values).toMatch(/chunk 0/);
  });

  it("sends no commands to a terminal, wherever they stand", () => {
    const backend = memory();
    const urlpath = "\u001b[31m\u202e.b2nd";
    using array = zeros([2], { dtype: "[('\u009b1m', '<U4')]", urlpath, io: backend });
    array.set([], ["\u001b[2J", "\u0007"].map((text) => ({ "\u009b1m": text })) as never);
    for (const shown of [array, array.schunk, array.getSlice()]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      expect(String(shown)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    }
  });
});

it("what only reads shows itself in one line, which reads nothing", () => {
  using array = grid([20, 30]);
  const frame = array.schunk.toCframe();
  using reader = openArrayReader(frame);
  expect(inspect(reader)).toMatch(
    /^ArrayReader \(20, 30\) <i4, chunks \(2, 3\), blocks \(2, 3\), shuffle \+ lz4 5, ratio/,
  );
  using schunk = openSChunkReader(frame);
  expect(inspect(schunk)).toBe(
    `SuperChunkReader (100 chunks, 2400 bytes, typesize 4, shuffle + lz4 5, ratio ${schunk.cratio.toFixed(1)})`,
  );
});
