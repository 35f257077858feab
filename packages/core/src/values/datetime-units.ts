/** Units of NumPy's datetimes and time spans, and what a count in one is in another. @module */

/** A unit as a dtype names it: `count` times `code`, `<M8[25s]` being 25 s. */
export interface DatetimeUnit {
  readonly count: bigint;
  readonly code: string;
}

/** NumPy's "not a time". */
export const NOT_A_TIME: bigint = -(2n ** 63n);

const ATTOSECONDS: Readonly<Record<string, bigint>> = {
  W: 604_800n * 10n ** 18n,
  D: 86_400n * 10n ** 18n,
  h: 3_600n * 10n ** 18n,
  m: 60n * 10n ** 18n,
  s: 10n ** 18n,
  ms: 10n ** 15n,
  us: 10n ** 12n,
  ns: 10n ** 9n,
  ps: 10n ** 6n,
  fs: 1_000n,
  as: 1n,
};
const ATTOSECONDS_PER_DAY = 86_400n * 10n ** 18n;
/** Days from the first of March of year 0 to the first of January 1970. */
const EPOCH_DAYS = 719_468n;

/** The unit in the spelling of a dtype; `undefined` for one without, `null` for what is no unit. */
export function parseDatetimeUnit(text: string): DatetimeUnit | undefined | null {
  if (text === "" || text === "[generic]") return undefined;
  const match = /^\[(\d{0,9})(Y|M|W|D|h|m|s|ms|us|μs|ns|ps|fs|as)\]$/.exec(text);
  if (match === null || match[1] === "0") return null;
  const code = match[2] === "μs" ? "us" : (match[2] as string);
  return { count: BigInt(match[1] === "" ? 1 : (match[1] as string)), code };
}

/** How a dtype spells the unit. */
export function spellDatetimeUnit(unit: DatetimeUnit | undefined): string {
  return unit === undefined ? "" : `[${unit.count === 1n ? "" : unit.count}${unit.code}]`;
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n ? quotient - 1n : quotient;
}

/** Days since 1970 of the first day of a month, counted from January 1970, in the proleptic Gregorian calendar. */
function daysOfMonth(months: bigint): bigint {
  // Years begin in March here, so that the leap day is a year's last.
  const shifted = months + 1970n * 12n - 2n;
  const year = floorDivide(shifted, 12n);
  const month = shifted - year * 12n;
  const era = floorDivide(year, 400n);
  const ofEra = year - era * 400n;
  const ofYear = (153n * month + 2n) / 5n;
  return era * 146_097n + ofEra * 365n + ofEra / 4n - ofEra / 100n + ofYear - EPOCH_DAYS;
}

/** The month, counted from January 1970, in which a day lies. */
function monthOfDay(days: bigint): bigint {
  const shifted = days + EPOCH_DAYS;
  const era = floorDivide(shifted, 146_097n);
  const ofEra = shifted - era * 146_097n;
  const year = (ofEra - ofEra / 1_460n + ofEra / 36_524n - ofEra / 146_096n) / 365n;
  const ofYear = ofEra - (365n * year + year / 4n - year / 100n);
  const month = (5n * ofYear + 2n) / 153n;
  return (year + era * 400n) * 12n + month + 2n - 1970n * 12n;
}

/** Whether time spans in `from` have a length in `to`: months and years are of no fixed number of days. */
export function spansConvert(from: DatetimeUnit, to: DatetimeUnit): boolean {
  return from.code in ATTOSECONDS === to.code in ATTOSECONDS;
}

/**
 * A count of `from` as a count of `to`, rounded down, as NumPy converts. May be past 64 bits; {@link NOT_A_TIME} stays what it is.
 * Between calendar units and others it is the time since 1970 that is converted.
 */
export function convertTime(value: bigint, from: DatetimeUnit, to: DatetimeUnit): bigint {
  if (value === NOT_A_TIME) return value;
  const scaled = value * from.count;
  const source = ATTOSECONDS[from.code];
  const target = ATTOSECONDS[to.code];
  if (target !== undefined) {
    const time =
      source === undefined
        ? daysOfMonth(from.code === "Y" ? scaled * 12n : scaled) * ATTOSECONDS_PER_DAY
        : scaled * source;
    return floorDivide(time, target * to.count);
  }
  const months =
    source === undefined
      ? from.code === "Y"
        ? scaled * 12n
        : scaled
      : monthOfDay(floorDivide(scaled * source, ATTOSECONDS_PER_DAY));
  return floorDivide(months, to.code === "Y" ? 12n * to.count : to.count);
}
