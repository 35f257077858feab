/**
 * Numbers as NumPy prints them: the fewest digits that tell a value from its neighbours, at most so many as are asked for after the point, the points of a
 * column one below the other, and the exponents of all where one is needed.
 *
 * @module
 */
import { f16round } from "@petamoriken/float16";

/** Digits after the first that tell any two values of less than eight bytes apart. */
const ENOUGH_DIGITS = 8;
/** From here on values are printed with exponents: where not all digits before the point are known. By bytes of an item. */
const LARGE: Readonly<Record<number, number>> = { 2: 1e3, 4: 1e6, 8: 1e8 };
const SMALL = 1e-4;
const FAR_APART = 1000;

/** The digits of a value that is not negative, of which the first stands before the point, and its decimal exponent. */
interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

/** What is printed of a value without its sign. */
interface Parts {
  readonly whole: string;
  readonly fraction: string;
  readonly exponent?: number;
}

function roundingOf(itemsize: number): (value: number) => number {
  return itemsize === 4 ? Math.fround : itemsize === 2 ? f16round : Number;
}

function decimalOf(text: string): Decimal {
  const [mantissa, exponent] = text.split("e") as [string, string];
  return { digits: mantissa.replace(".", ""), exponent: Number(exponent) };
}

/** Whether a decimal is the value itself, and not merely the nearest to it. */
function isExact(value: number, { digits, exponent }: Decimal): boolean {
  const scale = exponent - (digits.length - 1);
  const count = BigInt(digits);
  if (scale >= 0) return Number.isInteger(value) && BigInt(value) === count * 10n ** BigInt(scale);
  const fives = 5n ** BigInt(-scale);
  return count % fives === 0n && value * 2 ** -scale === Number(count / fives);
}

/** A rounded value in which a half was rounded up, with that half to even. `kept` digits of it are significant. */
function evenHalf(value: number, kept: number, rounded: string): string {
  const decimal = decimalOf(value.toExponential());
  const last = rounded.charCodeAt(rounded.length - 1) - 48;
  const isHalf = decimal.digits.length === kept + 1 && decimal.digits.endsWith("5") && isExact(value, decimal);
  return isHalf && last % 2 === 1 ? rounded.slice(0, -1) + (last - 1) : rounded;
}

/** With so many digits after the point. */
function scientific(value: number, digits: number): Required<Parts> {
  const [mantissa, exponent] = value.toExponential(digits).split("e") as [string, string];
  const text = evenHalf(value, digits + 1, mantissa);
  return { whole: text.slice(0, 1), fraction: text.slice(2), exponent: Number(exponent) };
}

/** The shortest decimal that reads back as the value in a type of so many bytes. */
function shortest(value: number, itemsize: number): Decimal {
  if (itemsize === 8) return decimalOf(value.toExponential());
  const round = roundingOf(itemsize);
  for (let digits = 0; ; digits++) {
    const { whole, fraction, exponent } = scientific(value, digits);
    const isSame = round(Number(`${whole}.${fraction}e${exponent}`)) === value;
    if (digits >= ENOUGH_DIGITS || isSame) return { digits: whole + fraction, exponent };
  }
}

function positional(value: number, itemsize: number, precision: number): Parts {
  const { digits, exponent } = shortest(value, itemsize);
  if (digits.length - 1 - exponent > precision) {
    const text = evenHalf(value, exponent + 1 + precision, value.toFixed(precision));
    const [whole, fraction = ""] = text.split(".") as [string, string?];
    return { whole, fraction: fraction.replace(/0+$/, "") };
  }
  const padded = exponent < 0 ? "0".repeat(-exponent) + digits : digits.padEnd(exponent + 1, "0");
  const point = Math.max(0, exponent) + 1;
  return { whole: padded.slice(0, point), fraction: padded.slice(point).replace(/0+$/, "") };
}

function widest(lengths: readonly number[]): number {
  return lengths.reduce((most, length) => Math.max(most, length), 0);
}

function needsExponents(sizes: readonly number[], itemsize: number): boolean {
  const nonzero = sizes.filter((size) => size !== 0);
  if (nonzero.length === 0) return false;
  const largest = Math.max(...nonzero);
  const smallest = Math.min(...nonzero);
  // In the type's own precision: the 32-bit float nearest to the bound is not below it.
  const round = roundingOf(itemsize);
  return largest >= (LARGE[itemsize] as number) || smallest < round(SMALL) || round(largest / smallest) > FAR_APART;
}

/** The parts of finite values: as many digits after the point as the value that has most of them needs. */
function partsOf(values: readonly number[], itemsize: number, precision: number): ReadonlyMap<number, Parts> {
  const sizes = values.filter(Number.isFinite).map(Math.abs);
  if (!needsExponents(sizes, itemsize)) {
    return new Map(sizes.map((size) => [size, positional(size, itemsize, precision)]));
  }
  const needed = sizes.map((size) => {
    const digits = Math.min(precision, shortest(size, itemsize).digits.length - 1);
    return scientific(size, digits).fraction.replace(/0+$/, "").length;
  });
  const digits = widest(needed);
  return new Map(sizes.map((size) => [size, scientific(size, digits)]));
}

/**
 * Each value in as many characters as the others.
 *
 * @param itemsize of the type that they come from: 2, 4 or 8 bytes.
 * @param precision most digits after the point.
 * @param plus whether positive ones have a sign.
 */
export function floatTexts(values: readonly number[], itemsize: number, precision: number, plus = false): string[] {
  const parts = partsOf(values, itemsize, precision);
  const all = [...parts.values()];
  const fractionWidth = widest(all.map(({ fraction }) => fraction.length));
  const exponentWidth = widest(all.map(({ exponent = 0 }) => Math.max(2, String(Math.abs(exponent)).length)));
  const textOf = ({ whole, fraction, exponent }: Parts): string => {
    if (exponent === undefined) return `${whole}.${fraction.padEnd(fractionWidth)}`;
    const power = String(Math.abs(exponent)).padStart(exponentWidth, "0");
    return `${whole}.${fraction}e${exponent < 0 ? "-" : "+"}${power}`;
  };
  const texts = values.map((value) => {
    if (Number.isNaN(value)) return plus ? "+nan" : "nan";
    const part = parts.get(Math.abs(value));
    const sign = value < 0 || Object.is(value, -0) ? "-" : plus ? "+" : "";
    return sign + (part === undefined ? "inf" : textOf(part));
  });
  const width = widest(texts.map(({ length }) => length));
  return texts.map((text) => text.padStart(width));
}

/** Pairs of real and imaginary parts. */
export function complexTexts(
  values: readonly (readonly [number, number])[],
  itemsize: number,
  precision: number,
): string[] {
  const part = (index: 0 | 1): number[] => values.map((value) => value[index]);
  const real = floatTexts(part(0), itemsize / 2, precision);
  const imaginary = floatTexts(part(1), itemsize / 2, precision, true);
  return real.map((text, i) => text + (imaginary[i] as string).replace(/ *$/, (spaces) => `j${spaces}`));
}
