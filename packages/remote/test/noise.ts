/** Bytes that hardly compress, so that chunks are large. */
export function noise(count: number): Uint8Array {
  let state = 7;
  return Uint8Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state >>> 24;
  });
}
