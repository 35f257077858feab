/**
 * Checksums of the stored chunks, kept in a vlmetalayer that other readers take for any other. Its content is msgpack, as
 * python-blosc2 expects of vlmetalayers:
 *
 * ```text
 * 83  "algorithm" "crc32c"  "version" 2  "chunks" bin { cbytes uint32, sum uint32 }*     one pair per chunk, little-endian
 * ```
 *
 * The sum of a chunk is the CRC-32C of its `cbytes` compressed bytes, XORed with that of its number as a little-endian uint32: so a chunk
 * is right in its own place only. One that only an index entry stands for has zeros.
 *
 * @module
 */
import { crc32c } from "../bytes/crc32c.js";
import { Chunk } from "../chunk/chunk.js";
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import { type ChunkSource, chunkFromBytes } from "../chunk/chunk-source.js";
import type { ChunkChecksum } from "../chunk/chunk-sum.js";
import { compressChunk } from "../chunk/compress-chunk.js";
import { FormatError, type SourceLocation } from "../errors.js";
import { decodeMsgpack } from "../values/msgpack-decode.js";
import { encodeMsgpack } from "../values/msgpack-encode.js";
import type { ChunkTable } from "./chunk-table.js";
import type { MetalayerReading } from "./metalayers.js";
import { plainEnvironment } from "./offsets-index.js";

/** The vlmetalayer's name. */
export const CHECKSUMS_NAME = "b2frame.checksums";
const ALGORITHM = "crc32c";
const VERSION = 2;
const PAIR_LENGTH = 8;

const numberBytes = new Uint8Array(4);
const numberView = new DataView(numberBytes.buffer);

/** What a chunk's number adds to its sum. */
function sumOfNumber(chunkIndex: number): number {
  numberView.setUint32(0, chunkIndex, true);
  return crc32c(numberBytes);
}

/** Where the sum of a chunk is found. */
export interface ChunkSums {
  /** Undefined: it has none. */
  of(entry: number, chunkIndex: number): ChunkChecksum | undefined;
}

/** The checksums as they are stored, in the order of the chunks. */
export class StoredChecksums implements ChunkSums {
  readonly length: number;
  readonly #view: DataView;

  /** @param pairs their bytes, which are kept */
  constructor(pairs: Uint8Array = new Uint8Array(0)) {
    this.length = pairs.byteLength / PAIR_LENGTH;
    this.#view = new DataView(pairs.buffer, pairs.byteOffset, pairs.byteLength);
  }

  of(_: number, chunkIndex: number): ChunkChecksum | undefined {
    return this.at(chunkIndex);
  }

  /** Undefined for a chunk that has none. */
  at(chunkIndex: number): ChunkChecksum | undefined {
    if (chunkIndex >= this.length) return undefined;
    const at = chunkIndex * PAIR_LENGTH;
    const cbytes = this.#view.getUint32(at, true);
    if (cbytes === 0) return undefined;
    return { cbytes, crc32c: (this.#view.getUint32(at + 4, true) ^ sumOfNumber(chunkIndex)) >>> 0 };
  }
}

/** The checksums in a vlmetalayer's content. @throws FormatError; what decoding a chunk throws */
export function decodeChecksums(
  content: Uint8Array,
  location: SourceLocation,
  environment: ChunkEnvironment,
): StoredChecksums {
  const bytes = Chunk.open(chunkFromBytes(content, location), plainEnvironment(environment)).decompress();
  const invalid = (field: string, expected: string, found: string, cause?: unknown): FormatError =>
    new FormatError("BLOSC2_FORMAT_INVALID", { ...location, field, expected, found }, cause);
  let value: unknown;
  try {
    value = decodeMsgpack(bytes);
  } catch (error) {
    throw invalid("content", "msgpack", "other bytes", error);
  }
  const { algorithm, version, chunks } = (value ?? {}) as { algorithm?: unknown; version?: unknown; chunks?: unknown };
  if (algorithm !== ALGORITHM) throw invalid("algorithm", ALGORITHM, String(algorithm));
  if (version !== VERSION) throw invalid("version", String(VERSION), String(version));
  if (!(chunks instanceof Uint8Array) || chunks.byteLength % PAIR_LENGTH !== 0) {
    throw invalid(
      "chunks",
      "pairs of uint32",
      chunks instanceof Uint8Array ? `${chunks.byteLength} bytes` : "no bytes",
    );
  }
  return new StoredChecksums(chunks);
}

/** Where chunks are: what checksums need of a table of chunks. */
export type ChunkEntries = Pick<ChunkTable, "length" | "at">;

/** The checksums of a frame that is being changed, by index entry, so that moving a chunk in the index changes nothing. */
export class ChunkChecksums implements ChunkSums {
  readonly #byEntry = new Map<number, ChunkChecksum>();

  /** @param stored of these entries; another number of them says that another writer was here. */
  constructor(stored: StoredChecksums, entries: ChunkEntries) {
    if (stored.length !== entries.length) return;
    for (let i = 0; i < stored.length; i++) {
      const checksum = stored.at(i);
      if (checksum !== undefined) this.#byEntry.set(entries.at(i), checksum);
    }
  }

  of(entry: number): ChunkChecksum | undefined {
    return this.#byEntry.get(entry);
  }

  /** Notes a chunk that was stored, in place of what the entry stood for before. */
  note(entry: number, checksum: ChunkChecksum): void {
    this.#byEntry.set(entry, checksum);
  }
}

/** The vlmetalayer's content. */
export function encodeChecksums(
  checksums: ChunkChecksums,
  entries: ChunkEntries,
  environment: ChunkEnvironment,
): Uint8Array {
  const chunks = new Uint8Array(entries.length * PAIR_LENGTH);
  const view = new DataView(chunks.buffer);
  for (let i = 0; i < entries.length; i++) {
    const checksum = entries.at(i) < 0 ? undefined : checksums.of(entries.at(i));
    if (checksum === undefined) continue;
    view.setUint32(i * PAIR_LENGTH, checksum.cbytes, true);
    view.setUint32(i * PAIR_LENGTH + 4, checksum.crc32c ^ sumOfNumber(i), true);
  }
  const content = encodeMsgpack({ algorithm: ALGORITHM, version: VERSION, chunks });
  return compressChunk(content, { typesize: 1 }, plainEnvironment(environment));
}

/** The checksums in a frame's vlmetalayers, if it keeps them. @throws as {@link decodeChecksums} */
export function readChecksums(
  vlmetalayers: MetalayerReading,
  path: string | undefined,
  environment: ChunkEnvironment,
): StoredChecksums | undefined {
  const content = vlmetalayers.get(CHECKSUMS_NAME);
  if (content === undefined) return undefined;
  const location = { path, structure: `vlmetalayer "${CHECKSUMS_NAME}"`, position: 0 };
  return decodeChecksums(content, location, environment);
}

/**
 * The sum of a chunk of a frame that keeps checksums.
 *
 * @throws FormatError `BLOSC2_FORMAT_CHECKSUM` if it has none
 */
export function requireSumOf(
  sums: ChunkSums,
  frame: { chunkSource(entry: number, chunkIndex: number): ChunkSource },
  entry: number,
  chunkIndex: number,
): ChunkChecksum {
  const sum = sums.of(entry, chunkIndex);
  if (sum !== undefined) return sum;
  throw new FormatError("BLOSC2_FORMAT_CHECKSUM", {
    ...frame.chunkSource(entry, chunkIndex).location,
    field: "checksum",
    expected: "one, as the frame keeps checksums",
    found: "none",
  });
}
