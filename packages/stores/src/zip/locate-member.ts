/** Where the content of a ZIP member lies. @module */
import { FormatError, type IoHandle, UnsupportedError } from "@b2frame/core";
import type { ZipEntry } from "./zip-entry.js";
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

/**
 * The absolute position of a stored member's content. Checks the local header against the central directory.
 *
 * @throws UnsupportedError for a compressed or encrypted member; FormatError; IoError
 */
export function locateMember(handle: IoHandle, entry: ZipEntry, path: string): number {
  requireStored(entry, path);
  const place = { path, structure: `local header of zip member "${entry.name}"`, position: entry.headerPosition };
  const invalid = (field: string, offset: number, expected: string | number, found: string | number): FormatError =>
    new FormatError("BLOSC2_FORMAT_INVALID", { ...place, field, offset, expected, found });
  const nameLength = entry.nameBytes.byteLength;
  const bytes = handle.read(entry.headerPosition, layout.LOCAL_HEADER_LENGTH + nameLength).slice();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const signature = view.getUint32(0, true);
  if (signature !== layout.LOCAL_SIGNATURE) {
    throw invalid("signature", 0, `0x${layout.LOCAL_SIGNATURE.toString(16)}`, `0x${signature.toString(16)}`);
  }
  const method = view.getUint16(layout.LOCAL_METHOD, true);
  if (method !== entry.method) throw invalid("method", layout.LOCAL_METHOD, entry.method, method);
  const localFlags = view.getUint16(layout.LOCAL_FLAGS, true);
  if ((localFlags & layout.FLAG_ENCRYPTED) !== 0) throw invalid("flags", layout.LOCAL_FLAGS, entry.flags, localFlags);
  const found = view.getUint16(layout.LOCAL_NAME_LENGTH, true);
  if (found !== nameLength) throw invalid("name length", layout.LOCAL_NAME_LENGTH, nameLength, found);
  const name = bytes.subarray(layout.LOCAL_HEADER_LENGTH);
  if (name.some((byte, i) => byte !== entry.nameBytes[i])) {
    throw invalid("name", layout.LOCAL_HEADER_LENGTH, entry.name, "another name");
  }
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
