/** Looking up a chunk's filters before any of its blocks is worked on. @module */
import { type SourceLocation, UnsupportedError } from "../errors.js";
import type { ChunkEnvironment } from "./chunk-environment.js";

/** Byte delta and its first version, whose `meta` 0 stands for the super-chunk's typesize. */
const BYTEDELTA_IDS: readonly number[] = [34, 35];

/**
 * Checks that all filters of a pipeline are there.
 *
 * @returns whether any of them needs block 0 to decode the other blocks.
 * @throws UnsupportedError for one that is not registered, or that needs the super-chunk of a lone chunk.
 */
export function lookUpFilters(
  pipeline: { readonly filters: Uint8Array; readonly filtersMeta: Uint8Array },
  environment: ChunkEnvironment,
  location: SourceLocation,
): boolean {
  const { path, structure, position } = location;
  const place = `${path === undefined ? "" : `${path}: `}${structure} at position ${position}`;
  let needsReference = false;
  for (let i = 0; i < pipeline.filters.length; i++) {
    const id = pipeline.filters[i] as number;
    if (id === 0) continue;
    if (!environment.filters.has(id)) {
      throw new UnsupportedError("BLOSC2_UNSUPPORTED_FILTER", `${place}: filter ${id} in slot ${i} is not registered`, {
        ...location,
        feature: `filter ${id}`,
        id,
        slot: i,
      });
    }
    const filter = environment.filters.byId(id);
    if (BYTEDELTA_IDS.includes(id) && pipeline.filtersMeta[i] === 0 && environment.superChunkTypesize === undefined) {
      throw new UnsupportedError(
        "BLOSC2_UNSUPPORTED_FILTER",
        `${place}: filter ${filter.name} with meta 0 takes its element size from a super-chunk, and there is none`,
        { ...location, feature: `filter ${filter.name} without a super-chunk`, id, slot: i },
      );
    }
    if (filter.needsReference) needsReference = true;
  }
  return needsReference;
}
