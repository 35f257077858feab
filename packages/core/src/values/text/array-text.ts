/** Items in the brackets of their dimensions, as NumPy lays them out. @module */

const ELLIPSIS = "...";

/** Lines that grow word by word, and are broken where they would get too long. */
class Lines {
  #done = "";
  #line: string;
  readonly #indent: string;
  readonly #width: number;

  constructor(indent: string, width: number) {
    this.#line = indent;
    this.#indent = indent;
    this.#width = width;
  }

  add(word: string, separator: string): void {
    const breaks = this.#line.length + word.length > this.#width && this.#line.length > this.#indent.length;
    if (breaks) {
      this.#done += `${this.#line.trimEnd()}\n`;
      this.#line = this.#indent;
    }
    this.#line += word + separator;
  }

  text(): string {
    return this.#done + this.#line;
  }
}

/**
 * An array as NumPy prints it.
 *
 * @param texts of the items that are shown, in C order.
 * @param shown how many there are along each dimension.
 * @param cut along which dimensions there are others between the first and the second half of those.
 * @param lineWidth characters of a line.
 * @example
 * ```ts
 * arrayText(["0", "1", "8", "9"], [4], [true], 75); // [0 1 ... 8 9]
 * ```
 */
export function arrayText(
  texts: readonly string[],
  shown: readonly number[],
  cut: readonly boolean[],
  lineWidth: number,
): string {
  let next = 0;
  const level = (dim: number, indent: string, width: number): string => {
    const size = shown[dim] as number;
    const ellipsisAt = cut[dim] === true ? size / 2 : -1;
    if (dim === shown.length - 1) {
      const lines = new Lines(indent, width - 1);
      for (let i = 0; i < size; i++) {
        if (i === ellipsisAt) lines.add(ELLIPSIS, " ");
        lines.add(texts[next++] as string, i === size - 1 ? "" : " ");
      }
      return `[${lines.text().slice(indent.length)}]`;
    }
    const parts: string[] = [];
    for (let i = 0; i < size; i++) {
      if (i === ellipsisAt) parts.push(ELLIPSIS);
      parts.push(level(dim + 1, `${indent} `, width - 1));
    }
    return `[${parts.join("\n".repeat(shown.length - 1 - dim) + indent)}]`;
  };
  return level(0, " ", lineWidth);
}
