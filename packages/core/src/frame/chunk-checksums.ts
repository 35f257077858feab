/**
 * Checksums of the stored chunks, kept in a vlmetalayer that other readers take for any other. Its content is msgpack, as
 * python-blosc2 expects of vlmetalayers:
 *
 * ```text
 * 82  "algorithm" "crc32c"  "chunks" bin { cbytes uint32, CRC-32C uint32 }*     one pair per chunk, little-endian
 * ```
 *
 * The sum is over the `cbytes` bytes of the compressed chunk. A chunk that only an index entry stands for, and one whose
 * checksum is not known, has zeros. `cbytes` is there to tell a chunk that another writer has replaced from a damaged one.
 *
 * @module
 */
import { crc32c } from "../bytes/crc32c.js";
import { Chunk } from "../chunk/chunk.js";
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import { chunkFromBytes } from "../chunk/chunk-source.js";
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
const PAIR_LENGTH = 8;

/** The checksum of one stored chunk. */
export interface ChunkChecksum {
  readonly cbytes: number;
  readonly crc32c: number;
}

/** The checksum of a chunk's compressed bytes. */
export function checksumOf(chunk: Uint8Array): ChunkChecksum {
  return { cbytes: chunk.byteLength, crc32c: crc32c(chunk) };
}

/** The pairs in a vlmetalayer's content. @throws FormatError; what decoding a chunk throws */
export function decodeChecksums(
  content: Uint8Array,
  location: SourceLocation,
  environment: ChunkEnvironment,
): (ChunkChecksum | undefined)[] {
  const bytes = Chunk.open(chunkFromBytes(content, location), plainEnvironment(environment)).decompress();
  const invalid = (field: string, expected: string, found: string, cause?: unknown): FormatError =>
    new FormatError("BLOSC2_FORMAT_INVALID", { ...location, field, expected, found }, cause);
  let value: unknown;
  try {
    value = decodeMsgpack(bytes);
  } catch (error) {
    throw invalid("content", "msgpack", "other bytes", error);
  }
  const { algorithm, chunks } = (value ?? {}) as { algorithm?: unknown; chunks?: unknown };
  if (algorithm !== ALGORITHM) throw invalid("algorithm", ALGORITHM, String(algorithm));
  if (!(chunks instanceof Uint8Array) || chunks.byteLength % PAIR_LENGTH !== 0) {
    throw invalid(
      "chunks",
      "pairs of uint32",
      chunks instanceof Uint8Array ? `${chunks.byteLength} bytes` : "no bytes",
    );
  }
  const view = new DataView(chunks.buffer, chunks.byteOffset, chunks.byteLength);
  const checksums: (ChunkChecksum | undefined)[] = [];
  for (let at = 0; at < chunks.byteLength; at += PAIR_LENGTH) {
    const cbytes = view.getUint32(at, true);
    checksums.push(cbytes === 0 ? undefined : { cbytes, crc32c: view.getUint32(at + 4, true) });
  }
  return checksums;
}

/** Where chunks are: what checksums need of a table of chunks. */
export type ChunkEntries = Pick<ChunkTable, "length" | "at">;

/** The checksums of a frame that is being changed, by index entry, so that moving a chunk in the index changes nothing. */
export class ChunkChecksums {
  readonly #byEntry = new Map<number, ChunkChecksum>();

  /** @param checksums in the order of the index; another number of them says that another writer was here. */
  constructor(checksums: readonly (ChunkChecksum | undefined)[], entries: ChunkEntries) {
    if (checksums.length !== entries.length) return;
    checksums.forEach((checksum, i) => {
      if (checksum !== undefined) this.#byEntry.set(entries.at(i), checksum);
    });
  }

  get(entry: number): ChunkChecksum | undefined {
    return this.#byEntry.get(entry);
  }

  /** Notes a chunk that was stored, in place of what the entry stood for before. */
  note(entry: number, chunk: Uint8Array): void {
    this.#byEntry.set(entry, checksumOf(chunk));
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
    const checksum = entries.at(i) < 0 ? undefined : checksums.get(entries.at(i));
    if (checksum === undefined) continue;
    view.setUint32(i * PAIR_LENGTH, checksum.cbytes, true);
    view.setUint32(i * PAIR_LENGTH + 4, checksum.crc32c, true);
  }
  const content = encodeMsgpack({ algorithm: ALGORITHM, chunks });
  return compressChunk(content, { typesize: 1 }, plainEnvironment(environment));
}

/** The checksums in a frame's vlmetalayers, if it keeps them. @throws as {@link decodeChecksums} */
export function readChecksums(
  vlmetalayers: MetalayerReading,
  entries: ChunkEntries,
  path: string | undefined,
  environment: ChunkEnvironment,
): ChunkChecksums | undefined {
  const content = vlmetalayers.get(CHECKSUMS_NAME);
  if (content === undefined) return undefined;
  const location = { path, structure: `vlmetalayer "${CHECKSUMS_NAME}"`, position: 0 };
  return new ChunkChecksums(decodeChecksums(content, location, environment), entries);
}
