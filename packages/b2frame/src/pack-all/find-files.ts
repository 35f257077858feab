/** Which files of a folder are packed, and into what. @module */
import { readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { ArgumentError } from "@b2frame/core";
import { ioFailure } from "@b2frame/core/backend";

/** One file to pack. Paths in messages and reports are relative to the folder. */
export interface FileToPack {
  readonly path: string;
  readonly input: string;
  readonly output: string;
  readonly format: "raw" | "npy" | "nifti";
  readonly nbytes: number;
}

/** What a folder holds. */
export interface FoundFiles {
  readonly files: readonly FileToPack[];
  /** Of no kind that is packed. */
  readonly others: number;
}

const KINDS = [
  { end: ".npy", format: "npy" },
  { end: ".nii.gz", format: "nifti" },
  { end: ".nii", format: "nifti" },
] as const;

function invalid(message: string): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter: "DIR" });
}

/**
 * The files under `folder` in the order of their names, each with a place under `out`. Links to folders are not followed.
 *
 * @param raw ends of the names of files that are packed as raw bytes.
 * @throws IoError; ArgumentError for two files that would be packed into one
 */
export function findFiles(folder: string, out: string, raw: readonly string[]): FoundFiles {
  const kinds = [...KINDS, ...raw.map((end) => ({ end, format: "raw" as const }))];
  const files: FileToPack[] = [];
  let others = 0;
  const takenBy = new Map<string, string>();
  for (const path of filesUnder(folder)) {
    const kind = kinds.find(({ end }) => path.toLowerCase().endsWith(end.toLowerCase()));
    if (kind === undefined) {
      others++;
      continue;
    }
    const stem = path.slice(0, -kind.end.length);
    const output = join(out, `${stem}${kind.format === "raw" ? ".b2frame" : ".b2nd"}`);
    const other = takenBy.get(output);
    if (other !== undefined) throw invalid(`${other} and ${path} would both be packed into ${output}`);
    takenBy.set(output, path);
    const input = join(folder, path);
    files.push({ path, input, output, format: kind.format, nbytes: statSync(input).size });
  }
  return { files, others };
}

function filesUnder(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() || (entry.isSymbolicLink() && isFile(join(entry.parentPath, entry.name))))
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .sort();
  } catch (error) {
    throw ioFailure(error, { operation: "list", path: folder });
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Whether the output is there and no older than the input: it is whole, for it appeared at once. */
export function isPacked({ input, output }: FileToPack): boolean {
  const made = statSync(output, { throwIfNoEntry: false });
  return made !== undefined && made.mtimeMs >= statSync(input).mtimeMs;
}

/** Every `of`th file from the `part`th on. */
export function shardOf(files: readonly FileToPack[], [part, of]: readonly [number, number]): FileToPack[] {
  return files.filter((_, i) => i % of === part);
}
