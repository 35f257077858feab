/** Entries that are a frame. @module */
import { SChunk } from "@b2frame/core";
import { requireVlBlocks } from "./check-chunk.js";
import type { ObjectPlace } from "./corpus-files.js";
import { requireMetalayers, requireSame, sha256 } from "./facts.js";
import type { Entry, ExpectedChunk } from "./manifest.js";
import type { Setup } from "./setup.js";

const SPECIAL_NUMBERS: Readonly<Record<string, number>> = { zeros: 1, nan: 2, value: 3, uninit: 4 };
const SPLIT_MODES = [undefined, "always", "never", "auto", "forward_compat"];
const UNINITIALISED = 4;

/** Opens a frame where it lies. */
export function openFrame({ path, offset }: ObjectPlace, setup: Setup): SChunk {
  return SChunk.open(path, setup.backend, { offset, ...setup.options });
}

function requireHeader(entry: Entry, frame: SChunk): void {
  for (const field of ["nchunks", "nbytes", "cbytes", "typesize", "chunksize"] as const) {
    requireSame(field, entry[field], frame[field]);
  }
  requireSame("contiguous", entry.frame_type === 0, frame.contiguous);
  const { cparams } = frame;
  requireSame("compcode", entry.compcode, cparams.codec);
  requireSame("codec_meta", entry.codec_meta, cparams.codecMeta);
  requireSame("clevel", entry.clevel, cparams.clevel);
  requireSame("splitmode", SPLIT_MODES[entry.splitmode], cparams.splitmode);
  requireSame("use_dict", entry.use_dict === 1, cparams.useDict);
  requireSame("filters", entry.filters, [...cparams.filters]);
  requireSame("filters_meta", entry.filters_meta, [...cparams.filtersMeta]);
}

function requireChunk(expected: ExpectedChunk, frame: SChunk, index: number): void {
  const what = `chunk ${index}`;
  const chunk = frame.openChunk(index);
  requireSame(`${what}: nbytes`, expected.nbytes, chunk.nbytes);
  requireSame(`${what}: cbytes`, expected.cbytes, chunk.cbytes);
  requireSame(`${what}: blocksize`, expected.blocksize, chunk.header.blocksize);
  requireSame(`${what}: special`, expected.special, SPECIAL_NUMBERS[chunk.special ?? ""] ?? 0);
  if (expected.special !== UNINITIALISED) {
    requireSame(`${what}: sha256`, expected.sha256, sha256(frame.decompressChunk(index)));
  }
  if (expected.vlblocks !== undefined) requireVlBlocks(expected.vlblocks, chunk);
}

/** The index as the manifest writes it: offsets from the first chunk (or file numbers), special kinds in the top byte. */
function indexOf(entry: Entry, frame: SChunk): string[] {
  return [...frame.iterChunksInfo()].map(({ special, position, isStored, fileNumber }) => {
    const kind = { zeros: 0x81n, nan: 0x82n, uninit: 0x84n, value: 0n }[special ?? "value"];
    const offset = fileNumber ?? position - (entry.offset ?? 0) - entry.header_len;
    const word = isStored ? BigInt(offset) : kind << 56n;
    return `0x${word.toString(16).padStart(16, "0")}`;
  });
}

function requireSlices(entry: Entry, frame: SChunk): void {
  for (const { start, stop, sha256: expected } of entry.slices ?? []) {
    requireSame(`items ${start}..${stop}`, expected, sha256(frame.getSlice(start as number, stop as number)));
  }
}

/** @throws Mismatch unless header, chunks, index and metalayers are the expected ones. */
export function requireFrame(entry: Entry, frame: SChunk, expectedSha256: string): void {
  requireHeader(entry, frame);
  for (const [index, expected] of (entry.chunks ?? []).entries()) requireChunk(expected, frame, index);
  if (entry.index !== undefined) requireSame("index", entry.index, indexOf(entry, frame));
  requireMetalayers("metalayer", entry.meta, [...frame.meta.names], (name) => frame.meta.get(name));
  requireMetalayers("vlmetalayer", entry.vlmeta, [...frame.vlmeta.names], (name) => frame.vlmeta.get(name));
  if (!entry.uninit) requireSame("all chunks", expectedSha256, sha256(...frame.iterChunks()));
}

/**
 * Checks a contiguous or sparse frame.
 *
 * @throws Mismatch, or what b2frame threw.
 */
export function checkFrame(entry: Entry, place: ObjectPlace, setup: Setup): void {
  using frame = openFrame(place, setup);
  requireFrame(entry, frame, entry.sha256);
  requireSlices(entry, frame);
  if (entry.files !== undefined) {
    requireSame("files", entry.files, setup.backend.directories?.list(place.path).sort());
  }
}
