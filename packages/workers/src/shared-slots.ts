/** Pieces of one shared area that are used again and again: touching new memory can take longer than decompressing into it. @module */

import type { Place } from "./shared-area.js";

/** Slots begin on pages of this many bytes, so that no two threads write to one page. */
const ALIGNMENT = 4096;

function aligned(byteLength: number): number {
  return Math.ceil(byteLength / ALIGNMENT) * ALIGNMENT;
}

/** Hands out parts of an area. */
export class SharedSlots {
  /** All of it. */
  readonly area: Uint8Array;
  /** Slots that nobody uses; those used last come last. */
  readonly #free: Uint8Array[] = [];
  #used = 0;
  #taken = 0;

  constructor(area: Uint8Array) {
    this.area = area;
  }

  /** Memory of exactly that size, which may still be in the processor's cache; other shared memory where the area is used up. */
  take(byteLength: number): Uint8Array {
    const at = this.#free.findLastIndex((slot) => slot.byteLength === byteLength);
    let slot = at < 0 ? undefined : this.#free.splice(at, 1)[0];
    if (slot === undefined) {
      // Nobody has a slot: the area is divided from its front again.
      if (this.#taken === 0) this.#divide();
      if (byteLength > this.area.byteLength - this.#used) return new Uint8Array(new SharedArrayBuffer(byteLength));
      slot = this.area.subarray(this.#used, this.#used + byteLength);
      this.#used += aligned(byteLength);
    }
    this.#taken++;
    return slot;
  }

  #divide(): void {
    this.#used = 0;
    this.#free.length = 0;
  }

  /** Takes a slot back. Bytes that are no part of the area are dropped. */
  giveBack(slot: Uint8Array): void {
    if (slot.buffer !== this.area.buffer) return;
    this.#taken--;
    this.#free.push(slot);
  }

  /** How a thread that knows the area is told of a slot. */
  placeOf(slot: Uint8Array): Place {
    if (slot.buffer !== this.area.buffer) return slot;
    return { offset: slot.byteOffset - this.area.byteOffset, byteLength: slot.byteLength };
  }
}

/** The slots of one call: what it has not given back when it ends, because it failed or was left, goes back then. */
export class SlotLease {
  readonly #slots: SharedSlots;
  readonly #taken = new Set<Uint8Array>();

  constructor(slots: SharedSlots) {
    this.#slots = slots;
  }

  /** As {@link SharedSlots.take}. */
  take(byteLength: number): Uint8Array {
    const slot = this.#slots.take(byteLength);
    this.#taken.add(slot);
    return slot;
  }

  /** As {@link SharedSlots.giveBack}. */
  giveBack(slot: Uint8Array): void {
    if (this.#taken.delete(slot)) this.#slots.giveBack(slot);
  }

  /** As {@link SharedSlots.placeOf}. */
  placeOf(slot: Uint8Array): Place {
    return this.#slots.placeOf(slot);
  }

  /** Gives all back; no thread may use them any longer. */
  end(): void {
    for (const slot of this.#taken) this.giveBack(slot);
  }
}
