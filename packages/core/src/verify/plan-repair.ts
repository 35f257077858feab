/** Making a consistent frame out of recovered chunks: sizes, array shapes, what fills the gaps. @module */
import type { FrameHeader } from "../frame/frame-header.js";
import { CHUNKSIZE_UNSET, CHUNKSIZE_VARIABLE } from "../frame/frame-layout.js";
import { specialEntry } from "../frame/offsets-index.js";
import type { ArrayGeometry } from "./array-geometry.js";
import { type ChunkRange, ChunkRanges } from "./chunk-ranges.js";
import { isLost, type RecoveredChunk, type Recovery } from "./recover-chunks.js";
import type { SalvagedHeader } from "./salvage-header.js";

/** What the new frame is made of. */
export interface RepairPlan {
  /** Stored chunks by their old entry, special ones, and zeros in the place of lost ones. */
  readonly chunks: readonly PlannedChunk[];
  /** Zeros behind them, in the place of chunks that an array needs. */
  readonly missing: { readonly count: number; readonly nbytes: number };
  readonly header: FrameHeader;
  /** Chunks of the new frame that are zeros because theirs are lost. */
  readonly replaced: readonly ChunkRange[];
  /** Chunks of the new frame that are those of the old one. */
  readonly recovered: number;
  /** Lost chunks: replaced, dropped, or of unknown place. */
  readonly lost: number;
  /** Of the recovery's uncommitted chunks, those that are in the new frame. */
  readonly uncommitted: number;
  /** Whole chunks that are not in the new frame. */
  readonly ignored: number;
}

/** One chunk of the new frame. */
export interface PlannedChunk {
  readonly entry: number;
  readonly nbytes: number;
}

/** Chunks whose kind of blocks, or size where an array asks for one, is not that of the frame count as lost. */
function withoutMisfits(chunks: readonly RecoveredChunk[], chunkBytes: number | undefined): RecoveredChunk[] {
  const vlBlocks = chunks.find(({ header }) => header !== undefined)?.header?.vlBlocks;
  return chunks.map((chunk) => {
    const { header } = chunk;
    if (header === undefined) return chunk;
    const fits = header.vlBlocks === vlBlocks && (chunkBytes === undefined || header.nbytes === chunkBytes);
    return fits ? chunk : { entry: chunk.entry, header: undefined };
  });
}

/** Lays out the new frame. */
export function planRepair(
  recovery: Recovery,
  salvaged: SalvagedHeader,
  geometry: ArrayGeometry | undefined,
): RepairPlan {
  const header = { ...salvaged.header };
  const chunkBytes = geometry === undefined ? undefined : geometry.grid.chunkItemCount * header.typesize;
  let chunks = withoutMisfits(recovery.chunks, chunkBytes);
  let { uncommitted, ignored } = recovery;
  let missing = 0;
  if (geometry !== undefined) {
    const { nchunks } = geometry.grid;
    const extra = Math.max(0, chunks.length - nchunks);
    missing = Math.max(0, nchunks - chunks.length);
    ignored += chunks.slice(nchunks).filter(({ entry, header: whole }) => entry >= 0 && whole !== undefined).length;
    uncommitted = Math.max(0, uncommitted - extra);
    chunks = chunks.slice(0, nchunks);
  }
  // The chunks that were found by themselves leave no gaps where others were: it is known only how many there were.
  const unplaced =
    geometry === undefined && recovery.indexSource === "walked"
      ? Math.max(0, statedCount(salvaged) - chunks.length)
      : 0;
  const size = chunkBytes ?? commonSize(chunks, salvaged);
  const lastSize = lastChunkSize(chunks, salvaged, size);
  const sizes = chunks.map(({ header: whole }, i) => whole?.nbytes ?? (i === chunks.length - 1 ? lastSize : size));
  const uniform = isUniform(sizes, size) && !(salvaged.fieldsKept && header.chunksize === CHUNKSIZE_VARIABLE);
  const planned: PlannedChunk[] = [];
  const replaced = new ChunkRanges();
  let recovered = 0;
  let lost = missing + unplaced;
  chunks.forEach((chunk, i) => {
    if (isLost(chunk)) {
      lost++;
      // Where chunks differ in size nobody knows that of a lost one.
      if (!uniform) return;
      replaced.add(planned.length, 1);
    } else {
      recovered++;
    }
    planned.push({ entry: isLost(chunk) ? specialEntry("zeros") : chunk.entry, nbytes: sizes[i] as number });
  });
  replaced.add(planned.length, missing);
  const nbytes = planned.reduce((sum, chunk) => sum + chunk.nbytes, missing * size);
  fillHeader(header, salvaged, chunks, { size, uniform, nbytes });
  return {
    chunks: planned,
    missing: { count: missing, nbytes: size },
    header,
    replaced: replaced.ranges,
    recovered,
    lost,
    uncommitted,
    ignored,
  };
}

/** How many chunks the header says there are; 0 if it doesn't, or can't be read. */
function statedCount({ fieldsKept, header: { nbytes, chunksize } }: SalvagedHeader): number {
  return fieldsKept && chunksize > 0 ? Math.ceil(nbytes / chunksize) : 0;
}

/** Uncompressed bytes of a chunk in a frame whose chunks have one size. */
function commonSize(chunks: readonly RecoveredChunk[], salvaged: SalvagedHeader): number {
  const first = chunks.find(({ header }) => header !== undefined)?.header?.nbytes ?? 0;
  const stated = salvaged.fieldsKept ? salvaged.header.chunksize : 0;
  if (stated <= 0) return first;
  const sizes = chunks.map(({ header }) => header?.nbytes ?? stated);
  return isUniform(sizes, stated) ? stated : first;
}

/** Of a special or lost last chunk: what the header's `nbytes` leaves for it, if that can be. */
function lastChunkSize(chunks: readonly RecoveredChunk[], salvaged: SalvagedHeader, size: number): number {
  if (!salvaged.fieldsKept) return size;
  const rest = salvaged.header.nbytes - (chunks.length - 1) * size;
  return rest > 0 && rest < size ? rest : size;
}

function isUniform(sizes: readonly number[], size: number): boolean {
  return sizes.every((each, i) => each === size || (i === sizes.length - 1 && each > 0 && each < size));
}

function fillHeader(
  header: FrameHeader,
  salvaged: SalvagedHeader,
  chunks: readonly RecoveredChunk[],
  sizes: { readonly size: number; readonly uniform: boolean; readonly nbytes: number },
): void {
  const first = chunks.find((chunk) => chunk.header !== undefined)?.header;
  header.nbytes = sizes.nbytes;
  header.cbytes = 0;
  header.variableChunks = !sizes.uniform;
  header.vlBlocks = first?.vlBlocks ?? false;
  if (sizes.nbytes > 0) header.chunksize = sizes.uniform ? sizes.size : CHUNKSIZE_VARIABLE;
  else if (!salvaged.fieldsKept || header.chunksize < 0) header.chunksize = CHUNKSIZE_UNSET;
  if (salvaged.fieldsKept || first === undefined) return;
  const { compcode, codecMeta, filters, filtersMeta, dictionary } = first;
  Object.assign(header, { compcode, codecMeta, filters, filtersMeta, useDict: dictionary });
  if (header.typesize <= 0xff) header.typesize = first.typesize;
}
