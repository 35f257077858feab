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

/** What an index takes of a dimension: an item, or a range. */
export type IndexPart = number | { readonly start?: number; readonly stop?: number; readonly step?: number };

/** `12,:,::2`: an integer or a range for each dimension, as NumPy writes them. */
export function parseIndex(text: string): IndexPart[] {
  const wrong = (): InvalidArgumentError =>
    new InvalidArgumentError("Expected an integer or start:stop:step for each dimension, such as 12,:,::2.");
  const integer = (word: string): number => {
    if (!/^[+-]?\d+$/.test(word) || !Number.isSafeInteger(Number(word))) throw wrong();
    return Number(word);
  };
  return text.split(",").map((part) => {
    const words = part.split(":").map((word) => word.trim());
    if (words.length === 1) return integer(words[0] as string);
    if (words.length > 3) throw wrong();
    const [start = "", stop = "", step = ""] = words;
    return {
      ...(start === "" ? {} : { start: integer(start) }),
      ...(stop === "" ? {} : { stop: integer(stop) }),
      ...(step === "" ? {} : { step: integer(step) }),
    };
  });
}

/** `low,high`: two numbers, the lower one first. */
export function parseRange(text: string): [low: number, high: number] {
  const words = text.split(",").map((word) => word.trim());
  const [low = Number.NaN, high = Number.NaN] = words.map((word) => (word === "" ? Number.NaN : Number(word)));
  if (words.length !== 2 || !Number.isFinite(low) || !Number.isFinite(high) || low >= high) {
    throw new InvalidArgumentError("Expected two numbers with a comma between them, the lower one first.");
  }
  return [low, high];
}

/** `a,b,c`: words. */
export function parseWords(text: string): string[] {
  const words = text.split(",").map((word) => word.trim());
  if (words.includes("")) throw new InvalidArgumentError("Expected words with commas between them.");
  return words;
}
