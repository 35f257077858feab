/** Timing of work in this process. @module */
import type { Sample } from "./trial.js";

/** Digests look at no more than this much of an output. */
export const DIGESTED_LENGTH = 65_536;

/** The 32-bit FNV-1a hash of the first 64 KiB; the C driver computes the same. */
export function digestOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  const end = Math.min(bytes.byteLength, DIGESTED_LENGTH);
  for (let i = 0; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return hash >>> 0;
}

/** Times `work`, which gives its last output, or a number that stands for it. */
export function timed(work: () => Uint8Array | number): Sample {
  const start = performance.now();
  const output = work();
  const seconds = (performance.now() - start) / 1000;
  return { seconds, digest: typeof output === "number" ? output : digestOf(output) };
}

/** {@link timed} for work that has to be awaited. */
export async function timedAsync(work: () => Promise<Uint8Array | number>): Promise<Sample> {
  const start = performance.now();
  const output = await work();
  const seconds = (performance.now() - start) / 1000;
  return { seconds, digest: typeof output === "number" ? output : digestOf(output) };
}
