/** Whether an array's metalayer and its frame agree. @module */

import { B2ND_METALAYER, CATERVA_METALAYER } from "../b2nd/array-description.js";
import { type B2ndMetalayer, decodeB2ndMetalayer } from "../b2nd/b2nd-metalayer.js";
import { ChunkGrid } from "../b2nd/chunk-grid.js";
import { FormatError, type SourceLocation } from "../errors.js";
import type { Frame } from "../frame/frame.js";
import type { Metalayer } from "../frame/metalayers.js";
import { parseDType } from "../values/parse-dtype.js";

/** An array's shapes. */
export interface ArrayGeometry {
  readonly metalayer: B2ndMetalayer;
  readonly grid: ChunkGrid;
  readonly location: SourceLocation;
}

/**
 * The geometry of the array that metalayers describe; `undefined` if they describe none.
 *
 * @throws FormatError
 */
export function readArrayGeometry(
  metalayers: readonly Metalayer[],
  path: string | undefined,
  position: number,
): ArrayGeometry | undefined {
  const layer = metalayers.find(({ name }) => name === B2ND_METALAYER || name === CATERVA_METALAYER);
  if (layer === undefined) return undefined;
  const location = { path, structure: `${layer.name} metalayer`, position };
  const metalayer = decodeB2ndMetalayer(layer.content, location);
  return { metalayer, grid: new ChunkGrid(metalayer.shape, metalayer.chunks, metalayer.blocks), location };
}

/** @throws FormatError when chunks of the shapes would differ in number or size from the frame's */
export function requireFrameFits(geometry: ArrayGeometry, frame: Frame): void {
  const { metalayer, grid, location } = geometry;
  const { typesize } = frame.header;
  const { length, chunksize } = frame.chunks;
  const fail = (field: string, expected: number, found: number): FormatError =>
    new FormatError("BLOSC2_FORMAT_BAD_LENGTH", { ...location, field, expected, found });
  if (grid.nchunks !== length) throw fail("number of chunks", grid.nchunks, length);
  const chunkBytes = grid.chunkItemCount * typesize;
  if (grid.nchunks > 0 && chunksize !== chunkBytes) throw fail("chunksize", chunkBytes, chunksize);
  if (metalayer.dtype !== undefined && metalayer.dtypeFormat === 0) parseDType(metalayer.dtype);
}
