/** Telling what a file is by its first bytes. The only place where that is done. @module */
import { FormatError } from "../errors.js";
import { FRAME_MAGIC } from "./frame-layout.js";

/** Kinds of files that are told apart. `"other"`: none of these. */
export type FileKind =
  | "frame"
  | "zip"
  | "npy"
  | "hdf5"
  | "netcdf"
  | "gzip"
  | "zstd"
  | "bzip2"
  | "xz"
  | "html"
  | "xml"
  | "json"
  | "png"
  | "tiff"
  | "pdf"
  | "parquet"
  | "lfs-pointer"
  | "blosc-chunk"
  | "zeros"
  | "empty"
  | "other";

/** Bytes from the start of a file that {@link fileKindOf} wants to see; less if the file is shorter. */
export const FILE_HEAD_LENGTH = 512;

/** First bytes, as characters of latin-1. */
const STARTS: readonly (readonly [string, FileKind])[] = [
  [String.fromCharCode(...FRAME_MAGIC), "frame"],
  ["PK\x03\x04", "zip"],
  ["PK\x05\x06", "zip"],
  ["PK\x07\x08", "zip"],
  ["\x93NUMPY", "npy"],
  ["\x89HDF\r\n\x1a\n", "hdf5"],
  ["CDF\x01", "netcdf"],
  ["CDF\x02", "netcdf"],
  ["CDF\x05", "netcdf"],
  ["\x1f\x8b", "gzip"],
  ["\x28\xb5\x2f\xfd", "zstd"],
  ["BZh", "bzip2"],
  ["\xfd7zXZ\x00", "xz"],
  ["\x89PNG\r\n\x1a\n", "png"],
  ["II*\x00", "tiff"],
  ["MM\x00*", "tiff"],
  ["%PDF-", "pdf"],
  ["PAR1", "parquet"],
  ["version https://git-lfs", "lfs-pointer"],
];

/** What text begins with, in lower case and without spaces before it. */
const TEXT_STARTS: readonly (readonly [string, FileKind])[] = [
  ["<!doctype html", "html"],
  ["<html", "html"],
  ["<head", "html"],
  ["<body", "html"],
  ["<?xml", "xml"],
  ["{", "json"],
];

/** Header bytes of a chunk, and where it says its own length. */
const CHUNK_HEADER_LENGTH = 16;
const CHUNK_CBYTES = 12;
const MAX_CHUNK_VERSION = 6;

/**
 * What a file is.
 *
 * @param head its first bytes, {@link FILE_HEAD_LENGTH} of them if there are so many.
 * @param byteLength of the file, if that is known.
 * @example
 * ```ts
 * fileKindOf(Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59)); // "npy"
 * ```
 */
export function fileKindOf(head: Uint8Array, byteLength?: number): FileKind {
  if (head.byteLength === 0) return "empty";
  const text = String.fromCharCode(...head.subarray(0, FILE_HEAD_LENGTH));
  const start = STARTS.find(([first]) => text.startsWith(first));
  if (start !== undefined) return start[1];
  const words = text
    .replace(/^\xef\xbb\xbf/, "")
    .trimStart()
    .toLowerCase();
  const textStart = TEXT_STARTS.find(([first]) => words.startsWith(first));
  if (textStart !== undefined) return textStart[1];
  if (head.every((byte) => byte === 0)) return "zeros";
  return isChunk(head, byteLength) ? "blosc-chunk" : "other";
}

/** Whether it is one chunk and nothing else: it says its own length. */
function isChunk(head: Uint8Array, byteLength: number | undefined): boolean {
  if (byteLength === undefined || head.byteLength < CHUNK_HEADER_LENGTH) return false;
  const version = head[0] as number;
  const cbytes = new DataView(head.buffer, head.byteOffset).getUint32(CHUNK_CBYTES, true);
  return version > 0 && version <= MAX_CHUNK_VERSION && cbytes === byteLength;
}

/** What a file of each kind is, and what to do with it. */
const ADVICE: Readonly<Record<Exclude<FileKind, "frame" | "other">, readonly [what: string, advice: string]>> = {
  zip: ["a ZIP file", "if it is a .b2z store, open it with openStore()"],
  npy: ["a NumPy .npy file", "make a frame of it with `b2frame pack`, or read it with decodeNpy()"],
  hdf5: ["an HDF5 file", "read it with h5py or h5wasm, and store its arrays with asarray()"],
  netcdf: ["a netCDF file", "read it with a netCDF library, and store its arrays with asarray()"],
  gzip: ["gzip data", "decompress it with gunzip first"],
  zstd: ["zstd data without a frame around it", "decompress it with `zstd -d` first"],
  bzip2: ["bzip2 data", "decompress it with bunzip2 first"],
  xz: ["xz data", "decompress it with unxz first"],
  html: ["an HTML page", "a server sent it in the place of the file; check the address and fetch the file again"],
  xml: [
    "an XML document",
    "a server may have sent it in the place of the file; check the address and fetch the file again",
  ],
  json: [
    "JSON text",
    "a server may have sent it in the place of the file; of a Zarr array, open the folder with a Zarr library",
  ],
  png: ["a PNG image", "read it with an image library"],
  tiff: ["a TIFF image", "read it with an image library"],
  pdf: ["a PDF document", "check that it is the right file"],
  parquet: ["a Parquet file", "read it with a Parquet library"],
  "lfs-pointer": ["a pointer of Git LFS", "fetch the file itself with `git lfs pull`"],
  "blosc-chunk": ["a single Blosc chunk without a frame", "decompress it with Chunk of @b2frame/core"],
  zeros: ["nothing but zeros", "its content never reached the disk; write it or fetch it again"],
  empty: ["an empty file", "it was cut, or its writer has not committed yet; write it or fetch it again"],
};

/** One clause about a file that is no frame: what it is, and what to do. `undefined` for frames and unknown files. */
export function describeForeignFile(kind: FileKind): string | undefined {
  if (kind === "frame" || kind === "other") return undefined;
  const [what, advice] = ADVICE[kind];
  return `${what}: ${advice}`;
}

/**
 * Refuses a file that is known to be no frame. Left to who opens files: readers of small bundles say what their header lacks.
 *
 * @param head the first bytes of what is to be a frame.
 * @throws FormatError that says what it is, and what to do with it
 */
export function refuseForeignFile(head: Uint8Array, path: string | undefined, position: number): void {
  const kind = fileKindOf(head);
  const found = describeForeignFile(kind);
  if (found === undefined) return;
  throw new FormatError(kind === "empty" ? "BLOSC2_FORMAT_TRUNCATED" : "BLOSC2_FORMAT_BAD_MAGIC", {
    path,
    position,
    structure: "frame header",
    field: "magic",
    expected: "a Blosc2 frame",
    found,
  });
}
