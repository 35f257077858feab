/** CRC-32C, the checksum of iSCSI (RFC 3720, appendix B.4) and of most hardware. @module */

const POLYNOMIAL = 0x82f63b78;
/** Bytes that one step of the main loop takes. */
const STEP = 8;

let tables: Int32Array | undefined;

/** Eight tables of 256: table `k` carries a byte over `k` more bytes of zeros. */
function makeTables(): Int32Array {
  const made = new Int32Array(STEP * 256);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = (value & 1) === 0 ? value >>> 1 : (value >>> 1) ^ POLYNOMIAL;
    made[byte] = value;
  }
  for (let at = 256; at < made.length; at++) {
    const before = made[at - 256] as number;
    made[at] = (before >>> 8) ^ (made[before & 0xff] as number);
  }
  return made;
}

/**
 * The CRC-32C of `bytes`, 0 to 2^32 - 1.
 *
 * @param previous the checksum of what comes before `bytes`, to sum piece by piece.
 */
export function crc32c(bytes: Uint8Array, previous = 0): number {
  tables ??= makeTables();
  const table = tables;
  const length = bytes.byteLength;
  let value = ~previous;
  let at = 0;
  for (; at + STEP <= length; at += STEP) {
    const low =
      value ^
      ((bytes[at] as number) |
        ((bytes[at + 1] as number) << 8) |
        ((bytes[at + 2] as number) << 16) |
        ((bytes[at + 3] as number) << 24));
    value =
      (table[1792 + (low & 0xff)] as number) ^
      (table[1536 + ((low >>> 8) & 0xff)] as number) ^
      (table[1280 + ((low >>> 16) & 0xff)] as number) ^
      (table[1024 + (low >>> 24)] as number) ^
      (table[768 + (bytes[at + 4] as number)] as number) ^
      (table[512 + (bytes[at + 5] as number)] as number) ^
      (table[256 + (bytes[at + 6] as number)] as number) ^
      (table[bytes[at + 7] as number] as number);
  }
  for (; at < length; at++) value = (value >>> 8) ^ (table[(value ^ (bytes[at] as number)) & 0xff] as number);
  return ~value >>> 0;
}
