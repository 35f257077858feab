import fc from "fast-check";
import { expect, test } from "vitest";
import { SharedSlots, SlotLease } from "../src/shared-slots.js";

const AREA = 100_000;

/** Takes so many bytes, or gives back what was taken earlier. */
const steps = fc.array(
  fc.oneof(
    fc.record({ take: fc.constantFrom(1, 4096, 5000, 30_000, 100_000, 100_001) }),
    fc.record({ giveBack: fc.nat(9) }),
  ),
  { maxLength: 40 },
);

test("no two slots that are taken overlap, and each has the wanted length", () => {
  fc.assert(
    fc.property(steps, (list) => {
      const area = new Uint8Array(new SharedArrayBuffer(AREA + 64), 64);
      const slots = new SharedSlots(area);
      const taken: Uint8Array[] = [];
      for (const step of list) {
        if ("giveBack" in step) {
          const [slot] = taken.splice(step.giveBack, 1);
          if (slot !== undefined) slots.giveBack(slot);
          continue;
        }
        const slot = slots.take(step.take);
        expect(slot.byteLength).toBe(step.take);
        expect(slot.buffer).toBeInstanceOf(SharedArrayBuffer);
        for (const other of taken) {
          const apart =
            slot.buffer !== other.buffer ||
            slot.byteOffset + slot.byteLength <= other.byteOffset ||
            other.byteOffset + other.byteLength <= slot.byteOffset;
          expect(apart).toBe(true);
        }
        taken.push(slot);
      }
    }),
  );
});

test("a lease that ends gives all of the area back", () => {
  const slots = new SharedSlots(new Uint8Array(new SharedArrayBuffer(AREA)));
  for (let round = 0; round < 20; round++) {
    const lease = new SlotLease(slots);
    const sizes = [30_000, 30_001 + round, 20_000];
    const taken = sizes.map((size) => lease.take(size));
    expect(taken.map((slot) => slot.buffer)).toEqual(sizes.map(() => slots.area.buffer));
    lease.giveBack(taken[0] as Uint8Array);
    lease.giveBack(taken[0] as Uint8Array);
    lease.end();
  }
  expect(slots.take(AREA).buffer).toBe(slots.area.buffer);
});

test("threads are told of slots by their places, and of other memory as it is", () => {
  const slots = new SharedSlots(new Uint8Array(new SharedArrayBuffer(AREA), 16, 50_000));
  slots.take(10);
  expect(slots.placeOf(slots.take(20))).toEqual({ offset: 4096, byteLength: 20 });
  const other = slots.take(50_001);
  expect(slots.placeOf(other)).toBe(other);
});
