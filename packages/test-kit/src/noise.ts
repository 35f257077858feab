/** Random values that a seed reproduces. @module */

/** A linear congruential generator (multiplier and increment of Numerical Recipes); its high bits are the good ones. */
function states(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
}

/** Numbers from 0 (included) to 1 (excluded) that depend on the seed alone. */
export function seededRandom(seed: number): () => number {
  const next = states(seed);
  return () => next() / 2 ** 32;
}

/** Bytes that no codec makes smaller. Drawing each of them from fast-check would take longer than the test. */
export function noise(byteLength: number, seed = 1): Uint8Array<ArrayBuffer> {
  const next = states(seed);
  const bytes = new Uint8Array(byteLength);
  for (let i = 0; i < byteLength; i++) bytes[i] = next() >>> 24;
  return bytes;
}
