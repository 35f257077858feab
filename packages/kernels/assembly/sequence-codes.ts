// The codes of sequences (RFC 8878, 3.1.1.3.2.1): their values and the tables of a block.
import { buildSingle, buildTable, describedAccuracy, readProbabilities, takeProbabilities } from "./fse-table";
import { FSE_TABLE_INVALID, FSE_TABLE_MISSING } from "./zstd-errors";
import { LENGTH_TABLE, MATCH_TABLE, OFFSET_TABLE } from "./zstd-memory";

/** The kinds of codes, in the order in which a block describes them. */
export const LENGTHS: u32 = 0;
export const OFFSETS: u32 = 1;
export const MATCHES: u32 = 2;

const PREDEFINED: u32 = 0;
const SINGLE: u32 = 1;
const DESCRIBED: u32 = 2;

const LENGTH_BASES: usize = memory.data<u32>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 28, 32, 40, 48, 64, 128, 256, 512, 1024,
  2048, 4096, 8192, 16384, 32768, 65536,
]);
const LENGTH_EXTRAS: usize = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
]);
const MATCH_BASES: usize = memory.data<u32>([
  3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33,
  34, 35, 37, 39, 41, 43, 47, 51, 59, 67, 83, 99, 131, 259, 515, 1027, 2051, 4099, 8195, 16387, 32771, 65539,
]);
const MATCH_EXTRAS: usize = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3,
  3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
]);
const OFFSET_BASES: usize = memory.data<u32>([
  1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576,
  2097152, 4194304, 8388608, 16777216, 33554432, 67108864, 134217728, 268435456, 536870912, 1073741824, 2147483648,
]);
const OFFSET_EXTRAS: usize = memory.data<u8>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
]);
/** The predefined probabilities (RFC 8878, 3.1.1.3.2.2). */
const LENGTH_DEFAULTS: usize = memory.data<i8>([
  4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1,
]);
const MATCH_DEFAULTS: usize = memory.data<i8>([
  1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
  1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
]);
const OFFSET_DEFAULTS: usize = memory.data<i8>([
  1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1,
]);

/** Accuracy logs of the three tables; -1 while a table is not there. */
let lengthLog: i32 = -1;
let offsetLog: i32 = -1;
let matchLog: i32 = -1;
/** Bit by kind: whether the table is the predefined one, which need not be built again. */
let predefined: u32 = 0;

export function logOf(kind: u32): i32 {
  return kind == LENGTHS ? lengthLog : kind == OFFSETS ? offsetLog : matchLog;
}

function setLog(kind: u32, log: i32): void {
  if (kind == LENGTHS) lengthLog = log;
  else if (kind == OFFSETS) offsetLog = log;
  else matchLog = log;
}

/** Forgets the tables. Predefined ones stay built. */
export function dropTables(): void {
  lengthLog = -1;
  offsetLog = -1;
  matchLog = -1;
}

function tableOf(kind: u32): usize {
  return kind == LENGTHS ? LENGTH_TABLE : kind == OFFSETS ? OFFSET_TABLE : MATCH_TABLE;
}

function basesOf(kind: u32): usize {
  return kind == LENGTHS ? LENGTH_BASES : kind == OFFSETS ? OFFSET_BASES : MATCH_BASES;
}

function extrasOf(kind: u32): usize {
  return kind == LENGTHS ? LENGTH_EXTRAS : kind == OFFSETS ? OFFSET_EXTRAS : MATCH_EXTRAS;
}

function maxSymbolOf(kind: u32): u32 {
  return kind == LENGTHS ? 35 : kind == OFFSETS ? 31 : 52;
}

/** Reads a description and builds its table. @returns bytes read or an error */
export function describeTable(kind: u32, source: usize, length: usize): i32 {
  const used = readProbabilities(source, length, kind == OFFSETS ? 8 : 9, maxSymbolOf(kind));
  if (used < 0) return used;
  predefined &= ~(1 << kind);
  buildTable(tableOf(kind), basesOf(kind), extrasOf(kind));
  setLog(kind, describedAccuracy());
  return used;
}

function usePredefined(kind: u32): void {
  const log = kind == OFFSETS ? 5 : 6;
  if ((predefined & (1 << kind)) == 0) {
    if (kind == LENGTHS) takeProbabilities(LENGTH_DEFAULTS, 36, log);
    else if (kind == OFFSETS) takeProbabilities(OFFSET_DEFAULTS, 29, log);
    else takeProbabilities(MATCH_DEFAULTS, 53, log);
    buildTable(tableOf(kind), basesOf(kind), extrasOf(kind));
    predefined |= 1 << kind;
  }
  setLog(kind, log);
}

/** Prepares the table of a block. @returns bytes read or an error */
export function prepareTable(kind: u32, mode: u32, source: usize, length: usize): i32 {
  if (mode == PREDEFINED) {
    usePredefined(kind);
    return 0;
  }
  if (mode == SINGLE) {
    if (length == 0) return FSE_TABLE_INVALID;
    const symbol = <u32>load<u8>(source);
    if (symbol > maxSymbolOf(kind)) return FSE_TABLE_INVALID;
    predefined &= ~(1 << kind);
    buildSingle(tableOf(kind), symbol, basesOf(kind), extrasOf(kind));
    setLog(kind, 0);
    return 1;
  }
  if (mode == DESCRIBED) return describeTable(kind, source, length);
  return logOf(kind) < 0 ? FSE_TABLE_MISSING : 0;
}
