/** Fault injection: flipped bits at random places of stores of python-blosc2 and of our own. */
import { readFileSync } from "node:fs";
import { asarray, type IoBackend, isBlosc2Error, memory } from "@b2frame/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createStore, openStore, type StoreReport, verifyStore } from "../../src/index.js";
import {
  contentOf,
  directoryInMemory,
  fixtureBytes,
  fixturePath,
  getFile,
  memoryWithDirectories,
  putFile,
} from "../store-fixtures.js";
import { coveredRanges } from "./zip-coverage.js";

const RUNS = 400;

/** Values that take several chunks, in every kind of place. */
function fillStore(path: string, backend: IoBackend): void {
  using store = createStore(path, backend);
  store.set(
    "/numbers",
    Float64Array.from({ length: 700 }, (_, i) => Math.sin(i)),
    { chunks: [100], checksum: true },
  );
  store.set(
    "/deep/bytes",
    Uint8Array.from({ length: 500 }, (_, i) => (i * i) & 255),
    { checksum: true },
  );
  if (store.type === "tree") store.setAttributes({ title: "numbers" });
}

function ourZip(): Uint8Array {
  const backend = memory();
  fillStore("ours.b2z", backend);
  return getFile(backend, "ours.b2z");
}

function flipped(bytes: Uint8Array, position: number, bit: number): Uint8Array {
  const damaged = bytes.slice();
  damaged[position] = (damaged[position] as number) ^ (1 << bit);
  return damaged;
}

/** What is reported of a store; an error of ours is a report as well, anything else a fault of the program. */
function verdictOf(path: string, backend: IoBackend): StoreReport | string {
  try {
    return verifyStore(path, backend);
  } catch (error) {
    if (isBlosc2Error(error)) return error.code;
    throw error;
  }
}

function isDamaged(verdict: StoreReport | string): boolean {
  if (typeof verdict === "string") return true;
  return [verdict, ...verdict.members].some(({ problems }) => problems.length > 0);
}

function contents(path: string, backend: IoBackend): Map<string, unknown> {
  using store = openStore(path, backend);
  return new Map(store.keys().map((key) => [key, contentOf(store, key)]));
}

describe.each([
  ["tree.b2z", () => fixtureBytes("tree.b2z")],
  ["dict.b2z", () => fixtureBytes("dict.b2z")],
  ["a .b2z of ours", ourZip],
])("a flipped bit of %s", (_, make) => {
  const sound = make();
  const ranges = coveredRanges(sound);
  const at = (bytes: Uint8Array): IoBackend => {
    const backend = memory();
    putFile(backend, "s.b2z", bytes);
    return backend;
  };

  it("is reported wherever the ZIP file's own checks cover it", () => {
    const covered = fc
      .constantFrom(...ranges.filter(({ start, end }) => end > start))
      .chain(({ start, end, what }) => fc.tuple(fc.integer({ min: start, max: end - 1 }), fc.constant(what)));
    const property = fc.property(covered, fc.integer({ min: 0, max: 7 }), ([position, what], bit) => {
      const verdict = verdictOf("s.b2z", at(flipped(sound, position, bit)));
      expect(isDamaged(verdict), `bit ${bit} of byte ${position} (${what})`).toBe(true);
    });
    fc.assert(property, { numRuns: RUNS });
  });

  it("is reported wherever it is, or every member reads as it was", () => {
    const before = contents("s.b2z", at(sound));
    const anywhere = fc.tuple(fc.integer({ min: 0, max: sound.byteLength - 1 }), fc.integer({ min: 0, max: 7 }));
    const property = fc.property(anywhere, ([position, bit]) => {
      const backend = at(flipped(sound, position, bit));
      if (!isDamaged(verdictOf("s.b2z", backend))) expect(contents("s.b2z", backend)).toEqual(before);
    });
    fc.assert(property, { numRuns: RUNS });
  });
});

/** The bytes of a frame's chunks: header_len and cbytes are at bytes 11 and 39 of it, big-endian. */
function chunkArea(frame: Uint8Array): { start: number; end: number } {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const start = view.getUint32(11, false);
  return { start, end: start + Number(view.getBigInt64(39, false)) };
}

describe("a flipped bit of a .b2d", () => {
  it("is reported where it lies in a chunk with a checksum, of the member that has it and of no other", () => {
    const backend = memoryWithDirectories();
    fillStore("ours.b2d", backend);
    for (const [file, key] of [
      ["numbers.b2nd", "/numbers"],
      ["deep/bytes.b2nd", "/deep/bytes"],
    ] as const) {
      const sound = getFile(backend, `ours.b2d/${file}`);
      const { start, end } = chunkArea(sound);
      const place = fc.tuple(fc.integer({ min: start, max: end - 1 }), fc.integer({ min: 0, max: 7 }));
      const property = fc.property(place, ([position, bit]) => {
        putFile(backend, `ours.b2d/${file}`, flipped(sound, position, bit));
        const { members, problems } = verifyStore("ours.b2d", backend);
        expect(problems).toEqual([]);
        expect(members.filter(({ ok }) => !ok).map((member) => member.key)).toEqual([key]);
      });
      fc.assert(property, { numRuns: RUNS / 2 });
      putFile(backend, `ours.b2d/${file}`, sound);
    }
    expect(verifyStore("ours.b2d", backend).ok).toBe(true);
  });

  it.each(["tree.b2d", "dict.b2d"])("of python-blosc2 (%s) gives a report, whatever it hits", (name) => {
    const backend = directoryInMemory(name);
    const files = verifyStore(name, backend).members.length;
    const paths = ["embed.b2e", ...(name === "tree.b2d" ? ["a.b2nd", "objects.b2f", "g/b.b2nd"] : ["deep/large.b2nd"])];
    const property = fc.property(
      fc.constantFrom(...paths),
      fc.nat(),
      fc.integer({ min: 0, max: 7 }),
      (file, n, bit) => {
        const sound = new Uint8Array(readFileSync(fixturePath(`${name}/${file}`)));
        putFile(backend, `${name}/${file}`, flipped(sound, n % sound.byteLength, bit));
        const report = verifyStore(name, backend);
        putFile(backend, `${name}/${file}`, sound);
        // Embedded members go with the map that names them; files are there in any case.
        expect(report.members.length).toBeGreaterThan(files - 3);
      },
    );
    fc.assert(property, { numRuns: RUNS });
  });
});

describe("a flipped bit of a .b2e", () => {
  it("is reported where it lies in an embedded chunk with a checksum", () => {
    const backend = memory();
    const data = Uint8Array.from({ length: 600 }, (_, i) => (i * 37) % 251);
    {
      // Nothing is compressed, so that the member's chunk is found as it is.
      using store = createStore("s.b2e", backend, { cparams: { clevel: 0 } });
      using array = asarray(data, { checksum: true, cparams: { clevel: 0 }, chunks: [600] });
      store.set("/a", array);
    }
    const sound = getFile(backend, "s.b2e");
    const start = Buffer.from(sound).indexOf(Buffer.from(data));
    expect(start).toBeGreaterThan(0);
    const place = fc.tuple(fc.integer({ min: start, max: start + 599 }), fc.integer({ min: 0, max: 7 }));
    const property = fc.property(place, ([position, bit]) => {
      putFile(backend, "s.b2e", flipped(sound, position, bit));
      const { members } = verifyStore("s.b2e", backend);
      expect(members).toMatchObject([{ key: "/a", ok: false, checksums: { failed: 1 } }]);
    });
    fc.assert(property, { numRuns: RUNS / 4 });
  });

  it("of python-blosc2 gives a report, whatever it hits", () => {
    const sound = fixtureBytes("embed.b2e");
    const property = fc.property(fc.integer({ min: 0, max: sound.byteLength - 1 }), fc.nat({ max: 7 }), (at, bit) => {
      const backend = memory();
      putFile(backend, "s.b2e", flipped(sound, at, bit));
      verdictOf("s.b2e", backend);
    });
    fc.assert(property, { numRuns: RUNS });
  });
});
