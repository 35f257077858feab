/** An array in one line. @module */
import { plainLine, tupleText } from "../checks/showing.js";
import { compressionText } from "../super-chunk/describe-schunk.js";
import type { ArrayReader } from "./array-reader.js";

/** The line for an array: shape, dtype, layout, compression. Reads nothing, and can be asked of a closed array. */
export function describeArray(name: string, { shape, dtype, chunks, blocks, schunk }: ArrayReader): string {
  const layout = `chunks ${tupleText(chunks)}, blocks ${tupleText(blocks)}`;
  return `${name} ${tupleText(shape)} ${plainLine(dtype.str)}, ${layout}, ${compressionText(schunk)}`;
}
