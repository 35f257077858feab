/** Dates and time spans as NumPy prints them. @module */
import { convertTime, type DatetimeUnit, NOT_A_TIME, parseDatetimeUnit } from "../datetime-units.js";

const DAY: DatetimeUnit = { count: 1n, code: "D" };
const MONTH: DatetimeUnit = { count: 1n, code: "M" };

/** Units below a day: how many make one, and the digits of a second's fraction. */
const CLOCK: Readonly<Record<string, readonly [perDay: bigint, fractionDigits: number]>> = {
  h: [24n, 0],
  m: [1_440n, 0],
  s: [86_400n, 0],
  ms: [86_400_000n, 3],
  us: [86_400_000_000n, 6],
  ns: [86_400_000_000_000n, 9],
  ps: [86_400_000_000_000_000n, 12],
  fs: [86_400_000_000_000_000_000n, 15],
  as: [86_400_000_000_000_000_000_000n, 18],
};

function two(value: bigint): string {
  return value.toString().padStart(2, "0");
}

function clockText(code: string, ofDay: bigint): string {
  const clock = CLOCK[code];
  if (clock === undefined) return "";
  const [perDay, fractionDigits] = clock;
  const hour = (ofDay * 24n) / perDay;
  if (code === "h") return `T${two(hour)}`;
  const minutes = `T${two(hour)}:${two(((ofDay * 1_440n) / perDay) % 60n)}`;
  if (code === "m") return minutes;
  const fraction = 10n ** BigInt(fractionDigits);
  const seconds = two((ofDay / fraction) % 60n);
  if (fractionDigits === 0) return `${minutes}:${seconds}`;
  return `${minutes}:${seconds}.${(ofDay % fraction).toString().padStart(fractionDigits, "0")}`;
}

/** A date to the precision of its unit, as ISO 8601 has it. */
function dateText(value: bigint, unit: DatetimeUnit): string {
  const { code } = unit;
  const plain: DatetimeUnit = { count: 1n, code };
  const scaled = value * unit.count;
  const months = convertTime(scaled, plain, MONTH);
  // January 1970 is month 0.
  const sinceZero = months + 1970n * 12n;
  const month = ((sinceZero % 12n) + 12n) % 12n;
  const year = (sinceZero - month) / 12n;
  const yearText = year < 0n ? `-${(-year).toString().padStart(3, "0")}` : year.toString().padStart(4, "0");
  if (code === "Y") return yearText;
  const monthText = `${yearText}-${two(month + 1n)}`;
  if (code === "M") return monthText;
  const days = convertTime(scaled, plain, DAY);
  const date = `${monthText}-${two(days - convertTime(months, MONTH, DAY) + 1n)}`;
  return date + clockText(code, scaled - convertTime(days, DAY, plain));
}

function aligned(values: readonly bigint[], textOf: (value: bigint) => string): string[] {
  const texts = values.map((value) => (value === NOT_A_TIME ? "'NaT'" : textOf(value)));
  const width = texts.reduce((most, { length }) => Math.max(most, length), 0);
  return texts.map((text) => text.padStart(width));
}

/** Counts of a dtype's unit since 1970, or as time spans. @param spelling of the dtype: `"<M8[us]"`. */
export function timeTexts(values: readonly bigint[], spelling: string): string[] {
  const [, kind, unitText = ""] = /^[<>|=]?([Mm])8(.*)$/.exec(spelling) ?? [];
  const unit = kind === "M" ? parseDatetimeUnit(unitText) : undefined;
  if (unit === undefined || unit === null) return aligned(values, String);
  return aligned(values, (value) => `'${dateText(value, unit)}'`);
}
