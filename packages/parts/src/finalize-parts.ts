/** Joining the parts of a planned frame, without decoding, and publishing it once. @module */
import { rmSync } from "node:fs";
import { FormatError, IoError } from "@b2frame/core";
import { checkOptionNames, firstFailure, type OptionNames } from "@b2frame/core/backend";
import { lookAtParts, numbersText, type PartsStatus } from "./part-status.js";
import { PartsFiles } from "./parts-files.js";
import { type PartsPlan, readPlan } from "./plan.js";
import { sameContent } from "./same-content.js";
import { writeFrame } from "./target-frame.js";

/** How to finalize. */
export interface FinalizeOptions {
  /** Whether the result is a sparse frame. Default: as planned. */
  readonly sparse?: boolean | undefined;
  /** Leave plan and parts where they are. Default false. */
  readonly keepParts?: boolean | undefined;
  /** Told after each part how many have been joined. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

const FINALIZE_NAMES: OptionNames<FinalizeOptions> = { sparse: true, keepParts: true, onProgress: true };

/** What finalizing came to. */
export interface Finalized {
  readonly target: string;
  /** False if the target was there already: an earlier run, or another one at the same time, has published it. */
  readonly published: boolean;
}

/**
 * Checks and joins all parts, without decoding a chunk, and publishes the result at once under the target's name; then removes plan and
 * parts. The bytes are those that one writer of the whole frame would have written.
 *
 * It may be killed at any instant and run again. Of several at once one publishes; the others say so and are done too.
 *
 * @throws IoError `BLOSC2_IO_NOT_FOUND` naming the parts that are missing, or without a plan; FormatError naming parts that are damaged, or
 * belong to another plan; IoError `BLOSC2_IO_EXISTS` where something else is at the target.
 */
export function finalizeParts(target: string, options: FinalizeOptions = {}): Finalized {
  checkOptionNames(FINALIZE_NAMES, options);
  const files = new PartsFiles(target);
  const keepParts = options.keepParts === true;
  // Killed while it cleared away, or after that.
  if (files.publishedByOther()) {
    if (!keepParts) files.remove();
    return { target: files.target, published: false };
  }
  let published: boolean;
  try {
    const plan = readPlan(files);
    published = joinAndPublish(files, { ...plan, sparse: options.sparse ?? plan.sparse }, options);
    if (!keepParts) files.writeOnce(files.publishedPath, `${plan.id}\n`);
  } catch (error) {
    // Files that another finalizer has removed, as it is done.
    if (!files.publishedByOther()) throw error;
    published = false;
  }
  if (!keepParts) files.remove();
  return { target: files.target, published };
}

function joinAndPublish(files: PartsFiles, plan: PartsPlan, { onProgress = () => {} }: FinalizeOptions): boolean {
  requireAll(lookAtParts(files, plan, false), files);
  const temporary = files.newPath();
  try {
    writeFrame(files, plan, temporary, onProgress);
    const won = !files.targetExists() && publish(files, plan, temporary);
    // Lost to a finalizer that may not have said so yet: what is there tells.
    if (!won && !sameContent(temporary, files.target)) throw taken(files);
    if (!won) rmSync(temporary, { recursive: true, force: true });
    return won;
  } catch (error) {
    throw firstFailure(error, () => rmSync(temporary, { recursive: true, force: true }));
  }
}

function publish(files: PartsFiles, { sparse }: PartsPlan, temporary: string): boolean {
  return sparse ? files.publishFolder(temporary) : files.publish(temporary, files.target);
}

function taken({ target }: PartsFiles): IoError {
  const message = `${target}: something else is there by now; move it away and finalize again`;
  return new IoError("BLOSC2_IO_EXISTS", message, { operation: "finalize", path: target });
}

/** @throws IoError or FormatError naming the parts that are not as planned */
function requireAll({ missing, damaged, parts }: PartsStatus, { target, folder }: PartsFiles): void {
  if (missing.length > 0) {
    const named = numbersText(missing);
    const noun = missing.length === 1 ? "part" : "parts";
    const verb = missing.length === 1 ? "is" : "are";
    throw new IoError(
      "BLOSC2_IO_NOT_FOUND",
      `${target}: ${noun} ${named} of ${parts} ${verb} missing; write what is missing and finalize again`,
      { operation: "finalize", path: target, missing: named },
    );
  }
  const [first] = damaged;
  if (first === undefined) return;
  const named = numbersText(damaged.map(({ part }) => part));
  const facts = { path: folder, structure: "parts", position: 0, field: `part ${named}`, expected: "whole" };
  throw new FormatError("BLOSC2_FORMAT_INVALID", { ...facts, found: first.message });
}
