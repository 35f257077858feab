import { isBlosc2Error } from "@b2frame/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WriteBuffer } from "../src/index.js";

/** A file in memory that says how often it was written to, and fails when told to. */
class ModelFile {
  readonly path = "model";
  readonly bytes = new Uint8Array(512);
  writes = 0;
  full = false;

  write(position: number, bytes: Uint8Array): void {
    if (this.full) throw Object.assign(new Error("ENOSPC: full"), { code: "ENOSPC" });
    this.writes++;
    this.bytes.set(bytes, position);
  }
}

describe("WriteBuffer", () => {
  it("collects writes that touch each other", () => {
    const file = new ModelFile();
    const buffer = new WriteBuffer(file, 100);
    for (let i = 0; i < 10; i++) buffer.write(20 + i * 10, new Uint8Array(10).fill(i + 1));
    expect([file.writes, buffer.isEmpty, buffer.end]).toEqual([0, false, 120]);
    buffer.write(120, Uint8Array.of(11));
    expect([file.writes, buffer.end]).toEqual([1, 121]);
    buffer.drain();
    buffer.drain();
    expect([file.writes, buffer.isEmpty, buffer.end]).toEqual([2, true, 0]);
    expect(file.bytes.subarray(20, 121)).toEqual(Uint8Array.from({ length: 101 }, (_, i) => Math.floor(i / 10) + 1));
  });

  it("is drained before a read that could meet it, and not before others", () => {
    const file = new ModelFile();
    const buffer = new WriteBuffer(file, 100);
    buffer.write(50, Uint8Array.of(1));
    buffer.drainBefore(50);
    expect(file.writes).toBe(0);
    buffer.drainBefore(51);
    expect(file.writes).toBe(1);
  });

  it("goes on failing for what could not be written, until it is closed", () => {
    const file = new ModelFile();
    const buffer = new WriteBuffer(file, 100);
    const failure = (call: () => void): unknown => {
      try {
        call();
      } catch (error) {
        return isBlosc2Error(error) ? [error.code, error.details.position, error.details.length] : error;
      }
      return "none";
    };
    buffer.write(7, Uint8Array.of(1, 2));
    file.full = true;
    const expected = ["BLOSC2_IO_NO_SPACE", 7, 2];
    expect(failure(() => buffer.write(200, Uint8Array.of(3)))).toEqual(expected);
    file.full = false;
    expect(failure(() => buffer.drain())).toEqual(expected);
    expect(failure(() => buffer.drainBefore(8))).toEqual(expected);
    expect(failure(() => buffer.close())).toBe("none");
    expect([file.writes, buffer.isEmpty]).toEqual([0, true]);
  });

  it("property: the file is the same as without it, whatever its size", () => {
    const step = fc.oneof(
      { weight: 8, arbitrary: fc.record({ at: fc.nat(400), length: fc.nat(60), drains: fc.constant(false) }) },
      { weight: 1, arbitrary: fc.record({ at: fc.nat(400), length: fc.constant(0), drains: fc.constant(true) }) },
    );
    fc.assert(
      fc.property(fc.nat(80), fc.array(step, { maxLength: 40 }), (capacity, steps) => {
        const [file, plain] = [new ModelFile(), new ModelFile()];
        const buffer = new WriteBuffer(file, capacity);
        let last = 0;
        steps.forEach(({ at, length, drains }, i) => {
          // Every other write goes on where the last one ended.
          const position = i % 2 === 0 ? at : Math.min(last, 400);
          const bytes = new Uint8Array(length).fill(i + 1);
          if (drains) buffer.drainBefore(at);
          else buffer.write(position, bytes);
          plain.write(position, bytes);
          last = position + length;
          if (buffer.isEmpty) expect(file.bytes).toEqual(plain.bytes);
        });
        buffer.close();
        expect(file.bytes).toEqual(plain.bytes);
      }),
    );
  });
});
