/** Little-endian int32 at any alignment, without a `DataView` per call. @module */

/** Reads an int32; the caller has checked that four bytes are there. */
export function readInt32(bytes: Uint8Array, offset: number): number {
  return (
    (bytes[offset] as number) |
    ((bytes[offset + 1] as number) << 8) |
    ((bytes[offset + 2] as number) << 16) |
    ((bytes[offset + 3] as number) << 24)
  );
}

/** Writes an int32; the caller has checked that four bytes are there. */
export function writeInt32(bytes: Uint8Array, offset: number, value: number): void {
  bytes[offset] = value;
  bytes[offset + 1] = value >> 8;
  bytes[offset + 2] = value >> 16;
  bytes[offset + 3] = value >> 24;
}
