/** The metalayer by which a part says what it is a part of. @module */
import { decodeMsgpack, encodeMsgpack, FormatError, type SChunk } from "@b2frame/core";
import type { PartsPlan } from "./plan.js";

/** The metalayer's name. */
export const PART_METALAYER = "b2frame_part";

/** The content: a msgpack map with the plan's id, the part's number, its first chunk and their number. */
export function encodePartMetalayer(plan: PartsPlan, part: number): Uint8Array {
  const { first, count } = plan.parts[part] as PartsPlan["parts"][number];
  return encodeMsgpack({ plan: plan.id, part, first, count });
}

/** Holds what a part says of itself against the plan. @throws FormatError naming what differs */
export function requirePart(schunk: SChunk, plan: PartsPlan, part: number): void {
  const range = plan.parts[part] as PartsPlan["parts"][number];
  const location = { path: schunk.urlpath, structure: `part ${part}`, position: 0 };
  const invalid = (field: string, expected: string | number, found: unknown, cause?: unknown): FormatError =>
    new FormatError(
      "BLOSC2_FORMAT_INVALID",
      { ...location, field, expected, found: String(found).slice(0, 80) },
      cause,
    );
  if (!schunk.meta.has(PART_METALAYER)) {
    throw invalid("metalayers", `"${PART_METALAYER}"`, schunk.meta.keys().join(", ") || "none");
  }
  let content: unknown;
  try {
    content = decodeMsgpack(schunk.meta.get(PART_METALAYER));
  } catch (error) {
    throw invalid(PART_METALAYER, "msgpack", "other bytes", error);
  }
  const fields = (content ?? {}) as Record<string, unknown>;
  const expected = { plan: plan.id, part, first: range.first, count: range.count };
  for (const [field, value] of Object.entries(expected)) {
    if (fields[field] !== value) throw invalid(field === "plan" ? "plan id" : field, value, fields[field]);
  }
  const { typesize } = plan.cparams;
  if (schunk.typesize !== typesize) throw invalid("typesize", typesize, schunk.typesize);
  if (schunk.nchunks !== range.count) throw invalid("number of chunks", range.count, schunk.nchunks);
}
