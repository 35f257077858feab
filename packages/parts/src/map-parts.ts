/** Writing parts by a function of the chunks of a source. @module */
import type { ArrayInput } from "@b2frame/core";
import type { ChunkBox } from "./chunk-box.js";
import type { PartSource } from "./part-source.js";
import { type PartWritten, type WritePartOptions, writePart } from "./write-part.js";

/** Gives the items of a chunk for those of the source, or for its place alone. The same each time. */
export type ChunkMap = (items: ArrayInput, box: ChunkBox) => ArrayInput | Promise<ArrayInput>;

/**
 * Writes parts whose items are a function of a source's.
 *
 * @param parts their numbers.
 * @throws as {@link writePart}
 * @example
 * ```ts
 * await mapParts("celsius.b2nd", [3], arraySource(kelvin), (items) =>
 *   (items as NDBuffer).data.map((value) => value - 273.15));
 * ```
 */
export async function mapParts(
  target: string,
  parts: readonly number[],
  source: PartSource,
  map: ChunkMap,
  options: WritePartOptions = {},
): Promise<readonly PartWritten[]> {
  const { shape, nbytes } = source;
  const mapped: PartSource = { shape, nbytes, read: async (box) => map(await source.read(box), box) };
  const written: PartWritten[] = [];
  for (const part of parts) written.push(await writePart(target, part, mapped, options));
  return written;
}
