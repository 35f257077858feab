// CRC-32C (RFC 3720, appendix B.4) without an instruction for it. Long input is first made short by XORs alone: as polynomials over
// GF(2), with y = x^128, the CRC's polynomial divides y^209 + y^144 + y^54 + y^39 + y^14 + 1. So a block of 16 bytes may be removed if it
// is XORed into the blocks 65, 155, 170, 195 and 209 places behind it. What is left, the last 209 blocks, goes through tables.
import { CRC_BLOCKS, CRC_TABLES } from "./memory-map";

const POLYNOMIAL: u32 = 0x82f63b78;
const BLOCK: usize = 16;
/** Bytes of the blocks that a block is XORed into. */
const REACH: usize = 209 * BLOCK;
const STRIP: usize = 16384;
/** Where the blocks of a strip are made; those before it are the last ones of the strip before. */
const STRIP_START: usize = CRC_BLOCKS + REACH;
/** Shorter input is not worth it. */
const LEAST: usize = 2 * REACH;

let hasTables: bool = false;

/** Eight tables of 256: table `k` carries a byte over `k` more bytes of zeros. */
function makeTables(): void {
  for (let byte: u32 = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = (value & 1) == 0 ? value >> 1 : (value >> 1) ^ POLYNOMIAL;
    store<u32>(CRC_TABLES + (byte << 2), value);
  }
  for (let at: usize = 1024; at < 8192; at += 4) {
    const before = load<u32>(CRC_TABLES + at - 1024);
    store<u32>(CRC_TABLES + at, (before >> 8) ^ load<u32>(CRC_TABLES + ((before & 0xff) << 2)));
  }
  hasTables = true;
}

/** @inline */
function entry(table: usize, index: u32): u32 {
  return load<u32>(CRC_TABLES + (table << 10) + (index << 2));
}

/** The register after more bytes. */
function throughTables(source: usize, length: usize, register: u32): u32 {
  let value = register;
  const end = source + length;
  let at = source;
  for (; at + 8 <= end; at += 8) {
    const low = value ^ load<u32>(at);
    const high = load<u32>(at + 4);
    value =
      entry(7, low & 0xff) ^
      entry(6, (low >> 8) & 0xff) ^
      entry(5, (low >> 16) & 0xff) ^
      entry(4, low >> 24) ^
      entry(3, high & 0xff) ^
      entry(2, (high >> 8) & 0xff) ^
      entry(1, (high >> 16) & 0xff) ^
      entry(0, high >> 24);
  }
  for (; at < end; at++) value = (value >> 8) ^ entry(0, (value ^ load<u8>(at)) & 0xff);
  return value;
}

/** What the blocks before the one at `made` add to it. @inline */
function fromBefore(made: usize): v128 {
  return v128.xor(
    v128.xor(
      v128.xor(v128.load(made - 65 * BLOCK), v128.load(made - 155 * BLOCK)),
      v128.xor(v128.load(made - 170 * BLOCK), v128.load(made - 195 * BLOCK)),
    ),
    v128.load(made - REACH),
  );
}

/** The CRC-32C of `length` bytes, after others whose CRC-32C is `previous`. */
export function crc32c(source: usize, length: usize, previous: u32): u32 {
  if (!hasTables) makeTables();
  let register = ~previous;
  let at = source;
  const end = source + length;
  if (length >= LEAST) {
    const removedEnd = source + ((length & ~(BLOCK - 1)) - REACH);
    memory.fill(CRC_BLOCKS, 0, REACH);
    // The register is XORed into the first bytes.
    v128.store(STRIP_START, v128.xor(v128.load(at), i32x4.replace_lane(i32x4.splat(0), 0, register)));
    let made: usize = STRIP_START + BLOCK;
    at += BLOCK;
    while (at < removedEnd) {
      const stop = min(removedEnd, at + (STRIP_START + STRIP - made));
      for (; at + 3 * BLOCK < stop; at += 4 * BLOCK, made += 4 * BLOCK) {
        v128.store(made, v128.xor(v128.load(at), fromBefore(made)));
        v128.store(made + BLOCK, v128.xor(v128.load(at + BLOCK), fromBefore(made + BLOCK)));
        v128.store(made + 2 * BLOCK, v128.xor(v128.load(at + 2 * BLOCK), fromBefore(made + 2 * BLOCK)));
        v128.store(made + 3 * BLOCK, v128.xor(v128.load(at + 3 * BLOCK), fromBefore(made + 3 * BLOCK)));
      }
      for (; at < stop; at += BLOCK, made += BLOCK) {
        v128.store(made, v128.xor(v128.load(at), fromBefore(made)));
      }
      memory.copy(CRC_BLOCKS, made - REACH, REACH);
      made = STRIP_START;
    }
    // Those that are left add nothing to one another.
    memory.fill(STRIP_START, 0, REACH);
    for (let offset: usize = 0; offset < REACH; offset += BLOCK, at += BLOCK) {
      v128.store(STRIP_START + REACH + offset, v128.xor(v128.load(at), fromBefore(STRIP_START + offset)));
    }
    register = throughTables(STRIP_START + REACH, REACH, 0);
  }
  return ~throughTables(at, end - at, register);
}
