/** CRC-32 as ZIP has it (polynomial 0xEDB88320, reflected). @module */

/** Tables for eight bytes at a time: `TABLES[k * 256 + b]` is the CRC of byte `b` followed by `k` zero bytes. */
const TABLES: Int32Array = new Int32Array(8 * 256);
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  TABLES[byte] = crc;
}
for (let i = 256; i < TABLES.length; i++) {
  const before = TABLES[i - 256] as number;
  TABLES[i] = (before >>> 8) ^ (TABLES[before & 0xff] as number);
}

/**
 * The CRC-32 of `bytes`.
 *
 * @param before the CRC-32 of what comes before them.
 */
export function crc32(bytes: Uint8Array, before = 0): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const table = TABLES as unknown as number[];
  let crc = ~before;
  let at = 0;
  for (const end = bytes.byteLength - 7; at < end; at += 8) {
    const low = view.getInt32(at, true) ^ crc;
    const high = view.getInt32(at + 4, true);
    crc =
      table[1792 + (low & 0xff)] ^
      table[1536 + ((low >>> 8) & 0xff)] ^
      table[1280 + ((low >>> 16) & 0xff)] ^
      table[1024 + (low >>> 24)] ^
      table[768 + (high & 0xff)] ^
      table[512 + ((high >>> 8) & 0xff)] ^
      table[256 + ((high >>> 16) & 0xff)] ^
      table[high >>> 24];
  }
  for (; at < bytes.byteLength; at++) crc = (crc >>> 8) ^ table[(crc ^ bytes[at]) & 0xff];
  return ~crc >>> 0;
}
