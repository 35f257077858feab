import { readFileSync, statSync, writeFileSync } from "node:fs";
import { openChecked } from "@b2frame/core/backend";
import { temporaryFiles } from "@b2frame/test-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type MmapOptions, mmap } from "../src/index.js";
import { AVAILABLE } from "./drivers.js";

const files = temporaryFiles();

/** Places around the borders of pages, windows and segments. */
const place = fc.oneof(
  fc.nat(1_000_000),
  fc.constantFrom(0, 4095, 4096, 8192, 262_143, 262_144, 262_145, 524_288, 786_432),
);
const span = fc.oneof(fc.nat(200), fc.nat(300_000));
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("write" as const), position: place, length: span }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("truncate" as const), position: place, length: span }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom("read" as const, "readInto" as const),
      position: place,
      length: span,
    }),
  },
);

function model(fileSize: number, options: MmapOptions, runs: number): void {
  const path = files.path();
  const original = Uint8Array.from({ length: fileSize }, (_, i) => (i * 17) % 255);
  writeFileSync(path, original);
  const { mtimeNs } = statSync(path, { bigint: true });
  const backend = mmap({ onDiagnostic: () => {}, ...options });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      let expected = original.slice();
      const handle = openChecked(backend, path, "c");
      try {
        steps.forEach(({ kind, position, length }, i) => {
          if (kind === "write") {
            const bytes = new Uint8Array(length).fill(i + 1);
            handle.write(position, bytes);
            if (length > 0 && position + length > expected.byteLength) {
              const grown = new Uint8Array(position + length);
              grown.set(expected);
              expected = grown;
            }
            if (length > 0) expected.set(bytes, position);
          } else if (kind === "truncate") {
            handle.truncate(position);
            const resized = new Uint8Array(position);
            resized.set(expected.subarray(0, position));
            expected = resized;
          } else {
            const start = Math.min(position, expected.byteLength);
            const end = Math.min(start + length, expected.byteLength);
            let found: Uint8Array = new Uint8Array(end - start);
            if (kind === "read") found = handle.read(start, end - start);
            else handle.readInto(start, found);
            expect(Buffer.compare(found, expected.subarray(start, end))).toBe(0);
          }
          expect(handle.size()).toBe(expected.byteLength);
        });
        expect(Buffer.compare(handle.read(0, handle.size()), expected)).toBe(0);
      } finally {
        handle.close();
      }
    }),
    { numRuns: runs },
  );
  expect(Buffer.compare(readFileSync(path), original)).toBe(0);
  expect(statSync(path, { bigint: true }).mtimeNs).toBe(mtimeNs);
}

describe.each(AVAILABLE)(
  "mode c through %s: random changes match a byte array, and the file stays as it was",
  (driver) => {
    it.each([
      ["large windows", 600_000, {}],
      ["windows of one page", 70_000, { windowSize: 1 }],
      ["windows of 100 KiB", 600_000, { windowSize: 102_400 }],
      ["hardly any maps", 600_000, { windowSize: 262_144, maxMaps: 1 }],
      ["an empty file", 0, {}],
    ] as const)("%s", (_name, fileSize, options) => model(fileSize, { driver, ...options }, 40));
  },
);

describe("mode c", () => {
  it("needs no right to write", () => {
    const path = files.path();
    writeFileSync(path, new Uint8Array(100), { mode: 0o444 });
    const handle = openChecked(mmap(), path, "c");
    handle.write(0, Uint8Array.of(1, 2, 3));
    handle.write(5000, Uint8Array.of(9));
    expect(handle.size()).toBe(5001);
    expect([...handle.read(0, 4), ...handle.read(4999, 2)]).toEqual([1, 2, 3, 0, 0, 9]);
    handle.flush();
    handle.close();
    expect(readFileSync(path)).toEqual(Buffer.alloc(100));
  });

  it("keeps one handle's changes from the other", () => {
    const path = files.path();
    writeFileSync(path, new Uint8Array(10_000));
    const backend = mmap();
    const first = openChecked(backend, path, "c");
    const second = openChecked(backend, path, "c");
    first.write(100, Uint8Array.of(1));
    second.write(100, Uint8Array.of(2));
    expect(first.read(100, 1)[0]).toBe(1);
    expect(second.read(100, 1)[0]).toBe(2);
    first.close();
    second.close();
  });
});
