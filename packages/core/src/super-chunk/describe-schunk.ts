/** A super-chunk in one line. @module */
import { plainLine, showing } from "../checks/showing.js";
import { defaultFilters } from "../filter/filter-registry.js";
import type { SuperChunkReader } from "./super-chunk-reader.js";

/** How the chunks are compressed, how well, and where they are kept; or that they can't be asked any more. */
export function compressionText(schunk: SuperChunkReader): string {
  return showing(() => {
    const { cparams, cratio, urlpath } = schunk;
    const { codec, clevel, filters } = cparams;
    const names = filters.flatMap((spec) => {
      const id = typeof spec === "object" ? spec.filter : spec;
      if (id === 0) return [];
      return typeof id === "number" && defaultFilters.has(id) ? defaultFilters.byId(id).name : String(id);
    });
    const ratio = cratio > 0 ? `, ratio ${cratio.toFixed(1)}` : "";
    return plainLine(
      `${[...names, codec].join(" + ")} ${clevel}${ratio}${urlpath === undefined ? "" : `, ${urlpath}`}`,
    );
  });
}

/** The line for a super-chunk. */
export function describeSChunk(name: string, schunk: SuperChunkReader): string {
  const facts = showing(() => {
    const { nchunks, nbytes, typesize } = schunk;
    return `${nchunks} chunks, ${nbytes} bytes, typesize ${typesize}, ${compressionText(schunk)}`;
  });
  return `${name} (${facts})`;
}
