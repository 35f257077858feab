/** Deterministic data of the kinds that codecs and filters treat differently. */

import { seededRandom } from "@b2frame/test-kit";

export type DataKind = "zeros" | "run" | "ramp" | "walk" | "random" | "partly";
export const DATA_KINDS: readonly DataKind[] = ["zeros", "run", "ramp", "walk", "random", "partly"];

/** `length` bytes of items of `typesize` bytes. */
export function sampleData(kind: DataKind, length: number, typesize: number, seed = 1): Uint8Array {
  const random = seededRandom(seed);
  const bytes = new Uint8Array(length);
  if (kind === "run") bytes.fill(1 + Math.floor(random() * 255));
  if (kind === "random" || kind === "partly") {
    for (let at = 0; at < length; at++) {
      bytes[at] = kind === "random" || (at >> 8) & 1 ? random() * 256 : (at >> 6) & 3;
    }
  }
  if (kind === "ramp" || kind === "walk") {
    let value = Math.floor(random() * 1000);
    for (let at = 0; at < length; at += typesize) {
      value += kind === "ramp" ? 1 : Math.floor(random() * 7) - 3;
      for (let j = 0; j < Math.min(typesize, 4, length - at); j++) bytes[at + j] = value >> (8 * j);
    }
  }
  return bytes;
}
