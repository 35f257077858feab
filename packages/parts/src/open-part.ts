/** Opening a part and checking that it is what the plan says. @module */
import { FormatError, openUdio, type SChunk } from "@b2frame/core";
import { decodeChunkHeader } from "@b2frame/core/codec";
import { requirePart } from "./part-metalayer.js";
import type { PartsFiles } from "./parts-files.js";
import { chunkByteLength, type PartsPlan } from "./plan.js";

/** A part that is what the plan says, as far as its header and index tell. @throws IoError, FormatError */
export function openPart(files: PartsFiles, plan: PartsPlan, part: number): SChunk {
  const schunk = openUdio(files.partPath(part), files.backend, { checksum: true });
  try {
    requirePart(schunk, plan, part);
    return schunk;
  } catch (error) {
    schunk.close();
    throw error;
  }
}

/**
 * The stored chunks of a part in order, each held against its checksum, if it has one, and with its header against the plan.
 *
 * @throws FormatError naming chunk and field
 */
export function* checkedChunks(schunk: SChunk, plan: PartsPlan, part: number): Generator<Uint8Array> {
  const { first } = plan.parts[part] as PartsPlan["parts"][number];
  const { geometry } = plan;
  const { typesize, blocksize } = plan.cparams;
  for (let i = 0; i < schunk.nchunks; i++) {
    // Opening it is what holds it against its checksum.
    schunk.openChunk(i);
    const chunk = schunk.getChunk(i);
    const location = { path: schunk.urlpath, structure: `part ${part}: chunk ${i}`, position: 0 };
    const header = decodeChunkHeader(chunk, location);
    const mustBe = (field: string, expected: number, found: number): void => {
      if (expected === found) return;
      throw new FormatError("BLOSC2_FORMAT_BAD_LENGTH", { ...location, field, expected, found });
    };
    mustBe("nbytes", chunkByteLength(plan, first + i), header.nbytes);
    mustBe("cbytes", chunk.byteLength, header.cbytes);
    if (header.special === undefined) {
      // The header has room for a byte only.
      mustBe("typesize", typesize > 255 ? 1 : typesize, header.typesize);
      if (geometry.kind === "array") mustBe("blocksize", blocksize, header.blocksize);
    }
    yield chunk;
  }
}
