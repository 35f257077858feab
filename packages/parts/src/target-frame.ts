/** The frame that a plan describes, empty, and then with the chunks of all parts. @module */
import { SChunk, zeros } from "@b2frame/core";
import { firstFailure } from "@b2frame/core/backend";
import { checkedChunks, openPart } from "./open-part.js";
import type { PartsFiles } from "./parts-files.js";
import type { PartsPlan } from "./plan.js";

/** The frame of a plan, made as one writer would make it; nothing of it is committed. */
function newFrame(files: PartsFiles, plan: PartsPlan, path: string): SChunk {
  const { geometry, cparams, sparse, checksum } = plan;
  const place = { urlpath: path, io: files.backend, contiguous: !sparse, checksum, commit: false, mode: "x" as const };
  if (geometry.kind === "bytes") return SChunk.create({ ...place, chunksize: geometry.chunksize, cparams });
  const { shape, dtype, chunks, blocks } = geometry;
  return zeros(shape, { ...place, dtype, chunks, blocks, cparams }).schunk;
}

/** Writes the whole frame at `path`, durably. @throws IoError, FormatError */
export function writeFrame(
  files: PartsFiles,
  plan: PartsPlan,
  path: string,
  onProgress: (done: number, total: number) => void,
): void {
  const frame = newFrame(files, plan, path);
  try {
    join(files, plan, frame, onProgress);
    frame.commit();
  } catch (error) {
    throw firstFailure(error, () => frame.close());
  }
  frame.close();
}

function join(
  files: PartsFiles,
  plan: PartsPlan,
  frame: SChunk,
  onProgress: (done: number, total: number) => void,
): void {
  const isArray = plan.geometry.kind === "array";
  let index = 0;
  plan.parts.forEach((_, part) => {
    using schunk = openPart(files, plan, part);
    for (const chunk of checkedChunks(schunk, plan, part)) {
      if (isArray) frame.updateChunk(index, chunk);
      else frame.appendChunk(chunk);
      index++;
    }
    onProgress(part + 1, plan.parts.length);
  });
}
