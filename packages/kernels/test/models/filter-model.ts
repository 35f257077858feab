/** The filters, written down bit by bit from the format description; slow and plain on purpose. @module */

export function shuffleModel(typesize: number, source: Uint8Array): Uint8Array {
  const target = source.slice();
  const count = Math.floor(source.length / typesize);
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < typesize; j++) target[j * count + i] = source[i * typesize + j]!;
  }
  return target;
}

export function bitshuffleModel(typesize: number, source: Uint8Array): Uint8Array {
  const target = source.slice();
  const count = Math.floor(source.length / typesize / 8) * 8;
  target.fill(0, 0, count * typesize);
  for (let element = 0; element < count; element++) {
    for (let j = 0; j < typesize; j++) {
      for (let k = 0; k < 8; k++) {
        const bit = (source[element * typesize + j]! >> k) & 1;
        const at = ((j * 8 + k) * count) / 8 + (element >> 3);
        target[at] = target[at]! | (bit << (element & 7));
      }
    }
  }
  return target;
}

export function deltaModel(typesize: number, source: Uint8Array, reference: Uint8Array | undefined): Uint8Array {
  const word = [1, 2, 4, 8].includes(typesize) ? typesize : typesize % 8 === 0 ? 8 : 1;
  const target = source.slice();
  for (let i = 0; i < source.length - (source.length % word); i++) {
    const other = reference !== undefined ? reference[i]! : i < word ? 0 : source[i - word]!;
    target[i] = source[i]! ^ other;
  }
  return target;
}

export function bytedeltaModel(typesize: number, source: Uint8Array): Uint8Array {
  const target = source.slice();
  const count = Math.floor(source.length / typesize);
  for (let j = 0; j < typesize; j++) {
    for (let i = 0; i < count; i++) {
      const at = j * count + i;
      target[at] = source[at]! - (i === 0 ? 0 : source[at - 1]!);
    }
  }
  return target;
}

/** Clears the `zeroed` low bits of each little-endian item. */
export function truncateModel(typesize: number, zeroed: number, source: Uint8Array): Uint8Array {
  const target = source.slice();
  for (let i = 0; i < source.length - (source.length % typesize); i++) {
    for (let bit = 0; bit < 8; bit++) {
      if ((i % typesize) * 8 + bit < zeroed) target[i] = target[i]! & ~(1 << bit);
    }
  }
  return target;
}
