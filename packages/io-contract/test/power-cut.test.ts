import { type IoBackend, memory } from "@b2frame/core";
import { openChecked } from "@b2frame/core/backend";
import { seededRandom } from "@b2frame/test-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  faultInjecting,
  type LoggedOperation,
  materialise,
  randomPowerCut,
  restoreImage,
  unsafeChanges,
} from "../src/index.js";

/** Log indexes:  0 create  1 write "aa"  2 flush  3 write "b"  4 write "c"  5 truncate 3  6 flush  7 write "d" */
function recordOneFile(): ReturnType<typeof faultInjecting> {
  const backend = faultInjecting(memory(), { record: true });
  const handle = openChecked(backend, "f", "w+");
  handle.write(0, Uint8Array.of(0xa, 0xa));
  handle.flush();
  handle.write(1, Uint8Array.of(0xb));
  handle.write(2, Uint8Array.of(0xc, 0xc));
  handle.truncate(3);
  handle.flush();
  handle.write(3, Uint8Array.of(0xd));
  handle.close();
  return backend;
}

describe("the log", () => {
  it("holds every change in order", () => {
    expect(recordOneFile().log.map((operation) => operation.kind)).toEqual([
      "create",
      "write",
      "flush",
      "write",
      "write",
      "truncate",
      "flush",
      "write",
    ]);
  });

  it("begins with the bytes of a file that was there", () => {
    const files = memory();
    files.open("f", "w+").write(0, Uint8Array.of(1, 2));
    const backend = faultInjecting(files, { record: true });
    openChecked(backend, "f", "r").close();
    expect(backend.log).toEqual([]);
    openChecked(backend, "f", "r+").write(1, Uint8Array.of(3));
    expect(materialise(backend.log, { after: 1 }).files.get("f")).toEqual(Uint8Array.of(1, 2));
    expect(materialise(backend.log, { after: 2 }).files.get("f")).toEqual(Uint8Array.of(1, 3));
    openChecked(backend, "f", "w+").close();
    expect(materialise(backend.log, { after: 3 }).files.get("f")).toEqual(new Uint8Array(0));
    expect(materialise(backend.log, { after: 3, survivors: [] }).files.get("f")).toEqual(Uint8Array.of(1, 2));
  });
});

describe("unsafeChanges", () => {
  it("are those after the last barrier, and the one under way", () => {
    const { log } = recordOneFile();
    expect(unsafeChanges(log, 0)).toEqual([0]);
    expect(unsafeChanges(log, 2)).toEqual([0, 1]);
    expect(unsafeChanges(log, 3)).toEqual([3]);
    expect(unsafeChanges(log, 5)).toEqual([3, 4, 5]);
    expect(unsafeChanges(log, 6)).toEqual([3, 4, 5]);
    expect(unsafeChanges(log, 7)).toEqual([7]);
    expect(unsafeChanges(log, 8)).toEqual([7]);
  });
});

describe("materialise", () => {
  it("gives what a killed process leaves", () => {
    const { log } = recordOneFile();
    const images = [
      undefined,
      [],
      [0xa, 0xa],
      [0xa, 0xa],
      [0xa, 0xb],
      [0xa, 0xb, 0xc, 0xc],
      [0xa, 0xb, 0xc],
      [0xa, 0xb, 0xc],
      [0xa, 0xb, 0xc, 0xd],
    ];
    images.forEach((bytes, after) => {
      const expected = bytes === undefined ? undefined : Uint8Array.from(bytes);
      expect(materialise(log, { after }).files.get("f")).toEqual(expected);
    });
  });

  it("drops and reorders what was not safe", () => {
    const { log } = recordOneFile();
    const file = (survivors: { operation: number; start?: number; stop?: number }[]): Uint8Array | undefined =>
      materialise(log, { after: 6, survivors }).files.get("f");
    expect(file([])).toEqual(Uint8Array.of(0xa, 0xa));
    expect(file([{ operation: 4 }])).toEqual(Uint8Array.of(0xa, 0xa, 0xc, 0xc));
    expect(file([{ operation: 5 }, { operation: 4 }])).toEqual(Uint8Array.of(0xa, 0xa, 0xc, 0xc));
    expect(file([{ operation: 4, start: 1 }])).toEqual(Uint8Array.of(0xa, 0xa, 0, 0xc));
    expect(() => file([{ operation: 1 }])).toThrow(RangeError);
  });

  it("knows when names are safe", () => {
    const backend = faultInjecting(memory(), { record: true });
    const write = (path: string, byte: number, flush: boolean): void => {
      const handle = openChecked(backend, path, "w+");
      handle.write(0, Uint8Array.of(byte));
      if (flush) handle.flush();
      handle.close();
    };
    const onDisk = (after: number): [string, number[]][] =>
      [...materialise(backend.log, { after, survivors: [] }).files].map(([path, bytes]) => [path, [...bytes]]);
    write("d/new", 1, false); // create, write
    expect(onDisk(2)).toEqual([]);
    write("d/index", 2, true); // create, write, flush
    expect(onDisk(5)).toEqual([["d/index", [2]]]);
    write("d/next", 3, true);
    backend.rename("d/next", "d/index");
    expect(onDisk(8).toSorted()).toEqual([
      ["d/index", [2]],
      ["d/next", [3]],
    ]);
    // The rename made the directory durable, and with it the name of the file that was never flushed, not its bytes.
    expect(onDisk(9).toSorted()).toEqual([
      ["d/index", [3]],
      ["d/new", []],
    ]);
    backend.remove("d/index");
    expect(onDisk(10).map(([path]) => path)).toContain("d/index");
    expect([...materialise(backend.log, { after: 10 }).files.keys()]).toEqual(["d/new"]);
  });

  it("keeps the name of a flushed file only with its directory, where there are directories", () => {
    const log: LoggedOperation[] = [
      { kind: "make-directory", path: "d" },
      { kind: "create", file: 1, path: "d/f" },
      { kind: "write", file: 1, path: "d/f", position: 0, bytes: Uint8Array.of(1) },
      { kind: "flush", file: 1, path: "d/f" },
      { kind: "flush-directory", path: "d" },
    ];
    const onDisk = (after: number): string[] => [...materialise(log, { after, survivors: [] }).files.keys()];
    expect(onDisk(4)).toEqual([]);
    expect(onDisk(5)).toEqual(["d/f"]);
  });

  it("property: a safe change is in every image, a random cut is within what is possible", () => {
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant("write" as const),
          position: fc.nat(40),
          byte: fc.integer({ min: 1, max: 255 }),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("flush" as const) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.integer(), (steps, seed) => {
        const backend = faultInjecting(memory(), { record: true });
        const handle = openChecked(backend, "f", "w+");
        handle.flush();
        for (const next of steps) {
          if (next.kind === "flush") handle.flush();
          else handle.write(next.position, Uint8Array.of(next.byte, next.byte));
        }
        const cut = randomPowerCut(backend.log, { random: seededRandom(seed), sectorBytes: 1 });
        if (cut.after < 2) return;
        const image = materialise(backend.log, cut).files.get("f") as Uint8Array;
        const safe = materialise(backend.log, { after: cut.after, survivors: [] }).files.get("f") as Uint8Array;
        const allowed = Array.from({ length: 42 }, (_, i) => new Set([safe[i] ?? 0]));
        for (const index of unsafeChanges(backend.log, cut.after)) {
          const change = backend.log[index];
          if (change?.kind !== "write") continue;
          change.bytes.forEach((byte, i) => {
            allowed[change.position + i]?.add(byte);
          });
        }
        image.forEach((byte, i) => {
          expect(allowed[i]?.has(byte)).toBe(true);
        });
        expect(image.byteLength).toBeGreaterThanOrEqual(safe.byteLength);
      }),
    );
  });

  it("the same numbers give the same cut", () => {
    const { log } = recordOneFile();
    for (let seed = 0; seed < 50; seed++) {
      expect(randomPowerCut(log, { random: seededRandom(seed) })).toEqual(
        randomPowerCut(log, { random: seededRandom(seed) }),
      );
    }
  });

  it("images can be opened again", () => {
    const files: IoBackend = memory();
    restoreImage(materialise(recordOneFile().log, { after: 8 }), files);
    const handle = files.open("f", "r");
    expect(handle.read(0, handle.size())).toEqual(Uint8Array.of(0xa, 0xb, 0xc, 0xd));
  });
});
