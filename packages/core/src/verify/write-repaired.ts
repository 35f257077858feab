/** Writing the new frame of a repair. @module */
import { Chunk } from "../chunk/chunk.js";
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import { type ChunkSource, chunkFromBytes } from "../chunk/chunk-source.js";
import { encodeSpecialChunk, nanPattern } from "../chunk/special-chunk.js";
import { FormatError } from "../errors.js";
import { CHECKSUMS_NAME } from "../frame/chunk-checksums.js";
import { readStoredChunk } from "../frame/copy-frame.js";
import type { Frame } from "../frame/frame.js";
import { MAX_VLMETALAYERS_WRITTEN } from "../frame/frame-layout.js";
import type { Metalayer } from "../frame/metalayers.js";
import { entrySpecial, plainEnvironment, specialEntry } from "../frame/offsets-index.js";
import type { PlannedChunk, RepairPlan } from "./plan-repair.js";
import type { ProblemList } from "./verify-problem.js";

/** Stores the planned chunks and sets the description; commits nothing. */
export function writeRepaired(to: Frame, plan: RepairPlan, sourceOf: (entry: number) => ChunkSource): void {
  to.takeOver({ chunks: plannedChunks(plan, sourceOf), facts: plan.header, vlmetalayers: [] });
}

function* plannedChunks(
  { header, chunks, missing }: RepairPlan,
  sourceOf: (entry: number) => ChunkSource,
): Generator<Uint8Array | number> {
  for (const chunk of chunks) {
    yield repairedForm(chunk, header.variableChunks, header.typesize, sourceOf) ?? chunk.entry;
  }
  const zeros: PlannedChunk = { entry: specialEntry("zeros"), nbytes: missing.nbytes };
  for (let i = 0; i < missing.count; i++) {
    yield repairedForm(zeros, header.variableChunks, header.typesize, sourceOf) ?? zeros.entry;
  }
}

/** A chunk's bytes; undefined for a special one that the index alone can stand for. */
function repairedForm(
  chunk: PlannedChunk,
  variableChunks: boolean,
  typesize: number,
  sourceOf: (entry: number) => ChunkSource,
): Uint8Array | undefined {
  const { entry, nbytes } = chunk;
  const special = entrySpecial(entry);
  if (special === undefined) return readStoredChunk(sourceOf(entry));
  if (!variableChunks) return undefined;
  // Among chunks of different sizes a bare entry keeps no size.
  const nan = special === "nan" && (typesize === 4 || typesize === 8) && nbytes % typesize === 0;
  if (nan) return encodeSpecialChunk("value", nbytes, typesize, nanPattern(typesize));
  return encodeSpecialChunk("value", nbytes, 1, new Uint8Array(1));
}

/** Takes over the vlmetalayers that decode, as many as C-Blosc2 takes; gives their number. */
export function writeVlMetalayers(
  to: Frame,
  layers: readonly Metalayer[],
  environment: ChunkEnvironment,
  problems: ProblemList,
): number {
  let count = 0;
  for (const { name, content } of layers) {
    if (name === CHECKSUMS_NAME || to.vlmetalayers.count >= MAX_VLMETALAYERS_WRITTEN) continue;
    const structure = `vlmetalayer "${name}"`;
    const sound = problems.attempt(structure, () => {
      const location = { structure, position: 0 };
      const chunk = Chunk.open(chunkFromBytes(content, location), plainEnvironment(environment));
      if (chunk.cbytes !== content.byteLength) {
        throw new FormatError("BLOSC2_FORMAT_BAD_LENGTH", {
          ...location,
          field: "cbytes",
          expected: content.byteLength,
          found: chunk.cbytes,
        });
      }
      chunk.decompress();
      return true;
    });
    if (sound === undefined) continue;
    to.setVlMetalayer(name, content.slice());
    count++;
  }
  return count;
}
