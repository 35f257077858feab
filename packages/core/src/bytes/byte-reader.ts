/** Bounds-checked reading of header fields; every failure names the structure, the field and its position. @module */
import { FormatError, type SourceLocation } from "../errors.js";
import { toSafeInteger } from "./safe-integer.js";

function inBytes(count: number): string {
  return count === 1 ? "1 byte" : `${count} bytes`;
}

/** Reads fields of one structure at explicit offsets. */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly location: SourceLocation;
  readonly #view: DataView;

  constructor(bytes: Uint8Array, location: SourceLocation) {
    this.bytes = bytes;
    this.location = location;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Throws `BLOSC2_FORMAT_TRUNCATED` unless `offset..offset+byteLength` lies inside the bytes. */
  require(offset: number, byteLength: number, field: string): void {
    if (offset < 0 || byteLength < 0 || offset + byteLength > this.bytes.byteLength) {
      throw new FormatError("BLOSC2_FORMAT_TRUNCATED", {
        ...this.location,
        field,
        offset,
        expected: inBytes(byteLength),
        found: inBytes(Math.max(0, this.bytes.byteLength - offset)),
      });
    }
  }

  uint8(offset: number, field: string): number {
    this.require(offset, 1, field);
    return this.#view.getUint8(offset);
  }

  int16BigEndian(offset: number, field: string): number {
    this.require(offset, 2, field);
    return this.#view.getInt16(offset);
  }

  uint16BigEndian(offset: number, field: string): number {
    this.require(offset, 2, field);
    return this.#view.getUint16(offset);
  }

  int32(offset: number, field: string): number {
    this.require(offset, 4, field);
    return this.#view.getInt32(offset, true);
  }

  int32BigEndian(offset: number, field: string): number {
    this.require(offset, 4, field);
    return this.#view.getInt32(offset);
  }

  uint32BigEndian(offset: number, field: string): number {
    this.require(offset, 4, field);
    return this.#view.getUint32(offset);
  }

  /** A 64-bit integer that must fit a JavaScript number. */
  int64BigEndian(offset: number, field: string): number {
    this.require(offset, 8, field);
    const high = this.#view.getInt32(offset);
    // Almost always; and much cheaper than a bigint.
    if (high >= 0 && high < 0x200000) return high * 0x100000000 + this.#view.getUint32(offset + 4);
    return toSafeInteger(this.#view.getBigInt64(offset), { ...this.location, field, offset });
  }

  /** Throws `BLOSC2_FORMAT_BAD_MAGIC` unless the byte at `offset` is `marker`. */
  marker(offset: number, marker: number, field: string): void {
    const found = this.uint8(offset, field);
    if (found !== marker) {
      throw new FormatError("BLOSC2_FORMAT_BAD_MAGIC", {
        ...this.location,
        field,
        offset,
        expected: `0x${marker.toString(16)}`,
        found: `0x${found.toString(16)}`,
      });
    }
  }

  /** A `FormatError` about a field of this structure, to throw. */
  invalid(
    field: string,
    offset: number,
    expected: string | number,
    found: string | number,
    code:
      | "BLOSC2_FORMAT_INVALID"
      | "BLOSC2_FORMAT_BAD_LENGTH"
      | "BLOSC2_FORMAT_BAD_OFFSET"
      | "BLOSC2_FORMAT_BAD_VERSION" = "BLOSC2_FORMAT_INVALID",
  ): FormatError {
    return new FormatError(code, { ...this.location, field, offset, expected, found });
  }
}
