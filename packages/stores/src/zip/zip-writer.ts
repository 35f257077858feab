/** Writing a ZIP file of stored members. @module */
import { isBlosc2Error } from "@b2frame/core";
import type { CheckedHandle } from "@b2frame/core/backend";
import { crc32 } from "./crc32.js";
import { crcOf, PIECE, wrongCrc } from "./member-crc.js";
import * as layout from "./zip-layout.js";
import { encodeName } from "./zip-name.js";

/** The zip64 extra field of a local header, or the padding that keeps its place: two sizes. */
const LOCAL_EXTRA_LENGTH = layout.EXTRA_HEADER_LENGTH + 16;

/** 1980-01-01, the first day that ZIP knows: the same content gives the same file. */
const DOS_DATE = 0x0021;

/** A member that has been written. */
export interface WrittenMember {
  readonly name: string;
  readonly headerPosition: number;
  /** Absolute position of its content. */
  readonly position: number;
  readonly byteLength: number;
  readonly crc32: number;
}

function setUint64(view: DataView, offset: number, value: number): void {
  view.setBigUint64(offset, BigInt(value), true);
}

/** Writes members one after the other from the front of an empty file; `finish` adds the central directory. */
export class ZipWriter {
  readonly #handle: CheckedHandle;
  readonly #members = new Map<string, WrittenMember>();
  #end = 0;
  #unused = 0;

  constructor(handle: CheckedHandle) {
    this.#handle = handle;
  }

  get members(): ReadonlyMap<string, WrittenMember> {
    return this.#members;
  }

  /** Bytes of members that were replaced or removed. */
  get unusedBytes(): number {
    return this.#unused;
  }

  /**
   * Adds a member, in place of one of the same name.
   *
   * @param append appends the content to the file, and to nothing else in it.
   */
  add(name: string, append: () => void): void {
    const headerPosition = this.#end;
    const header = encodeLocalHeader(name, 0, 0);
    this.#handle.write(headerPosition, header);
    const position = headerPosition + header.byteLength;
    try {
      append();
    } catch (error) {
      this.#cutBack(headerPosition);
      throw error;
    }
    this.#end = this.#handle.size();
    const byteLength = this.#end - position;
    const member = { name, headerPosition, position, byteLength, crc32: crcOf(this.#handle, position, byteLength) };
    this.#handle.write(headerPosition, encodeLocalHeader(name, byteLength, member.crc32));
    this.remove(name);
    this.#members.set(name, member);
  }

  /**
   * Adds a member with content out of another file.
   *
   * @throws FormatError `BLOSC2_FORMAT_CHECKSUM` if it has not the CRC-32 that is stated.
   */
  copy(name: string, from: CheckedHandle, source: { position: number; byteLength: number; crc32: number }): void {
    const headerPosition = this.#end;
    const header = encodeLocalHeader(name, source.byteLength, source.crc32);
    this.#handle.write(headerPosition, header);
    const position = headerPosition + header.byteLength;
    let crc = 0;
    for (let at = 0; at < source.byteLength; at += PIECE) {
      const piece = from.read(source.position + at, Math.min(PIECE, source.byteLength - at));
      crc = crc32(piece, crc);
      this.#handle.write(position + at, piece);
    }
    if (crc !== source.crc32) {
      this.#cutBack(headerPosition);
      throw wrongCrc(from.path, name, source.position, source.crc32, crc);
    }
    this.#end = position + source.byteLength;
    this.remove(name);
    this.#members.set(name, { ...source, name, headerPosition, position });
  }

  /** Leaves a member out. */
  remove(name: string): void {
    const member = this.#members.get(name);
    if (member === undefined) return;
    this.#unused += member.position + member.byteLength - member.headerPosition;
    this.#members.delete(name);
  }

  /** Writes the central directory and makes the file durable. */
  finish(): void {
    const start = this.#end;
    for (const member of this.#members.values()) {
      const record = encodeCentralRecord(member);
      this.#handle.write(this.#end, record);
      this.#end += record.byteLength;
    }
    const end = encodeEnd(this.#members.size, start, this.#end - start);
    this.#handle.write(this.#end, end);
    this.#handle.truncate(this.#end + end.byteLength);
    this.#handle.flush();
  }

  /** Gives up a member that could not be written: the next one goes where it would have been. */
  #cutBack(position: number): void {
    try {
      this.#handle.truncate(position);
    } catch (error) {
      // A file that takes no more has said why before.
      if (!isBlosc2Error(error, "BLOSC2_IO_HANDLE_FAILED")) throw error;
    }
  }
}

function encodeLocalHeader(name: string, byteLength: number, crc: number): Uint8Array {
  const { bytes: nameBytes, flags } = encodeName(name);
  const header = new Uint8Array(layout.LOCAL_HEADER_LENGTH + nameBytes.byteLength + LOCAL_EXTRA_LENGTH);
  const view = new DataView(header.buffer);
  const zip64 = byteLength >= layout.ALL_ONES_32;
  view.setUint32(0, layout.LOCAL_SIGNATURE, true);
  view.setUint16(4, zip64 ? layout.VERSION_ZIP64 : layout.VERSION_STORED, true);
  view.setUint16(layout.LOCAL_FLAGS, flags, true);
  view.setUint16(12, DOS_DATE, true);
  view.setUint32(layout.LOCAL_CRC32, crc, true);
  view.setUint32(layout.LOCAL_COMPRESSED_SIZE, zip64 ? layout.ALL_ONES_32 : byteLength, true);
  view.setUint32(layout.LOCAL_COMPRESSED_SIZE + 4, zip64 ? layout.ALL_ONES_32 : byteLength, true);
  view.setUint16(layout.LOCAL_NAME_LENGTH, nameBytes.byteLength, true);
  view.setUint16(layout.LOCAL_EXTRA_LENGTH, LOCAL_EXTRA_LENGTH, true);
  header.set(nameBytes, layout.LOCAL_HEADER_LENGTH);
  const extra = layout.LOCAL_HEADER_LENGTH + nameBytes.byteLength;
  view.setUint16(extra, zip64 ? layout.ZIP64_EXTRA_ID : layout.PADDING_EXTRA_ID, true);
  view.setUint16(extra + 2, LOCAL_EXTRA_LENGTH - layout.EXTRA_HEADER_LENGTH, true);
  if (zip64) {
    setUint64(view, extra + layout.EXTRA_HEADER_LENGTH, byteLength);
    setUint64(view, extra + layout.EXTRA_HEADER_LENGTH + 8, byteLength);
  }
  return header;
}

function encodeCentralRecord(member: WrittenMember): Uint8Array {
  const { bytes: nameBytes, flags } = encodeName(member.name);
  const largeSize = member.byteLength >= layout.ALL_ONES_32;
  const largePosition = member.headerPosition >= layout.ALL_ONES_32;
  const numbers = [
    ...(largeSize ? [member.byteLength, member.byteLength] : []),
    ...(largePosition ? [member.headerPosition] : []),
  ];
  const extraLength = numbers.length === 0 ? 0 : layout.EXTRA_HEADER_LENGTH + 8 * numbers.length;
  const record = new Uint8Array(layout.CENTRAL_HEADER_LENGTH + nameBytes.byteLength + extraLength);
  const view = new DataView(record.buffer);
  const version = numbers.length === 0 ? layout.VERSION_STORED : layout.VERSION_ZIP64;
  view.setUint32(0, layout.CENTRAL_SIGNATURE, true);
  view.setUint16(4, version, true);
  view.setUint16(6, version, true);
  view.setUint16(layout.CENTRAL_FLAGS, flags, true);
  view.setUint16(14, DOS_DATE, true);
  view.setUint32(layout.CENTRAL_CRC32, member.crc32, true);
  view.setUint32(layout.CENTRAL_COMPRESSED_SIZE, largeSize ? layout.ALL_ONES_32 : member.byteLength, true);
  view.setUint32(layout.CENTRAL_SIZE, largeSize ? layout.ALL_ONES_32 : member.byteLength, true);
  view.setUint16(layout.CENTRAL_NAME_LENGTH, nameBytes.byteLength, true);
  view.setUint16(layout.CENTRAL_EXTRA_LENGTH, extraLength, true);
  view.setUint32(layout.CENTRAL_LOCAL_OFFSET, largePosition ? layout.ALL_ONES_32 : member.headerPosition, true);
  record.set(nameBytes, layout.CENTRAL_HEADER_LENGTH);
  if (numbers.length > 0) {
    const extra = layout.CENTRAL_HEADER_LENGTH + nameBytes.byteLength;
    view.setUint16(extra, layout.ZIP64_EXTRA_ID, true);
    view.setUint16(extra + 2, 8 * numbers.length, true);
    numbers.forEach((value, i) => {
      setUint64(view, extra + layout.EXTRA_HEADER_LENGTH + 8 * i, value);
    });
  }
  return record;
}

/** The end record, after a zip64 one and its locator where the numbers need them. */
function encodeEnd(entries: number, position: number, byteLength: number): Uint8Array {
  const zip64 = entries >= layout.ALL_ONES_16 || position >= layout.ALL_ONES_32 || byteLength >= layout.ALL_ONES_32;
  const zip64Length = zip64 ? layout.ZIP64_END_LENGTH + layout.ZIP64_LOCATOR_LENGTH : 0;
  const bytes = new Uint8Array(zip64Length + layout.END_LENGTH);
  const view = new DataView(bytes.buffer);
  if (zip64) {
    view.setUint32(0, layout.ZIP64_END_SIGNATURE, true);
    // The record's size does not count its signature and this field.
    setUint64(view, layout.ZIP64_END_RECORD_SIZE, layout.ZIP64_END_LENGTH - 12);
    view.setUint16(12, layout.VERSION_ZIP64, true);
    view.setUint16(14, layout.VERSION_ZIP64, true);
    setUint64(view, layout.ZIP64_END_DISK_ENTRIES, entries);
    setUint64(view, layout.ZIP64_END_ENTRIES, entries);
    setUint64(view, layout.ZIP64_END_DIRECTORY_SIZE, byteLength);
    setUint64(view, layout.ZIP64_END_DIRECTORY_OFFSET, position);
    const locator = layout.ZIP64_END_LENGTH;
    view.setUint32(locator, layout.ZIP64_LOCATOR_SIGNATURE, true);
    setUint64(view, locator + layout.ZIP64_LOCATOR_END_OFFSET, position + byteLength);
    view.setUint32(locator + 16, 1, true);
  }
  view.setUint32(zip64Length, layout.END_SIGNATURE, true);
  view.setUint16(zip64Length + layout.END_DISK_ENTRIES, zip64 ? layout.ALL_ONES_16 : entries, true);
  view.setUint16(zip64Length + layout.END_ENTRIES, zip64 ? layout.ALL_ONES_16 : entries, true);
  view.setUint32(zip64Length + layout.END_DIRECTORY_SIZE, zip64 ? layout.ALL_ONES_32 : byteLength, true);
  view.setUint32(zip64Length + layout.END_DIRECTORY_OFFSET, zip64 ? layout.ALL_ONES_32 : position, true);
  return bytes;
}
