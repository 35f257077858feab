/** A BloscLZ decoder from the format description. @module */

/** The decoded bytes, or why the stream is not a valid one of exactly `byteLength` bytes. */
export function decodeBlosclzModel(source: Uint8Array, byteLength: number): Uint8Array | string {
  const output: number[] = [];
  let at = 0;
  const next = (): number => {
    if (at >= source.length) throw new Error("input ends early");
    return source[at++]!;
  };
  try {
    let control = next() & 31;
    while (true) {
      if (control < 32) {
        for (let i = 0; i <= control; i++) output.push(next());
      } else {
        let length = (control >> 5) - 1;
        if (length === 6) {
          let more = 255;
          while (more === 255) {
            more = next();
            length += more;
          }
        }
        length += 3;
        let distance = ((control & 31) << 8) | next();
        distance = distance === 8191 ? 8192 + ((next() << 8) | next()) : distance + 1;
        // Decoders look for the end of the input before they carry a match out: a last match would be lost.
        if (at === source.length) return "ends with a match";
        if (distance > output.length) return "distance";
        if (output.length + length > byteLength) return "long";
        for (let i = 0; i < length; i++) output.push(output[output.length - distance]!);
      }
      if (at === source.length) break;
      control = next();
    }
  } catch (error) {
    return (error as Error).message;
  }
  return output.length === byteLength ? Uint8Array.from(output) : "wrong length";
}
