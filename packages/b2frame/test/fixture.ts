import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The path of a file that C-Blosc2 wrote. */
export function fixturePath(name: string): string {
  return fileURLToPath(new URL(`../../../fixtures/conformance/${name}`, import.meta.url));
}

/** The parts of a corpus entry that are used here. */
export interface CorpusEntry {
  readonly id: string;
  readonly file: string;
  readonly nbytes: number;
  readonly cbytes: number;
  readonly typesize: number;
  readonly nchunks: number;
  /** Of a super-chunk: of all its bytes. */
  readonly sha256: string;
  /** Of an array: of its items in C order. */
  readonly array_sha256: string;
  readonly shape: readonly number[];
  readonly chunkshape: readonly number[];
  readonly blockshape: readonly number[];
  readonly dtype: string;
}

/** What the corpus says of an entry. */
export function corpusEntry(id: string): CorpusEntry {
  const { entries } = JSON.parse(readFileSync(fixturePath("manifest.json"), "utf8")) as { entries: CorpusEntry[] };
  const entry = entries.find((candidate) => candidate.id === id);
  if (entry === undefined) throw new Error(`no corpus entry ${id}`);
  return entry;
}
