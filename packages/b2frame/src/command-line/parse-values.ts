/** From words of the command line to values. They throw commander's own error, which names the option. @module */
import { InvalidArgumentError } from "commander";

const SIZE_UNITS: Readonly<Record<string, number>> = { "": 1, k: 1 << 10, m: 1 << 20, g: 1 << 30 };

/** An integer of `minimum` or more. */
export function parseInteger(minimum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(value) || value < minimum) {
      throw new InvalidArgumentError(`Expected an integer of ${minimum} or more.`);
    }
    return value;
  };
}

/** A number of bytes: `65536`, `64K`, `64KiB`, `4M`, `1G`. */
export function parseSize(text: string): number {
  const match = /^(\d+)\s*([kmg]?)(?:i?b)?$/i.exec(text);
  const unit = SIZE_UNITS[(match?.[2] ?? "").toLowerCase()];
  const value = match === null || unit === undefined ? 0 : Number(match[1]) * unit;
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new InvalidArgumentError("Expected a number of bytes, such as 65536, 64KiB or 4M.");
  }
  return value;
}

/** `a,b,c`: integers of `minimum` or more. */
export function parseIntegers(minimum: number): (text: string) => number[] {
  const parse = parseInteger(minimum);
  return (text) => {
    try {
      return text.split(",").map((part) => parse(part.trim()));
    } catch {
      throw new InvalidArgumentError(`Expected integers of ${minimum} or more with commas between them.`);
    }
  };
}

/** `a,,c`: integers, negative ones among them; an empty place, or `:`, is the default. */
export function parseBounds(text: string): (number | null)[] {
  return text.split(",").map((part) => {
    const word = part.trim();
    if (word === "" || word === ":") return null;
    const value = Number(word);
    if (!/^[+-]?\d+$/.test(word) || !Number.isSafeInteger(value)) {
      throw new InvalidArgumentError("Expected integers with commas between them; an empty place takes the default.");
    }
    return value;
  });
}

/** `a,b,c`: words. */
export function parseWords(text: string): string[] {
  const words = text.split(",").map((word) => word.trim());
  if (words.includes("")) throw new InvalidArgumentError("Expected words with commas between them.");
  return words;
}
