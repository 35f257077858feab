/** Entries that are one chunk. @module */
import { Chunk, chunkFromBytes, defaultEnvironment } from "@b2frame/core/codec";
import { requireBytes, requireSame, sha256 } from "./facts.js";
import type { Entry, ExpectedBytes } from "./manifest.js";
import type { OpenOptions } from "./setup.js";

/** The manifest's names of the chunk header's fields, and ours. */
const HEADER_FIELDS = ["version", "versionlz", "flags", "typesize", "nbytes", "blocksize", "cbytes"] as const;

const MAX_HEADER_TYPESIZE = 255;
const EXTENDED_HEADER_LENGTH = 32;

/** Opens bytes that are one chunk. */
export function openChunk(bytes: Uint8Array, options: OpenOptions): Chunk {
  return Chunk.open(chunkFromBytes(bytes), defaultEnvironment(options));
}

/** @throws Mismatch unless the chunk's variable-length blocks are the expected ones. */
export function requireVlBlocks(expected: readonly ExpectedBytes[], chunk: Chunk): void {
  const blocks = chunk.vlBlocks();
  requireSame("number of blocks", expected.length, blocks.length);
  for (const [index, block] of blocks.entries())
    requireBytes(`block ${index}`, expected[index] as ExpectedBytes, block);
}

function requireHeader(entry: Entry, { header }: Chunk): void {
  requireSame("typesize", entry.typesize > MAX_HEADER_TYPESIZE ? 1 : entry.typesize, header.typesize);
  requireSame("blocksize", entry.blocksize, header.blocksize);
  if (header.cbytes > (entry.length ?? 0)) requireSame("cbytes", entry.length, header.cbytes);
  if (entry.has_dict !== undefined) requireSame("dictionary", entry.has_dict, header.dictionary);
  if (entry.header === undefined) return;
  for (const field of HEADER_FIELDS) requireSame(field, entry.header[field], header[field]);
  requireSame("extended", entry.header.extended, header.headerLength === EXTENDED_HEADER_LENGTH);
}

/**
 * Checks the header, the whole content, item ranges and variable-length blocks.
 *
 * @throws Mismatch, or what b2frame threw.
 */
export function checkChunk(entry: Entry, bytes: Uint8Array, options: OpenOptions): void {
  const chunk = openChunk(bytes, options);
  requireHeader(entry, chunk);
  requireSame("nbytes", entry.nbytes, chunk.nbytes);
  const content = chunk.decompress();
  requireSame("decompressed bytes", entry.nbytes, content.byteLength);
  if (!entry.uninit) {
    const defined = content.subarray(0, entry.nbytes - (entry.undefined_tail ?? 0));
    requireBytes("content", { nbytes: defined.byteLength, sha256: entry.sha256 }, defined);
    if (entry.hex !== undefined) requireBytes("content", { nbytes: entry.nbytes, hex: entry.hex }, content);
  }
  for (const { start, nitems, sha256: expected } of entry.getitem ?? []) {
    requireSame(`items ${start}..${start + nitems}`, expected, sha256(chunk.readItems(start, nitems)));
  }
  if (entry.vlblocks !== undefined) requireVlBlocks(entry.vlblocks, chunk);
}
