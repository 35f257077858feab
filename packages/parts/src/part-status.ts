/** Which parts of a planned frame are there. @module */
import { isBlosc2Error } from "@b2frame/core";
import { checkOptionNames, type OptionNames } from "@b2frame/core/backend";
import { checkedChunks, openPart } from "./open-part.js";
import { PartsFiles } from "./parts-files.js";
import { type PartsPlan, readPlan } from "./plan.js";

/** How parts are looked at. */
export interface PartStatusOptions {
  /** Read every chunk, and hold it against header and checksum. Default false: headers and indexes only. */
  readonly check?: boolean | undefined;
}

const STATUS_NAMES: OptionNames<PartStatusOptions> = { check: true };

/** A part that is not what the plan says. */
export interface DamagedPart {
  readonly part: number;
  /** What is wrong with it. */
  readonly message: string;
}

/** What is there of a planned frame. */
export interface PartsStatus {
  readonly target: string;
  /** The plan's id. */
  readonly plan: string;
  readonly parts: number;
  readonly nchunks: number;
  /** Whether the target is there. */
  readonly published: boolean;
  readonly done: readonly number[];
  readonly missing: readonly number[];
  readonly damaged: readonly DamagedPart[];
}

/** Looks at each part. */
export function lookAtParts(files: PartsFiles, plan: PartsPlan, check: boolean): PartsStatus {
  const there = new Set(files.partNumbers());
  const done: number[] = [];
  const missing: number[] = [];
  const damaged: DamagedPart[] = [];
  for (let part = 0; part < plan.parts.length; part++) {
    if (!there.has(part)) {
      missing.push(part);
      continue;
    }
    try {
      using schunk = openPart(files, plan, part);
      if (check) for (const _ of checkedChunks(schunk, plan, part));
      done.push(part);
    } catch (error) {
      if (!isBlosc2Error(error)) throw error;
      if (error.code === "BLOSC2_IO_NOT_FOUND") missing.push(part);
      else damaged.push({ part, message: error.message });
    }
  }
  const { target } = files;
  const published = files.targetExists();
  return { target, plan: plan.id, parts: plan.parts.length, nchunks: plan.nchunks, published, done, missing, damaged };
}

/** Which parts are done, missing and damaged. @throws IoError `BLOSC2_IO_NOT_FOUND` without a plan; FormatError for a bad one */
export function partStatus(target: string, options: PartStatusOptions = {}): PartsStatus {
  checkOptionNames(STATUS_NAMES, options);
  const files = new PartsFiles(target);
  return lookAtParts(files, readPlan(files), options.check === true);
}

/** Numbers in few words: `0-3, 7`. */
export function numbersText(numbers: readonly number[]): string {
  const runs: string[] = [];
  for (let i = 0; i < numbers.length; ) {
    let end = i;
    while (numbers[end + 1] === (numbers[end] as number) + 1) end++;
    runs.push(end === i ? `${numbers[i]}` : `${numbers[i]}-${numbers[end]}`);
    i = end + 1;
  }
  return runs.length > 20 ? `${runs.slice(0, 20).join(", ")}, ...` : runs.join(", ");
}

/** The plan of a target. @throws IoError `BLOSC2_IO_NOT_FOUND` if there is none; FormatError for a bad one */
export function partsPlanOf(target: string): PartsPlan {
  return readPlan(new PartsFiles(target));
}
