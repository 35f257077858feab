import { readFileSync } from "node:fs";
import { join } from "node:path";
import { asarray, type IoBackend, memory, openArray, SChunk } from "@b2frame/core";
import { mappingDrivers, mmap } from "@b2frame/io-mmap";
import { stdio } from "@b2frame/io-stdio";
import { temporaryFolder } from "@b2frame/test-kit";
import fc from "fast-check";
import { expect, it } from "vitest";

/** Every way to keep a file: the mapping drivers that are installed, both ways to write, buffers from none to large. */
const FILES: [string, IoBackend][] = [
  ...[0, 1000, 4096, 32768, 131072].map((size): [string, IoBackend] => [
    `stdio, buffers of ${size} bytes`,
    stdio({ readBufferSize: size, writeBufferSize: size }),
  ]),
  ...mappingDrivers()
    .filter((driver) => driver.available)
    .map(({ name }): [string, IoBackend] => [`mmap by ${name}`, mmap({ driver: name, initialMappingSize: 1 << 20 })]),
  // Only koffi can set disk space aside, which storing through the map needs.
  ...mappingDrivers()
    .filter((driver) => driver.available && driver.name === "koffi")
    .map((): [string, IoBackend] => [
      "mmap, storing through the map",
      mmap({ initialMappingSize: 65536, writes: "map" }),
    ]),
];

const step = fc.oneof(
  fc.record({ kind: fc.constant("append" as const), seed: fc.nat(1000), itemCount: fc.integer({ min: 1, max: 3000 }) }),
  fc.record({
    kind: fc.constantFrom("insert" as const, "update" as const, "delete" as const),
    seed: fc.nat(1000),
    at: fc.nat(100),
  }),
  fc.record({ kind: fc.constantFrom("reverse" as const, "flush" as const, "reopen" as const) }),
  fc.record({ kind: fc.constant("vlmeta" as const), seed: fc.nat(5), byteLength: fc.nat(2000) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const ITEMS = 3000;

function items(seed: number, count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => Math.imul(i, seed) + ((i * i) % 17));
}

function run(backend: IoBackend, path: string, steps: readonly Step[]): void {
  let frame = SChunk.create({
    urlpath: path,
    io: backend,
    typesize: 4,
    chunksize: ITEMS * 4,
    cparams: { codec: "lz4", clevel: 5 },
  });
  try {
    for (const s of steps) {
      const count = frame.nchunks;
      if (s.kind === "append") frame.appendData(items(s.seed, count === 0 ? ITEMS : s.itemCount));
      else if (s.kind === "flush") frame.flush();
      else if (s.kind === "vlmeta") frame.vlmeta.set(`v${s.seed}`, new Uint8Array(s.byteLength).fill(s.seed));
      else if (s.kind === "reopen") {
        frame.close();
        frame = SChunk.open(path, backend, { mode: "r+" });
      } else if (count > 0) {
        if (s.kind === "reverse") frame.reorderOffsets(Array.from({ length: count }, (_, i) => count - 1 - i));
        else if (s.kind === "insert") frame.insertData(s.at % count, items(s.seed, ITEMS));
        else if (s.kind === "update") frame.updateData(s.at % count, items(s.seed, ITEMS));
        else frame.deleteChunk(s.at % count);
      }
    }
  } finally {
    frame.close();
  }
}

const folder = temporaryFolder();

function contentOf(backend: IoBackend, path: string): Uint8Array {
  const handle = backend.open(path, "r");
  try {
    return handle.read(0, handle.size()).slice();
  } finally {
    handle.close();
  }
}

it.each(FILES)("the same operations give the same file in memory and through %s", (_, backend) => {
  let runs = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const reference = memory();
      run(reference, "frame", steps);
      const path = join(folder, `frame-${runs++}.b2frame`);
      run(backend, path, steps);
      expect(Buffer.compare(readFileSync(path), contentOf(reference, "frame"))).toBe(0);
    }),
    { numRuns: 25 },
  );
});

it.each(FILES)("the same array gives the same file in memory and through %s", (name, backend) => {
  const path = join(folder, `${name.replaceAll(/\W/g, "-")}.b2nd`);
  const reference = memory();
  for (const [place, where] of [
    ["array", reference],
    [path, backend],
  ] as const) {
    asarray(items(7, 6000), {
      shape: [60, 100],
      chunks: [16, 30],
      blocks: [4, 10],
      urlpath: place,
      io: where,
    }).close();
    const array = openArray(place, { io: where, mode: "r+" });
    array.append(items(9, 700));
    array.setSlice([3, 5], [50, 61], 42);
    array.close();
  }
  expect(Buffer.compare(readFileSync(path), contentOf(reference, "array"))).toBe(0);
});
