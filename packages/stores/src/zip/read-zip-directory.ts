/**
 * Reading the central directory of a ZIP file. No size or position in it is believed: each is held against the file and
 * against the other members before it is used.
 *
 * @module
 */
import { Blosc2Error, FormatError, type IoHandle } from "@b2frame/core";
import type { ZipEntry } from "./zip-entry.js";
import { invalid, type Place } from "./zip-fault.js";
import * as layout from "./zip-layout.js";
import { decodeName } from "./zip-name.js";

function truncated(place: Place, expected: string, found: string): FormatError {
  return new FormatError("BLOSC2_FORMAT_TRUNCATED", { ...place, field: "bytes", expected, found });
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A 64-bit field that must be a safe integer. */
function uint64(view: DataView, offset: number, place: Place, field: string): number {
  const value = view.getBigUint64(offset, true);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw invalid(place, field, offset, "less than 2^53", value.toString());
  return Number(value);
}

/** Where the central directory is, and how many records it has. */
interface DirectoryPlace {
  readonly position: number;
  readonly byteLength: number;
  readonly entries: number;
}

/** The end record's bytes and position: the last one in the file whose comment ends with the file. */
function findEnd(handle: IoHandle, path: string): { view: DataView; position: number } {
  const size = handle.size();
  const place: Place = { path, structure: "zip end record", position: 0 };
  if (size < layout.END_LENGTH) throw truncated(place, `at least ${layout.END_LENGTH} bytes`, `${size} bytes`);
  const tailLength = Math.min(size, layout.END_LENGTH + layout.ALL_ONES_16);
  const tail = handle.read(size - tailLength, tailLength).slice();
  const view = viewOf(tail);
  for (let at = tailLength - layout.END_LENGTH; at >= 0; at--) {
    if (view.getUint32(at, true) !== layout.END_SIGNATURE) continue;
    const comment = view.getUint16(at + layout.END_COMMENT_LENGTH, true);
    if (at + layout.END_LENGTH + comment !== tailLength) continue;
    return { view: viewOf(tail.subarray(at, at + layout.END_LENGTH)), position: size - tailLength + at };
  }
  throw new FormatError("BLOSC2_FORMAT_BAD_MAGIC", {
    ...place,
    position: size - tailLength,
    field: "signature",
    expected: "the record at the end of the file (a cut file has none)",
    found: "none",
  });
}

function findDirectory(handle: IoHandle, path: string): DirectoryPlace {
  const end = findEnd(handle, path);
  const { view } = end;
  const place: Place = { path, structure: "zip end record", position: end.position };
  for (const field of [layout.END_DISK, layout.END_DIRECTORY_DISK]) {
    const disk = view.getUint16(field, true);
    if (disk !== 0 && disk !== layout.ALL_ONES_16) throw invalid(place, "disk number", field, 0, disk);
  }
  const directory = {
    position: view.getUint32(layout.END_DIRECTORY_OFFSET, true),
    byteLength: view.getUint32(layout.END_DIRECTORY_SIZE, true),
    entries: view.getUint16(layout.END_ENTRIES, true),
  };
  const onDisk = view.getUint16(layout.END_DISK_ENTRIES, true);
  if (onDisk !== directory.entries) {
    throw invalid(place, "number of records", layout.END_DISK_ENTRIES, directory.entries, onDisk);
  }
  const needsZip64 =
    directory.position === layout.ALL_ONES_32 ||
    directory.byteLength === layout.ALL_ONES_32 ||
    directory.entries === layout.ALL_ONES_16;
  const locatorPosition = end.position - layout.ZIP64_LOCATOR_LENGTH;
  const zip64 = locatorPosition >= 0 ? readZip64End(handle, path, locatorPosition) : undefined;
  if (zip64 === undefined && needsZip64 && directory.position === layout.ALL_ONES_32) {
    throw invalid(place, "zip64 locator", -layout.ZIP64_LOCATOR_LENGTH, "one before the end record", "none");
  }
  const found = zip64 ?? { ...directory, endPosition: end.position };
  if (found.position + found.byteLength !== found.endPosition) {
    throw new FormatError("BLOSC2_FORMAT_BAD_OFFSET", {
      ...place,
      field: "end of the central directory",
      offset: layout.END_DIRECTORY_OFFSET,
      expected: found.endPosition,
      found: found.position + found.byteLength,
    });
  }
  if (found.entries * layout.CENTRAL_HEADER_LENGTH > found.byteLength) {
    const most = Math.floor(found.byteLength / layout.CENTRAL_HEADER_LENGTH);
    throw invalid(place, "number of records", layout.END_ENTRIES, `at most ${most}`, found.entries);
  }
  return found;
}

function readZip64End(
  handle: IoHandle,
  path: string,
  locatorPosition: number,
): (DirectoryPlace & { endPosition: number }) | undefined {
  const locator = viewOf(handle.read(locatorPosition, layout.ZIP64_LOCATOR_LENGTH).slice());
  if (locator.getUint32(0, true) !== layout.ZIP64_LOCATOR_SIGNATURE) return undefined;
  const locatorPlace: Place = { path, structure: "zip64 locator", position: locatorPosition };
  const endPosition = uint64(locator, layout.ZIP64_LOCATOR_END_OFFSET, locatorPlace, "zip64 end record offset");
  if (endPosition > locatorPosition - layout.ZIP64_END_LENGTH) {
    const most = locatorPosition - layout.ZIP64_END_LENGTH;
    throw invalid(
      locatorPlace,
      "zip64 end record offset",
      layout.ZIP64_LOCATOR_END_OFFSET,
      `at most ${most}`,
      endPosition,
    );
  }
  const place: Place = { path, structure: "zip64 end record", position: endPosition };
  const view = viewOf(handle.read(endPosition, layout.ZIP64_END_LENGTH).slice());
  const signature = view.getUint32(0, true);
  if (signature !== layout.ZIP64_END_SIGNATURE) {
    throw invalid(place, "signature", 0, `0x${layout.ZIP64_END_SIGNATURE.toString(16)}`, `0x${signature.toString(16)}`);
  }
  const recordSize = uint64(view, layout.ZIP64_END_RECORD_SIZE, place, "record size");
  if (endPosition + 12 + recordSize !== locatorPosition) {
    const expected = locatorPosition - endPosition - 12;
    throw invalid(place, "record size", layout.ZIP64_END_RECORD_SIZE, expected, recordSize);
  }
  const entries = uint64(view, layout.ZIP64_END_ENTRIES, place, "number of records");
  const onDisk = uint64(view, layout.ZIP64_END_DISK_ENTRIES, place, "number of records on this disk");
  if (onDisk !== entries) throw invalid(place, "number of records", layout.ZIP64_END_DISK_ENTRIES, entries, onDisk);
  return {
    entries,
    byteLength: uint64(view, layout.ZIP64_END_DIRECTORY_SIZE, place, "central directory size"),
    position: uint64(view, layout.ZIP64_END_DIRECTORY_OFFSET, place, "central directory offset"),
    endPosition,
  };
}

/** Sizes and position of a record, out of its zip64 extra field where the 32-bit fields say so. */
function sizesOf(
  record: DataView,
  extra: Uint8Array,
  place: Place,
): Pick<ZipEntry, "size" | "compressedSize" | "headerPosition"> {
  const fields = [
    { name: "size", offset: layout.CENTRAL_SIZE },
    { name: "compressed size", offset: layout.CENTRAL_COMPRESSED_SIZE },
    { name: "local header offset", offset: layout.CENTRAL_LOCAL_OFFSET },
  ];
  const zip64 = findExtra(extra, place);
  const view = zip64 === undefined ? undefined : viewOf(zip64);
  let at = 0;
  const [size, compressedSize, headerPosition] = fields.map(({ name, offset }) => {
    const value = record.getUint32(offset, true);
    if (value !== layout.ALL_ONES_32 || view === undefined) return value;
    if (at + 8 > view.byteLength) {
      throw invalid(place, `${name} in the zip64 extra field`, offset, "8 bytes", `${view.byteLength - at} bytes`);
    }
    at += 8;
    return uint64(view, at - 8, place, name);
  });
  return { size, compressedSize, headerPosition } as Pick<ZipEntry, "size" | "compressedSize" | "headerPosition">;
}

/** The content of the zip64 extra field, if there is one. Fields of other programs may be malformed; they are left alone. */
function findExtra(extra: Uint8Array, place: Place): Uint8Array | undefined {
  const view = viewOf(extra);
  for (let at = 0; at + layout.EXTRA_HEADER_LENGTH <= extra.byteLength; ) {
    const id = view.getUint16(at, true);
    const length = view.getUint16(at + 2, true);
    at += layout.EXTRA_HEADER_LENGTH;
    if (id === layout.ZIP64_EXTRA_ID) {
      if (at + length > extra.byteLength) {
        throw invalid(
          place,
          "zip64 extra field",
          layout.CENTRAL_EXTRA_LENGTH,
          `${length} bytes`,
          extra.byteLength - at,
        );
      }
      return extra.subarray(at, at + length);
    }
    at += length;
  }
  return undefined;
}

/**
 * The members of a ZIP file, by name; entries of directories are left out.
 *
 * @param maxAllocation most bytes to take for the directory.
 * @throws FormatError for anything that contradicts itself or the file: cut files, positions outside, members that overlap or
 * share a name, archives of several disks; Blosc2Error `BLOSC2_LIMIT_EXCEEDED`; IoError
 */
export function readZipDirectory(handle: IoHandle, path: string, maxAllocation: number): Map<string, ZipEntry> {
  const directory = findDirectory(handle, path);
  if (directory.byteLength > maxAllocation) {
    throw new Blosc2Error(
      "BLOSC2_LIMIT_EXCEEDED",
      `${path}: zip central directory: ${directory.byteLength} bytes exceed the limit maxAllocation ${maxAllocation}`,
      { path, limit: "maxAllocation", expected: maxAllocation, found: directory.byteLength },
    );
  }
  const bytes = handle.read(directory.position, directory.byteLength).slice();
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let i = 0; i < directory.entries; i++) {
    const place: Place = { path, structure: `zip central directory record ${i}`, position: directory.position + at };
    const { entry, byteLength } = readRecord(bytes, at, place);
    at += byteLength;
    entries.push(entry);
  }
  if (at !== bytes.byteLength) {
    throw invalid(
      { path, structure: "zip central directory", position: directory.position },
      "byte length of the records",
      0,
      bytes.byteLength,
      at,
    );
  }
  return checkTogether(entries, directory.position, path);
}

function readRecord(bytes: Uint8Array, at: number, place: Place): { entry: ZipEntry; byteLength: number } {
  const available = bytes.byteLength - at;
  if (available < layout.CENTRAL_HEADER_LENGTH) {
    throw truncated(place, `${layout.CENTRAL_HEADER_LENGTH} bytes`, `${available} bytes`);
  }
  const record = viewOf(bytes.subarray(at, at + layout.CENTRAL_HEADER_LENGTH));
  const signature = record.getUint32(0, true);
  if (signature !== layout.CENTRAL_SIGNATURE) {
    throw invalid(place, "signature", 0, `0x${layout.CENTRAL_SIGNATURE.toString(16)}`, `0x${signature.toString(16)}`);
  }
  const nameLength = record.getUint16(layout.CENTRAL_NAME_LENGTH, true);
  const extraLength = record.getUint16(layout.CENTRAL_EXTRA_LENGTH, true);
  const commentLength = record.getUint16(layout.CENTRAL_COMMENT_LENGTH, true);
  const byteLength = layout.CENTRAL_HEADER_LENGTH + nameLength + extraLength + commentLength;
  if (byteLength > available) throw truncated(place, `${byteLength} bytes`, `${available} bytes`);
  const nameAt = at + layout.CENTRAL_HEADER_LENGTH;
  const nameBytes = bytes.subarray(nameAt, nameAt + nameLength);
  const flags = record.getUint16(layout.CENTRAL_FLAGS, true);
  const name = decodeName(nameBytes, flags);
  if (name === undefined || name === "" || name.includes("\0")) {
    throw invalid(place, "name", layout.CENTRAL_HEADER_LENGTH, "a non-empty name", "bytes that are none");
  }
  const disk = record.getUint16(layout.CENTRAL_DISK, true);
  if (disk !== 0 && disk !== layout.ALL_ONES_16) {
    // The end record has said that there is one.
    throw invalid(place, "disk number", layout.CENTRAL_DISK, 0, disk);
  }
  const extra = bytes.subarray(nameAt + nameLength, nameAt + nameLength + extraLength);
  const entry: ZipEntry = {
    name,
    nameBytes,
    flags,
    method: record.getUint16(layout.CENTRAL_METHOD, true),
    crc32: record.getUint32(layout.CENTRAL_CRC32, true),
    ...sizesOf(record, extra, place),
    limit: 0,
  };
  if (entry.method === layout.METHOD_STORED && entry.size !== entry.compressedSize) {
    throw invalid(
      place,
      `compressed size of "${name}", which is stored`,
      layout.CENTRAL_COMPRESSED_SIZE,
      entry.size,
      entry.compressedSize,
    );
  }
  return { entry, byteLength };
}

/** Checks that names are unique and that members lie one after the other before the central directory. */
function checkTogether(entries: readonly ZipEntry[], directoryPosition: number, path: string): Map<string, ZipEntry> {
  const byName = new Map<string, ZipEntry>();
  const inFile = [...entries].sort((a, b) => b.headerPosition - a.headerPosition);
  let limit = directoryPosition;
  for (const entry of inFile) {
    const least = entry.headerPosition + layout.LOCAL_HEADER_LENGTH + entry.nameBytes.byteLength + entry.compressedSize;
    const place: Place = { path, structure: `zip member "${entry.name}"`, position: entry.headerPosition };
    if (least > limit) {
      throw new FormatError("BLOSC2_FORMAT_BAD_OFFSET", {
        ...place,
        field: "end",
        expected: `at most ${limit}, where the next structure begins`,
        found: least,
      });
    }
    if (byName.has(entry.name)) throw invalid(place, "name", layout.LOCAL_HEADER_LENGTH, "unique", entry.name);
    byName.set(entry.name, { ...entry, limit });
    limit = entry.headerPosition;
  }
  const ordered = new Map<string, ZipEntry>();
  for (const { name } of entries) if (!name.endsWith("/")) ordered.set(name, byName.get(name) as ZipEntry);
  return ordered;
}
