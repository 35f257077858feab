/** Entries that are a frame. @module */
import { SChunk } from "@b2frame/core";
import { requireVlBlocks } from "./check-chunk.js";
import type { ObjectPlace } from "./corpus-files.js";
import { requireMetalayers, requireSame, sha256 } from "./facts.js";
import type { Entry, ExpectedChunk } from "./manifest.js";
import type { OpenOptions, Setup } from "./setup.js";

const SPECIAL_NUMBERS: Readonly<Record<string, number>> = { zeros: 1, nan: 2, value: 3, uninit: 4 };
const SPLIT_MODES = [undefined, "always", "never", "auto", "forward_compat"];
const UNINITIALISED = 4;
/** Special kinds that need no stored chunk. */
const INDEX_ONLY: readonly number[] = [1, 2, UNINITIALISED];

/** Opens a frame where it lies. */
export function openFrame({ path, offset }: ObjectPlace, setup: Setup): SChunk {
  return SChunk.open(path, setup.backend, { offset, ...setup.options });
}

function requireHeader(entry: Entry, frame: SChunk, { codecs }: OpenOptions): void {
  for (const field of ["nchunks", "nbytes", "typesize", "chunksize"] as const) {
    requireSame(field, entry[field], frame[field]);
  }
  // A frame whose chunks were all deleted keeps the old cbytes, which then says nothing.
  if (entry.nchunks > 0) requireSame("cbytes", entry.cbytes, frame.cbytes);
  requireSame("contiguous", entry.frame_type === 0, frame.contiguous);
  const { cparams } = frame;
  const { codec } = cparams;
  requireSame("compcode", entry.compcode, typeof codec === "string" ? codecs.byName(codec).id : codec);
  requireSame("codec_meta", entry.codec_meta, cparams.codecMeta);
  requireSame("clevel", entry.clevel, cparams.clevel);
  requireSame("splitmode", SPLIT_MODES[entry.splitmode], cparams.splitmode);
  requireSame("use_dict", entry.use_dict === 1, cparams.useDict);
  const slots = entry.filters.map((filter, slot) => ({ filter, meta: entry.filters_meta[slot] }));
  requireSame("filters", slots, cparams.filters);
}

function requireChunk(expected: ExpectedChunk, frame: SChunk, index: number): void {
  const what = `chunk ${index}`;
  const chunk = frame.openChunk(index);
  requireSame(`${what}: nbytes`, expected.nbytes, chunk.nbytes);
  requireSame(`${what}: cbytes`, expected.cbytes, chunk.cbytes);
  // A chunk that only the index stands for has no blocks; the manifest shows what the C library makes up.
  if (!INDEX_ONLY.includes(expected.special)) {
    requireSame(`${what}: blocksize`, expected.blocksize, chunk.header.blocksize);
  }
  requireSame(`${what}: special`, expected.special, SPECIAL_NUMBERS[chunk.special ?? ""] ?? 0);
  if (expected.special !== UNINITIALISED) {
    requireSame(`${what}: sha256`, expected.sha256, sha256(frame.decompressChunk(index)));
  }
  if (expected.vlblocks !== undefined) requireVlBlocks(expected.vlblocks, chunk);
}

/** The index words of the special kinds that only the index stands for. */
const SPECIAL_WORDS: Readonly<Record<string, string>> = {
  zeros: "0x8100000000000000",
  nan: "0x8200000000000000",
  uninit: "0x8400000000000000",
};

/** @throws Mismatch unless each chunk stands where the manifest's index says. Sparse frames: only which ones are stored. */
function requireIndex(entry: Entry, index: readonly string[], frame: SChunk): void {
  const firstChunk = (entry.offset ?? 0) + entry.header_len;
  const found = Array.from(frame.iterChunksInfo(), ({ special, position }) => {
    if (position === undefined) return SPECIAL_WORDS[special ?? ""];
    return frame.contiguous ? `0x${(position - firstChunk).toString(16).padStart(16, "0")}` : "stored";
  });
  const isSpecial = (word: string): boolean => Object.values(SPECIAL_WORDS).includes(word);
  const expected = frame.contiguous ? index : index.map((word) => (isSpecial(word) ? word : "stored"));
  requireSame("index", expected, found);
}

function requireSlices(entry: Entry, frame: SChunk): void {
  for (const { start, stop, sha256: expected } of entry.slices ?? []) {
    requireSame(`items ${start}..${stop}`, expected, sha256(frame.getSlice(start as number, stop as number)));
  }
}

/** @throws Mismatch unless header, chunks, index and metalayers are the expected ones. */
export function requireFrame(entry: Entry, frame: SChunk, expectedSha256: string, options: OpenOptions): void {
  requireHeader(entry, frame, options);
  for (const [index, expected] of (entry.chunks ?? []).entries()) requireChunk(expected, frame, index);
  if (entry.index !== undefined) requireIndex(entry, entry.index, frame);
  requireMetalayers("metalayer", entry.meta, frame.meta.keys(), (name) => frame.meta.get(name));
  requireMetalayers("vlmetalayer", entry.vlmeta, frame.vlmeta.keys(), (name) => frame.vlmeta.get(name));
  if (!entry.uninit) requireSame("all chunks", expectedSha256, sha256(...frame.iterChunks()));
}

/**
 * Checks a contiguous or sparse frame.
 *
 * @throws Mismatch, or what b2frame threw.
 */
export function checkFrame(entry: Entry, place: ObjectPlace, setup: Setup): void {
  using frame = openFrame(place, setup);
  requireFrame(entry, frame, entry.sha256, setup.options);
  requireSlices(entry, frame);
  if (entry.files !== undefined) {
    requireSame("files", entry.files, setup.backend.directories?.list(place.path).sort());
  }
}
