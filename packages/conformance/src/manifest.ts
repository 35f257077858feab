/** The corpus's `manifest.json`: which objects lie where, and what each must decode to. @module */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A stretch of decoded bytes: its size and either the bytes or their hash. */
export interface ExpectedBytes {
  readonly nbytes: number;
  readonly hex?: string;
  readonly sha256?: string;
}

/** A named metalayer. */
export interface ExpectedMetalayer extends ExpectedBytes {
  readonly name: string;
}

/** What `decompress` of one chunk of a frame must give. */
export interface ExpectedChunk {
  readonly nbytes: number;
  readonly cbytes: number;
  readonly blocksize: number;
  /** 0 none, 1 zeros, 2 nan, 3 repeated value, 4 uninitialised. */
  readonly special: number;
  readonly sha256: string;
  readonly vlblocks?: readonly ExpectedBytes[];
}

/** What the C library made of a malformed input. */
export interface LibraryResult {
  readonly result: string;
  readonly nbytes?: number;
  readonly sha256?: string;
}

/** What b2frame must make of a malformed input. */
export type Expectation = "accept" | "reject" | "same-bytes-or-reject" | "reject-preferred" | "reject-or-input";

/** Every kind of entry. */
export const KINDS = [
  "chunk",
  "cframe",
  "sframe",
  "b2nd",
  "filter-only",
  "chunk-c-unreadable",
  "malformed-chunk",
  "malformed-frame",
  "malformed-b2nd",
  "malformed-sframe",
] as const;

/** One entry; which fields are there depends on `kind`. The corpus's README explains each. */
export interface Entry {
  readonly id: string;
  readonly kind: (typeof KINDS)[number];
  readonly file: string | null;
  readonly offset?: number;
  readonly length?: number;
  readonly extract?: boolean;
  readonly expect?: Expectation;
  readonly c?: Readonly<Record<string, LibraryResult>>;
  readonly nbytes: number;
  readonly sha256: string;
  readonly hex?: string;
  readonly typesize: number;
  readonly blocksize: number;
  readonly uninit?: boolean;
  readonly undefined_tail?: number;
  readonly has_dict?: boolean;
  readonly header?: Readonly<Record<string, number | boolean>>;
  readonly getitem?: readonly { readonly start: number; readonly nitems: number; readonly sha256: string }[];
  readonly vlblocks?: readonly ExpectedBytes[];
  readonly filter: string;
  readonly input_sha256: string;
  readonly header_len: number;
  readonly frame_type: number;
  readonly chunksize: number;
  readonly nchunks: number;
  readonly cbytes: number;
  readonly clevel: number;
  readonly compcode: number;
  readonly codec_meta: number;
  readonly splitmode: number;
  readonly use_dict: number;
  readonly filters: readonly number[];
  readonly filters_meta: readonly number[];
  readonly header_blocksize: number;
  readonly chunks?: readonly ExpectedChunk[];
  readonly index?: readonly string[];
  readonly meta: readonly ExpectedMetalayer[];
  readonly vlmeta: readonly ExpectedMetalayer[];
  readonly files?: readonly string[];
  readonly slices?: readonly {
    readonly start: number | readonly number[];
    readonly stop: number | readonly number[];
    readonly sha256: string;
  }[];
  readonly shape: readonly number[];
  readonly chunkshape: readonly number[];
  readonly blockshape: readonly number[];
  readonly dtype: string | null;
  readonly array_nbytes: number;
  readonly array_sha256: string | null;
  readonly array_hex?: string;
  readonly schunk_sha256: string;
}

/** The corpus's folder that `entry` belongs to: its file's, or its id's where no file is stored. */
export function folderOf(entry: Entry): string {
  const [folder] = (entry.file ?? entry.id).split("/");
  return folder ?? "";
}

/**
 * Whether `entry` is wanted. Each pattern names a folder or a kind, or is a part of an id. No pattern: everything.
 */
export function isSelected(entry: Entry, patterns: readonly string[]): boolean {
  if (patterns.length === 0) return true;
  const folder = folderOf(entry);
  return patterns.some((pattern) => {
    if (pattern === folder || pattern === entry.kind) return true;
    const isName = (KINDS as readonly string[]).includes(pattern) || CORPUS_FOLDERS.has(pattern);
    return !isName && entry.id.includes(pattern);
  });
}

const CORPUS_FOLDERS: ReadonlySet<string> = new Set([
  "chunks",
  "plugins",
  "frames",
  "sframes",
  "b2nd",
  "malformed",
  "compat",
]);

/**
 * Reads `manifest.json` of a corpus.
 *
 * @throws Error if it is not a manifest of the known format.
 */
export function readManifest(directory: string): readonly Entry[] {
  const path = join(directory, "manifest.json");
  const manifest: unknown = JSON.parse(readFileSync(path, "utf8"));
  const { format, entries } = manifest as { format?: unknown; entries?: unknown };
  if (format !== 1 || !Array.isArray(entries)) throw new Error(`${path}: not a corpus manifest of format 1`);
  const unknownKind = (entries as Entry[]).find((entry) => !KINDS.includes(entry.kind));
  if (unknownKind !== undefined) throw new Error(`${path}: ${unknownKind.id}: unknown kind ${unknownKind.kind}`);
  return entries as Entry[];
}
