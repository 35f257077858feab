import { runIoBackendSuite } from "@b2frame/io-contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RangeCache } from "../src/range-cache.js";
import { Draft } from "../src/s3/draft.js";
import { DraftBackend } from "../src/s3/draft-backend.js";

let count = 0;
runIoBackendSuite({
  name: "drafts of objects",
  backend: () => new DraftBackend(),
  makePath: () => `s3://bucket/${count++}`,
  test: { describe, expect, it },
});

/** A draft over bytes that were all fetched. */
function draftOver(bytes: Uint8Array): Draft {
  const cache = new RangeCache(Number.POSITIVE_INFINITY);
  cache.add(0, bytes);
  return new Draft("s3://bucket/key", { cache, byteLength: bytes.byteLength });
}

const change = fc.oneof(
  fc.record({
    kind: fc.constant("write" as const),
    position: fc.nat(60),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 20 }),
  }),
  fc.record({ kind: fc.constant("truncate" as const), size: fc.nat(80) }),
);

describe("a draft over an object", () => {
  it("is what the same changes make of the bytes, and its runs say which of them are the object's", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), fc.array(change, { maxLength: 12 }), (base, changes) => {
        const draft = draftOver(base);
        let model = [...base];
        let kept = base.length;
        for (const step of changes) {
          if (step.kind === "write") {
            draft.write(step.position, step.bytes);
            while (model.length < step.position) model.push(0);
            step.bytes.forEach((byte, i) => {
              model[step.position + i] = byte;
            });
          } else {
            draft.truncate(step.size);
            kept = Math.min(kept, step.size);
            model = Array.from({ length: step.size }, (_, i) => model[i] ?? 0);
          }
        }
        expect(draft.size).toBe(model.length);
        expect([...draft.take({ position: 0, byteLength: draft.size })]).toEqual(model);
        let at = 0;
        for (const run of draft.runs()) {
          expect(run.position).toBe(at);
          expect(run.byteLength).toBeGreaterThan(0);
          at += run.byteLength;
          for (let i = run.position; run.kept && i < at; i++) {
            expect(i).toBeLessThan(kept);
            expect(model[i]).toBe(base[i]);
          }
        }
        expect(at).toBe(model.length);
      }),
    );
  });

  it("says what is missing, and refuses what was uploaded", () => {
    const draft = new Draft("s3://bucket/key", {
      cache: new RangeCache(Number.POSITIVE_INFINITY),
      byteLength: 100,
    });
    expect(() => draft.take({ position: 90, byteLength: 10 })).toThrow(
      "s3://bucket/key: read of 10 bytes at position 90: not all of it was fetched",
    );
    expect(draft.missed).toEqual({ position: 90, byteLength: 10 });
    draft.write(100, new Uint8Array(50));
    draft.drop({ position: 110, byteLength: 20 });
    expect(draft.take({ position: 130, byteLength: 20 })).toEqual(new Uint8Array(20));
    for (const use of [
      () => draft.take({ position: 129, byteLength: 2 }),
      () => draft.write(109, new Uint8Array(2)),
      () => draft.truncate(120),
    ]) {
      expect(use).toThrow("they were uploaded already");
    }
  });
});
