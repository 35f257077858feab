/** Making a sound frame of what is left of a damaged one. @module */
import {
  type RepairOptions as FrameRepairOptions,
  type IoOption,
  type RepairReport,
  repairFrame,
  UnsupportedError,
} from "@b2frame/core";
import { chooseBackend } from "@b2frame/core/backend";
import { type PathKind, pathKindOf } from "@b2frame/stores";
import { requirePath } from "./source.js";

/** How to repair a frame. */
export interface RepairOptions extends FrameRepairOptions, IoOption {}

/** What to do about a damaged store. */
const ADVICE: Partial<Record<PathKind, string>> = {
  zip: "a .b2z store: unpack it with unzip, repair the files of the members that verify names, and zip them again without compression",
  "store-directory": "a .b2d store: repair the files in it that verify names, one by one",
};

/**
 * Writes a sound frame of what is left of a damaged one to another path; see `repairFrame` of `@b2frame/core`. A `.b2e` is repaired as the
 * frame that it is. The other stores are not repaired as a whole.
 *
 * @throws as `repairFrame`; UnsupportedError for a `.b2z` or `.b2d`, which says what to do
 * @example
 * ```ts
 * import { repair } from "b2frame";
 *
 * const { chunksRecovered, chunksLost } = repair("broken.b2frame", "whole.b2frame");
 * ```
 */
export function repair(path: string | URL, outPath: string | URL, options: RepairOptions = {}): RepairReport {
  const { io, ioOptions, ...rest } = options;
  const backend = chooseBackend({ io, ioOptions });
  const [from, to] = [requirePath(path), requirePath(outPath, "outPath")];
  const advice = (rest.offset ?? 0) === 0 ? ADVICE[pathKindOf(from, backend)] : undefined;
  if (advice === undefined) return repairFrame(from, backend, to, backend, rest);
  throw new UnsupportedError("BLOSC2_UNSUPPORTED", `${from}: is not repaired as a whole, for it is ${advice}`, {
    feature: "repairing stores",
    path: from,
  });
}
