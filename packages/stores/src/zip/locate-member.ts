/** Where the content of a ZIP member lies. @module */
import { FormatError, type IoHandle, UnsupportedError } from "@b2frame/core";
import { crcText } from "./member-crc.js";
import type { ZipEntry } from "./zip-entry.js";
import { invalid, type Place } from "./zip-fault.js";
import * as layout from "./zip-layout.js";

/** The names of the methods that archives of people have; others go by number. */
const METHOD_NAMES: Readonly<Record<number, string>> = {
  8: "deflate",
  9: "deflate64",
  12: "bzip2",
  14: "lzma",
  93: "zstd",
  95: "xz",
};

/** Throws unless the member is stored as it is. */
export function requireStored(entry: ZipEntry, path: string): void {
  const encrypted = (entry.flags & layout.FLAG_ENCRYPTED) !== 0;
  if (entry.method === layout.METHOD_STORED && !encrypted) return;
  const how = encrypted ? "encrypted" : `compressed (${METHOD_NAMES[entry.method] ?? `method ${entry.method}`})`;
  throw new UnsupportedError(
    "BLOSC2_UNSUPPORTED",
    `${path}: member "${entry.name}" is ${how}; a .b2z is read in place, so its members must be stored: unzip it and open ` +
      "the directory instead",
    { feature: encrypted ? "encrypted members" : "compressed members", path, member: entry.name, method: entry.method },
  );
}

/** A local header and the name after it. */
interface LocalHeader {
  readonly place: Place;
  readonly view: DataView;
  readonly name: Uint8Array;
}

function readLocalHeader(handle: IoHandle, entry: ZipEntry, path: string): LocalHeader {
  const place = { path, structure: `local header of zip member "${entry.name}"`, position: entry.headerPosition };
  const bytes = handle.read(entry.headerPosition, layout.LOCAL_HEADER_LENGTH + entry.nameBytes.byteLength).slice();
  return {
    place,
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    name: bytes.subarray(layout.LOCAL_HEADER_LENGTH),
  };
}

/** @throws FormatError unless the local header is one, of a member that is stored in the same way */
function requireSameKind(local: LocalHeader, entry: ZipEntry): void {
  const { view } = local;
  const signature = view.getUint32(0, true);
  if (signature !== layout.LOCAL_SIGNATURE) {
    const hex = (value: number): string => `0x${value.toString(16)}`;
    throw invalid(local.place, "signature", 0, hex(layout.LOCAL_SIGNATURE), hex(signature));
  }
  const method = view.getUint16(layout.LOCAL_METHOD, true);
  if (method !== entry.method) throw invalid(local.place, "method", layout.LOCAL_METHOD, entry.method, method);
  const flags = view.getUint16(layout.LOCAL_FLAGS, true);
  if (((flags ^ entry.flags) & layout.FLAG_ENCRYPTED) !== 0) {
    throw invalid(local.place, "flags", layout.LOCAL_FLAGS, entry.flags, flags);
  }
}

function requireSameName({ place, view, name }: LocalHeader, { name: expected, nameBytes }: ZipEntry): void {
  const found = view.getUint16(layout.LOCAL_NAME_LENGTH, true);
  if (found !== nameBytes.byteLength) {
    throw invalid(place, "name length", layout.LOCAL_NAME_LENGTH, nameBytes.byteLength, found);
  }
  if (name.some((byte, i) => byte !== nameBytes[i])) {
    throw invalid(place, "name", layout.LOCAL_HEADER_LENGTH, expected, "another name");
  }
}

/**
 * Holds the name of a member, stored or not, against the one in its local header: by damage to the end of a name a frame would pass for
 * a file that is none.
 *
 * @throws FormatError; IoError
 */
export function requireNamed(handle: IoHandle, entry: ZipEntry, path: string): void {
  const local = readLocalHeader(handle, entry, path);
  requireSameKind(local, entry);
  requireSameName(local, entry);
}

/**
 * The absolute position of a stored member's content. Checks the local header against the central directory.
 *
 * @throws UnsupportedError for a compressed or encrypted member; FormatError; IoError
 */
export function locateMember(handle: IoHandle, entry: ZipEntry, path: string): number {
  requireStored(entry, path);
  const nameLength = entry.nameBytes.byteLength;
  const local = readLocalHeader(handle, entry, path);
  requireSameKind(local, entry);
  requireSameName(local, entry);
  const { place, view } = local;
  const extraLength = view.getUint16(layout.LOCAL_EXTRA_LENGTH, true);
  const position = entry.headerPosition + layout.LOCAL_HEADER_LENGTH + nameLength + extraLength;
  if (position + entry.size > entry.limit) {
    throw new FormatError("BLOSC2_FORMAT_BAD_OFFSET", {
      ...place,
      field: "end of the content",
      offset: layout.LOCAL_EXTRA_LENGTH,
      expected: `at most ${entry.limit}, where the next structure begins`,
      found: position + entry.size,
    });
  }
  return position;
}

/**
 * Holds what a local header says once more against the central directory. Readers go by the latter, so this is no reason to refuse the
 * member, but a sign of damage.
 *
 * @throws FormatError; IoError
 */
export function requireSameFacts(handle: IoHandle, entry: ZipEntry, path: string): void {
  const local = readLocalHeader(handle, entry, path);
  requireSameKind(local, entry);
  const { view } = local;
  // What follows the content says them then.
  if ((entry.flags & layout.FLAG_DESCRIPTOR) !== 0) return;
  const crc = view.getUint32(layout.LOCAL_CRC32, true);
  if (crc !== entry.crc32) {
    throw invalid(local.place, "CRC-32", layout.LOCAL_CRC32, crcText(entry.crc32), crcText(crc));
  }
  for (const [field, offset, expected] of [
    ["compressed size", layout.LOCAL_COMPRESSED_SIZE, entry.compressedSize],
    ["size", layout.LOCAL_SIZE, entry.size],
  ] as const) {
    const found = view.getUint32(offset, true);
    if (found === expected || (found === layout.ALL_ONES_32 && hasZip64(handle, entry, view))) continue;
    throw invalid(local.place, field, offset, expected, found);
  }
}

/** Whether sizes of all ones stand for those of a zip64 field. */
function hasZip64(handle: IoHandle, entry: ZipEntry, view: DataView): boolean {
  const extraLength = view.getUint16(layout.LOCAL_EXTRA_LENGTH, true);
  if (extraLength < layout.EXTRA_HEADER_LENGTH) return false;
  const start = entry.headerPosition + layout.LOCAL_HEADER_LENGTH + entry.nameBytes.byteLength;
  const id = handle.read(start, layout.EXTRA_HEADER_LENGTH);
  return ((id[0] as number) | ((id[1] as number) << 8)) === layout.ZIP64_EXTRA_ID;
}
