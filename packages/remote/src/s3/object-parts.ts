/** How an object is cut into the parts of a multipart upload. @module */
import { IoError } from "@b2frame/core/read";
import type { DraftRun } from "./draft.js";

/** Every part but the last has at least so many bytes. */
export const MIN_PART_BYTES: number = 5 * 2 ** 20;
/** And at most so many. */
export const MAX_PART_BYTES: number = 5 * 2 ** 30;
const MAX_PARTS = 10_000;
/** Bytes of parts that are uploaded. */
export const DEFAULT_PART_BYTES: number = 8 * 2 ** 20;
/** Parts of one size, before the next ones are twice as large: 10,000 of them are more than the largest object. */
const PARTS_OF_A_SIZE = 1000;
/** Bytes of parts that are copied: several at a time, and not for long. */
const COPIED_PART_BYTES = 2 ** 29;
/** Parts that copies may take. */
const MAX_COPIED_PARTS = 8000;

/** A part: bytes to upload, or, `kept`, to copy from the object as it was. */
export interface ObjectPart extends DraftRun {
  /** From 1 on. */
  readonly number: number;
}

/** Bytes of the parts of an upload whose length is not known. @throws IoError `BLOSC2_LIMIT_EXCEEDED` past the last one */
export function partBytes(name: string, number: number, partSize: number | undefined): number {
  requirePartNumber(name, number);
  return partSize ?? DEFAULT_PART_BYTES * 2 ** Math.floor((number - 1) / PARTS_OF_A_SIZE);
}

function requirePartNumber(name: string, number: number): void {
  if (number <= MAX_PARTS) return;
  throw new IoError(
    "BLOSC2_LIMIT_EXCEEDED",
    `${name}: an upload has at most ${MAX_PARTS} parts: give a larger partSize`,
    { operation: "upload part", path: name, expected: MAX_PARTS, found: number },
  );
}

/**
 * Parts for an object of these runs. Copies are as large as they can be, and what is uploaded no more than it must be: what changed, and what
 * it takes to reach the least length of a part.
 *
 * @param partSize all parts but the last have this length, as some services want it
 * @throws IoError `BLOSC2_LIMIT_EXCEEDED`
 */
export function planParts(name: string, runs: readonly DraftRun[], partSize: number | undefined): ObjectPart[] {
  const cut = partSize === undefined ? [...cutRuns(joinShort(runs))] : [...cutEqually(runs, partSize)];
  requirePartNumber(name, cut.length);
  return cut.map((run, index) => ({ ...run, number: index + 1 }));
}

/** Runs of which all but the last have the least length: short ones take what they lack from the one behind. */
function joinShort(runs: readonly DraftRun[]): DraftRun[] {
  const joined: DraftRun[] = [];
  let rest = [...runs];
  for (let run = rest.shift(); run !== undefined; run = rest.shift()) {
    const before = joined.at(-1);
    // A short copy between two others is uploaded, with what is before or behind it.
    const short = run.kept && run.byteLength < MIN_PART_BYTES && (rest.length > 0 || before?.kept === false);
    const { position, byteLength } = run;
    const kept = run.kept && !short;
    if (before !== undefined && !before.kept && !kept) {
      joined[joined.length - 1] = { ...before, byteLength: before.byteLength + byteLength };
    } else joined.push({ position, byteLength, kept });
    rest = lengthen(joined, rest);
  }
  return joined;
}

/** Gives the last of `joined` what it lacks, if it is to be uploaded, out of those behind it. @returns what is left of those */
function lengthen(joined: DraftRun[], runs: readonly DraftRun[]): DraftRun[] {
  const rest = [...runs];
  for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
    const last = joined.at(-1) as DraftRun;
    const taken = last.kept ? 0 : Math.min(next.byteLength, Math.max(0, MIN_PART_BYTES - last.byteLength));
    joined[joined.length - 1] = { ...last, byteLength: last.byteLength + taken };
    const { position, byteLength, kept } = next;
    if (byteLength > taken) return [{ position: position + taken, byteLength: byteLength - taken, kept }, ...rest];
  }
  return rest;
}

function* cutRuns(runs: readonly DraftRun[]): Generator<DraftRun> {
  const total = runs.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const copied = Math.max(COPIED_PART_BYTES, Math.ceil(total / MAX_COPIED_PARTS));
  const uploaded = Math.max(DEFAULT_PART_BYTES, Math.ceil(total / MAX_COPIED_PARTS));
  for (const { position, byteLength, kept } of runs) {
    // Rounded down, so that no piece is shorter than the least length.
    const pieces = Math.max(1, Math.floor(byteLength / (kept ? copied : uploaded)));
    for (let i = 0; i < pieces; i++) {
      const from = Math.floor((byteLength * i) / pieces);
      const to = Math.floor((byteLength * (i + 1)) / pieces);
      yield { position: position + from, byteLength: to - from, kept };
    }
  }
}

function* cutEqually(runs: readonly DraftRun[], partSize: number): Generator<DraftRun> {
  const last = runs.at(-1);
  const end = last === undefined ? 0 : last.position + last.byteLength;
  for (let position = 0; position < end; position += partSize) {
    const byteLength = Math.min(partSize, end - position);
    const kept = runs.some(
      (run) => run.kept && run.position <= position && run.position + run.byteLength >= position + byteLength,
    );
    yield { position, byteLength, kept };
  }
}
