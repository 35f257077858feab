/** Writing one part. @module */
import { ArgumentError, IoError, isBlosc2Error, SChunk } from "@b2frame/core";
import { checkOptionNames, firstFailure, type OptionNames } from "@b2frame/core/backend";
import { chunkWriter } from "./chunk-writer.js";
import { checkedChunks, openPart } from "./open-part.js";
import { encodePartMetalayer, PART_METALAYER } from "./part-metalayer.js";
import { type PartSource, requireFitting } from "./part-source.js";
import { PartsFiles } from "./parts-files.js";
import { type PartsPlan, readPlan } from "./plan.js";

/** How to write a part. */
export interface WritePartOptions {
  /** Write it even if it is there already, whole. Default false. */
  readonly again?: boolean | undefined;
  /** Told after each chunk how many of the part are done. It may wait, and stop the work by throwing. */
  readonly onProgress?: ((done: number, total: number) => void | Promise<void>) | undefined;
  /** Stops the work before the next chunk. */
  readonly signal?: AbortSignal | undefined;
}

const WRITE_NAMES: OptionNames<WritePartOptions> = { again: true, onProgress: true, signal: true };

/** What writing a part came to. */
export interface PartWritten {
  readonly part: number;
  readonly first: number;
  readonly count: number;
  /** Compressed bytes of its chunks. */
  readonly cbytes: number;
  /** False if it was there already, whole. */
  readonly written: boolean;
}

/** @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE` */
function requirePartNumber(plan: PartsPlan, part: number): void {
  const { length } = plan.parts;
  if (Number.isSafeInteger(part) && part >= 0 && part < length) return;
  throw new ArgumentError("BLOSC2_ARGUMENT_OUT_OF_RANGE", `part ${part}: the plan has parts 0 to ${length - 1}`, {
    parameter: "part",
    value: part,
  });
}

/** The compressed bytes of a part that is there and whole; `undefined` if it has to be written. */
function wholeBytes(files: PartsFiles, plan: PartsPlan, part: number): number | undefined {
  try {
    using schunk = openPart(files, plan, part);
    for (const _ of checkedChunks(schunk, plan, part));
    return schunk.cbytes;
  } catch (error) {
    // Missing or damaged: it is written then, and what goes wrong with that is thrown.
    if (isBlosc2Error(error)) return undefined;
    throw error;
  }
}

/**
 * Writes part `part` of a planned frame: to a temporary name, durably, then renamed. Safe to run twice, and at once: the same items give
 * the same bytes.
 *
 * @throws IoError `BLOSC2_IO_NOT_FOUND` without a plan; ArgumentError for a part that the plan does not have, or a source of another shape;
 * what the source throws. Nothing is left then.
 * @example
 * ```ts
 * await writePart("scan.b2nd", 3, npySource("scan.npy", stdio()));
 * ```
 */
export async function writePart(
  target: string,
  part: number,
  source: PartSource,
  options: WritePartOptions = {},
): Promise<PartWritten> {
  checkOptionNames(WRITE_NAMES, options);
  const files = new PartsFiles(target);
  const plan = readPlan(files);
  requirePartNumber(plan, part);
  requireFitting(source, plan.geometry);
  const { first, count } = plan.parts[part] as PartsPlan["parts"][number];
  const facts = { part, first, count };
  if (options.again !== true) {
    const cbytes = wholeBytes(files, plan, part);
    if (cbytes !== undefined) return { ...facts, cbytes, written: false };
  }
  const path = files.newPath();
  try {
    const cbytes = await fill({ files, plan, part, path }, source, options);
    requireSamePlan(files, plan, part);
    files.backend.rename(path, files.partPath(part));
    return { ...facts, cbytes, written: true };
  } catch (error) {
    throw firstFailure(error, () => files.backend.exists(path) && files.backend.remove(path));
  }
}

/** @throws IoError for a plan that was given up, and made once more, while a part of it was being written */
function requireSamePlan(files: PartsFiles, { id }: PartsPlan, part: number): void {
  const { id: found } = readPlan(files);
  if (found === id) return;
  const message = `${files.target}: part ${part} was written for plan ${id}, in whose place is plan ${found} by now`;
  throw new IoError("BLOSC2_IO_NOT_FOUND", message, { operation: "write part", path: files.planPath });
}

/** The part that is being written, and its temporary name. */
interface PartPlace {
  readonly files: PartsFiles;
  readonly plan: PartsPlan;
  readonly part: number;
  readonly path: string;
}

async function fill(
  { files, plan, part, path }: PartPlace,
  source: PartSource,
  { onProgress, signal }: WritePartOptions,
): Promise<number> {
  const { first, count } = plan.parts[part] as PartsPlan["parts"][number];
  const writer = chunkWriter(plan);
  const out = SChunk.create({
    urlpath: path,
    io: files.backend,
    chunksize: plan.chunkBytes,
    cparams: plan.cparams,
    meta: { [PART_METALAYER]: encodePartMetalayer(plan, part) },
    checksum: true,
    commit: false,
  });
  let cbytes: number;
  try {
    for (let i = 0; i < count; i++) {
      signal?.throwIfAborted();
      const box = writer.boxOf(first + i);
      writer.append(out, box, await source.read(box));
      await onProgress?.(i + 1, count);
    }
    out.commit();
    ({ cbytes } = out);
  } catch (error) {
    throw firstFailure(error, () => out.close());
  }
  out.close();
  return cbytes;
}
