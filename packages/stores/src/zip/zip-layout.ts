/**
 * The fixed numbers of the ZIP format (APPNOTE), as far as stored members need them.
 *
 * ```text
 * member:            local header | name | extra field | data
 * central directory: one record a member: central header | name | extra field | comment
 * end:               [zip64 end record | zip64 locator |] end record | comment
 * ```
 *
 * Numbers are little-endian. A 32-bit field of all ones says that the number is in the zip64 extra field.
 *
 * @module
 */

export const LOCAL_SIGNATURE = 0x04034b50;
export const LOCAL_HEADER_LENGTH = 30;
export const LOCAL_FLAGS = 6;
export const LOCAL_METHOD = 8;
export const LOCAL_CRC32 = 14;
export const LOCAL_COMPRESSED_SIZE = 18;
export const LOCAL_SIZE = 22;
export const LOCAL_NAME_LENGTH = 26;
export const LOCAL_EXTRA_LENGTH = 28;

export const CENTRAL_SIGNATURE = 0x02014b50;
export const CENTRAL_HEADER_LENGTH = 46;
export const CENTRAL_FLAGS = 8;
export const CENTRAL_METHOD = 10;
export const CENTRAL_CRC32 = 16;
export const CENTRAL_COMPRESSED_SIZE = 20;
export const CENTRAL_SIZE = 24;
export const CENTRAL_NAME_LENGTH = 28;
export const CENTRAL_EXTRA_LENGTH = 30;
export const CENTRAL_COMMENT_LENGTH = 32;
export const CENTRAL_DISK = 34;
export const CENTRAL_LOCAL_OFFSET = 42;

export const END_SIGNATURE = 0x06054b50;
export const END_LENGTH = 22;
export const END_DISK = 4;
export const END_DIRECTORY_DISK = 6;
export const END_DISK_ENTRIES = 8;
export const END_ENTRIES = 10;
export const END_DIRECTORY_SIZE = 12;
export const END_DIRECTORY_OFFSET = 16;
export const END_COMMENT_LENGTH = 20;

export const ZIP64_LOCATOR_SIGNATURE = 0x07064b50;
export const ZIP64_LOCATOR_LENGTH = 20;
export const ZIP64_LOCATOR_END_OFFSET = 8;

export const ZIP64_END_SIGNATURE = 0x06064b50;
/** Without the extensible part, which nothing writes. */
export const ZIP64_END_LENGTH = 56;
export const ZIP64_END_RECORD_SIZE = 4;
export const ZIP64_END_DISK_ENTRIES = 24;
export const ZIP64_END_ENTRIES = 32;
export const ZIP64_END_DIRECTORY_SIZE = 40;
export const ZIP64_END_DIRECTORY_OFFSET = 48;

export const ZIP64_EXTRA_ID = 0x0001;
/** An extra field that readers skip; it keeps room for a zip64 one. */
export const PADDING_EXTRA_ID = 0xd935;
export const EXTRA_HEADER_LENGTH = 4;

export const METHOD_STORED = 0;
export const FLAG_ENCRYPTED = 0x0001;
/** Sum and sizes follow the content, and the local header has zeros. */
export const FLAG_DESCRIPTOR = 0x0008;
/** The name is UTF-8; without it, it is in code page 437. */
export const FLAG_UTF8 = 0x0800;

/** A field of this value stands for the zip64 one. */
export const ALL_ONES_16 = 0xffff;
export const ALL_ONES_32 = 0xffffffff;
export const VERSION_STORED = 20;
export const VERSION_ZIP64 = 45;
