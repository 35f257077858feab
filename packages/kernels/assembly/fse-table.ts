// Tables of finite state entropy codes (RFC 8878, 4.1). An entry: next state's base (u16), bits to add to it (u8), bits that
// follow the code (u8), the value that these are added to (u32).
import { FSE_TABLE_INVALID } from "./zstd-errors";
import { OCCURRENCES, PROBABILITIES, STATE_SYMBOLS } from "./zstd-memory";

/** Accuracy log of the description read last. */
let accuracy: u32 = 0;
/** Symbols in the description read last. */
let symbols: u32 = 0;

/** Accuracy log of the description read last. */
export function describedAccuracy(): u32 {
  return accuracy;
}

/** Bits at a bit offset of a stream that is read forwards; 0 past its end. */
function forwardBits(source: usize, length: usize, offset: usize, count: u32): u32 {
  let word: u32 = 0;
  const first = offset >> 3;
  for (let i: usize = 0; i < 4; i++) {
    if (first + i < length) word |= (<u32>load<u8>(source + first + i)) << (<u32>(i << 3));
  }
  return (word >> <u32>(offset & 7)) & ((1 << count) - 1);
}

/**
 * Reads the description of a table: its probabilities.
 *
 * @returns bytes read or an error
 */
export function readProbabilities(source: usize, length: usize, maxAccuracy: u32, maxSymbol: u32): i32 {
  if (length == 0) return FSE_TABLE_INVALID;
  accuracy = forwardBits(source, length, 0, 4) + 5;
  if (accuracy > maxAccuracy) return FSE_TABLE_INVALID;
  let at: usize = 4;
  let remaining: i32 = 1 << accuracy;
  let symbol: u32 = 0;
  while (remaining > 0) {
    if (symbol > maxSymbol) return FSE_TABLE_INVALID;
    const bits: u32 = 32 - clz(<u32>(remaining + 1));
    const lowMask: i32 = (1 << (bits - 1)) - 1;
    const threshold: i32 = (1 << bits) - 1 - (remaining + 1);
    let value = <i32>forwardBits(source, length, at, bits);
    if ((value & lowMask) < threshold) {
      value &= lowMask;
      at += bits - 1;
    } else {
      if (value > lowMask) value -= threshold;
      at += bits;
    }
    const probability = value - 1;
    remaining -= probability < 0 ? 1 : probability;
    store<i16>(PROBABILITIES + (symbol << 1), <i16>probability);
    symbol++;
    if (probability == 0) {
      let repeat: u32 = 3;
      while (repeat == 3) {
        repeat = forwardBits(source, length, at, 2);
        at += 2;
        if (symbol + repeat > maxSymbol + 1) return FSE_TABLE_INVALID;
        for (let i: u32 = 0; i < repeat; i++) {
          store<i16>(PROBABILITIES + (symbol << 1), 0);
          symbol++;
        }
      }
    }
  }
  const used = (at + 7) >> 3;
  if (remaining < 0 || used > length) return FSE_TABLE_INVALID;
  symbols = symbol;
  return <i32>used;
}

/** Takes the probabilities of a table that the format defines, `count` bytes (int8). */
export function takeProbabilities(source: usize, count: u32, log: u32): void {
  for (let i: u32 = 0; i < count; i++) store<i16>(PROBABILITIES + (i << 1), load<i8>(source + i));
  symbols = count;
  accuracy = log;
}

/** Builds the table of the probabilities read last. `bases` (u32) and `extras` (u8) give each symbol's value. */
export function buildTable(table: usize, bases: usize, extras: usize): void {
  const size: u32 = 1 << accuracy;
  const mask = size - 1;
  let high = mask;
  for (let s: u32 = 0; s < symbols; s++) {
    const probability = <i32>load<i16>(PROBABILITIES + (s << 1));
    if (probability < 0) {
      store<u8>(STATE_SYMBOLS + high, <u8>s);
      high--;
      store<u16>(OCCURRENCES + (s << 1), 1);
    } else {
      store<u16>(OCCURRENCES + (s << 1), <u16>probability);
    }
  }
  const step = (size >> 1) + (size >> 3) + 3;
  let position: u32 = 0;
  for (let s: u32 = 0; s < symbols; s++) {
    const probability = <i32>load<i16>(PROBABILITIES + (s << 1));
    for (let i: i32 = 0; i < probability; i++) {
      store<u8>(STATE_SYMBOLS + position, <u8>s);
      do {
        position = (position + step) & mask;
      } while (<i32>position > <i32>high);
    }
  }
  for (let state: u32 = 0; state < size; state++) {
    const s = <u32>load<u8>(STATE_SYMBOLS + state);
    const occurrence = <u32>load<u16>(OCCURRENCES + (s << 1));
    store<u16>(OCCURRENCES + (s << 1), <u16>(occurrence + 1));
    const bits = accuracy - (31 - clz(occurrence));
    const entry = table + (state << 3);
    store<u16>(entry, <u16>((occurrence << bits) - size));
    store<u8>(entry, <u8>bits, 2);
    store<u8>(entry, load<u8>(extras + s), 3);
    store<u32>(entry, load<u32>(bases + (s << 2)), 4);
  }
}

/** A table of one state that always gives `symbol`. */
export function buildSingle(table: usize, symbol: u32, bases: usize, extras: usize): void {
  store<u16>(table, 0);
  store<u8>(table, 0, 2);
  store<u8>(table, load<u8>(extras + symbol), 3);
  store<u32>(table, load<u32>(bases + (symbol << 2)), 4);
}
