/** A strict LZ4 block decoder from the block format's text. @module */

/** The decoded bytes, or why the block is not a valid one of exactly `byteLength` bytes. */
export function decodeLz4Model(
  source: Uint8Array,
  byteLength: number,
  history: Uint8Array = new Uint8Array(0),
): Uint8Array | string {
  const output: number[] = [...history];
  const end = byteLength + history.length;
  let at = 0;
  const next = (): number => {
    if (at >= source.length) throw new Error("input ends early");
    return source[at++]!;
  };
  const length = (nibble: number): number => {
    let total = nibble;
    if (nibble === 15) {
      let more = 255;
      while (more === 255) {
        more = next();
        total += more;
      }
    }
    return total;
  };
  try {
    while (true) {
      const token = next();
      const literals = length(token >> 4);
      if (output.length + literals > end) return "literals exceed the output";
      for (let i = 0; i < literals; i++) output.push(next());
      if (at === source.length) return output.length === end ? Uint8Array.from(output.slice(history.length)) : "short";
      if (output.length > end - 12) return "a match starts in the last twelve bytes";
      const offset = next() | (next() << 8);
      if (offset === 0 || offset > output.length) return "offset";
      const matched = length(token & 15) + 4;
      if (output.length + matched > end - 5) return "a match reaches into the last five bytes";
      for (let i = 0; i < matched; i++) output.push(output[output.length - offset]!);
    }
  } catch (error) {
    return (error as Error).message;
  }
}
