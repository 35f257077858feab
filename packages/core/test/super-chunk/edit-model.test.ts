/** Random edits against an array of chunks, reopened in between. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memory } from "../../src/io/memory-backend.js";
import { SChunk } from "../../src/super-chunk/super-chunk.js";
import { directoryBackend } from "../frame/directory-backend.js";

const PATH = "m.b2frame";
const CHUNK = 64;
const TYPESIZE = 4;

interface Model {
  chunks: Uint8Array[];
  vlmeta: Map<string, Uint8Array>;
}

interface Real {
  s: SChunk;
  reopen(): void;
}

type Command = fc.Command<Model, Real>;

function whole(chunks: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(chunks.flatMap((chunk) => [...chunk]));
}

function expectSame({ chunks, vlmeta }: Model, { s }: Real): void {
  expect([...s.iterChunks()]).toEqual(chunks);
  expect(s.nbytes).toBe(chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0));
  expect(new Map(s.vlmeta)).toEqual(vlmeta);
  const all = whole(chunks);
  const from = Math.floor(all.byteLength / 3 / TYPESIZE);
  expect(s.getSlice(from)).toEqual(all.subarray(from * TYPESIZE, s.itemCount * TYPESIZE));
  if (s.itemCount > 0) {
    const indices = [s.itemCount - 1, 0, from];
    const items = indices.map((i) => all.subarray(i * TYPESIZE, (i + 1) * TYPESIZE));
    expect(s.getSparse(indices)).toEqual(whole(items));
  }
}

function command(name: string, run: (model: Model, real: Real) => void, check?: (model: Model) => boolean): Command {
  return {
    check: (model) => check?.(model) ?? true,
    run(model, real) {
      run(model, real);
      expectSame(model, real);
    },
    toString: () => name,
  };
}

const kinds = fc.constantFrom("zeros", "random", "ramp");
const data = (byteLength: fc.Arbitrary<number>) =>
  fc.tuple(byteLength, kinds, fc.nat(255)).map(([length, kind, seed]) =>
    Uint8Array.from({ length }, (_, i) => {
      if (kind === "zeros") return 0;
      return kind === "ramp" ? i >> 2 : Math.imul(i + seed, 2654435761) >>> 24;
    }),
  );

const hasChunks = (model: Model) => model.chunks.length > 0;

function commands(sizes: fc.Arbitrary<number>): fc.Arbitrary<Command>[] {
  const chunk = data(sizes);
  return [
    chunk.map((bytes) =>
      command(`append ${bytes.byteLength}`, (model, { s }) => {
        model.chunks.push(bytes);
        expect(s.appendData(bytes)).toBe(model.chunks.length);
      }),
    ),
    fc.tuple(fc.nat(99), chunk).map(([at, bytes]) =>
      command(`insert ${bytes.byteLength}`, (model, { s }) => {
        const i = at % (model.chunks.length + 1);
        model.chunks.splice(i, 0, bytes);
        s.insertData(i, bytes);
      }),
    ),
    fc.tuple(fc.nat(99), chunk).map(([at, bytes]) =>
      command(
        `update ${bytes.byteLength}`,
        (model, { s }) => {
          model.chunks[at % model.chunks.length] = bytes;
          s.updateData(at % model.chunks.length, bytes);
        },
        hasChunks,
      ),
    ),
    fc.nat(99).map((at) =>
      command(
        "delete",
        (model, { s }) => {
          const i = at % model.chunks.length;
          model.chunks.splice(i, 1);
          expect(s.deleteChunk(i)).toBe(model.chunks.length);
        },
        hasChunks,
      ),
    ),
    fc.infiniteStream(fc.nat(1000)).map((keys) =>
      command("reorder", (model, { s }) => {
        const order = model.chunks.map((_, i) => [i, keys.next().value as number] as const);
        order.sort((a, b) => a[1] - b[1]);
        s.reorderOffsets(order.map(([i]) => i));
        model.chunks = order.map(([i]) => model.chunks[i] as Uint8Array);
      }),
    ),
    fc.tuple(fc.nat(999), data(fc.integer({ min: 1, max: 40 }).map((n) => n * TYPESIZE))).map(([at, bytes]) =>
      command(
        "set slice",
        (model, { s }) => {
          const room = s.itemCount - bytes.byteLength / TYPESIZE;
          if (room < 0 || s.nbytes % TYPESIZE !== 0) return;
          const start = at % (room + 1);
          s.setSlice(start, bytes);
          const all = whole(model.chunks);
          all.set(bytes, start * TYPESIZE);
          let done = 0;
          model.chunks = model.chunks.map((old) => {
            done += old.byteLength;
            return all.slice(done - old.byteLength, done);
          });
        },
        hasChunks,
      ),
    ),
    fc.tuple(fc.constantFrom("a", "b", "c"), data(fc.nat(200))).map(([name, bytes]) =>
      command("set vlmeta", (model, { s }) => {
        model.vlmeta.set(name, bytes);
        s.vlmeta.set(name, bytes);
      }),
    ),
    fc.constantFrom("a", "b", "c").map((name) =>
      command("delete vlmeta", (model, { s }) => {
        expect(s.vlmeta.delete(name)).toBe(model.vlmeta.delete(name));
      }),
    ),
    fc.constant(command("flush", (_, { s }) => s.flush())),
    fc.constant(command("compact", (_, { s }) => s.compact())),
    fc.constant(command("reopen", (_, real) => real.reopen())),
  ];
}

const oneSize = fc.constant(CHUNK);
const anySize = fc.oneof(
  oneSize,
  fc.integer({ min: 1, max: 40 }).map((n) => n * TYPESIZE),
  fc.integer({ min: 1, max: 130 }),
);

describe.each([
  ["contiguous", false],
  ["sparse", true],
] as const)("edits of a %s super-chunk", (_, isSparse) => {
  it.each([
    ["one size", oneSize],
    ["any size", anySize],
  ] as const)("keep chunks of %s as an array does", (__, sizes) => {
    fc.assert(
      fc.property(fc.commands(commands(sizes), { maxCommands: 40, size: "max" }), (program) => {
        const backend = isSparse ? directoryBackend() : memory();
        const options = {
          urlpath: PATH,
          io: backend,
          contiguous: !isSparse,
          typesize: TYPESIZE,
          cparams: { codec: "lz4" },
        };
        const real: Real = {
          s: SChunk.create(options),
          reopen() {
            this.s.close();
            this.s = SChunk.open(PATH, backend, { mode: "r+" });
          },
        };
        fc.modelRun(() => ({ model: { chunks: [], vlmeta: new Map() }, real }), program);
        const { s } = real;
        using copy = SChunk.fromCframe(s.toCframe());
        expect([...copy.iterChunks()]).toEqual([...s.iterChunks()]);
        expect(copy.deadBytes).toBe(0);
        s.close();
      }),
      { numRuns: 60 },
    );
  });
});
