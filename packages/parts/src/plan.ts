/** The plan of a frame that is written in parts, and its form in `plan.json`. @module */
import { type CParams, FormatError, IoError } from "@b2frame/core";
import type { PartsFiles } from "./parts-files.js";

/** The version of the file's form. */
const PLAN_VERSION = 1;
const MAX_CHUNKS = 2 ** 31 - 1;

/** What the frame will hold: an array, or the bytes of a super-chunk. */
export type PlanGeometry =
  | {
      readonly kind: "array";
      readonly shape: readonly number[];
      readonly dtype: string;
      readonly chunks: readonly number[];
      readonly blocks: readonly number[];
    }
  | { readonly kind: "bytes"; readonly nbytes: number; readonly typesize: number; readonly chunksize: number };

/** A run of whole chunks. */
export interface PartRange {
  /** Index of its first chunk. */
  readonly first: number;
  /** Number of its chunks, 1 or more. */
  readonly count: number;
}

/** What `plan.json` says. */
export interface PartsPlan {
  readonly version: 1;
  /** 32 hexadecimal digits; each part carries them. */
  readonly id: string;
  readonly geometry: PlanGeometry;
  /** Compression parameters of all parts. */
  readonly cparams: CParams;
  /** Whether the frame becomes a sparse one. */
  readonly sparse: boolean;
  /** Whether the frame keeps checksums. Parts always do. */
  readonly checksum: boolean;
  /** Number of chunks of the frame. */
  readonly nchunks: number;
  /** Bytes of a chunk, uncompressed. */
  readonly chunkBytes: number;
  /** Chunk ranges, part by part: they follow each other and cover all chunks. */
  readonly parts: readonly PartRange[];
  /** Where parts take their items from if their writer is not told: a path. */
  readonly source?: string | undefined;
}

/** Parts that are turned into text at a time. */
const PARTS_PER_PIECE = 4096;

/** A plan whose ranges are made as they are asked for. */
type UnlistedPlan = Omit<PartsPlan, "parts"> & { readonly parts: Iterable<PartRange> };

/** The plan's text: the ranges piece by piece, for as lists of numbers all of them would take more memory than the plan. */
export function encodePlan(plan: UnlistedPlan): string {
  const { parts, ...rest } = plan;
  const pieces: string[] = [];
  let piece: [number, number][] = [];
  const endPiece = (): void => {
    if (piece.length > 0) pieces.push(JSON.stringify(piece).slice(1, -1));
    piece = [];
  };
  for (const { first, count } of parts) {
    piece.push([first, count]);
    if (piece.length === PARTS_PER_PIECE) endPiece();
  }
  endPiece();
  return `${JSON.stringify(rest).slice(0, -1)},"parts":[${pieces.join(",")}]}\n`;
}

/** Reads fields of the plan's JSON; what is wrong is named. */
class PlanReader {
  readonly #path: string;
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #structure: string;

  constructor(path: string, value: unknown, structure: string) {
    this.#path = path;
    this.#structure = structure;
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      this.#fields = {};
      throw this.invalid("content", "a JSON object", value);
    }
    this.#fields = value as Record<string, unknown>;
  }

  invalid(field: string, expected: string | number, found: unknown): FormatError {
    const shown = (JSON.stringify(found) ?? "nothing").slice(0, 80);
    const facts = { path: this.#path, structure: this.#structure, position: 0, field, expected, found: shown };
    return new FormatError("BLOSC2_FORMAT_INVALID", facts);
  }

  object(field: string): PlanReader {
    return new PlanReader(this.#path, this.#fields[field], `${this.#structure} ${field}`);
  }

  has(field: string): boolean {
    return this.#fields[field] !== undefined;
  }

  text(field: string, pattern: RegExp, expected: string): string {
    const value = this.#fields[field];
    if (typeof value !== "string" || !pattern.test(value)) throw this.invalid(field, expected, value);
    return value;
  }

  flag(field: string): boolean {
    const value = this.#fields[field];
    if (typeof value !== "boolean") throw this.invalid(field, "true or false", value);
    return value;
  }

  integer(field: string, low: number, high = Number.MAX_SAFE_INTEGER): number {
    const value = this.#fields[field];
    if (!isInteger(value, low, high)) throw this.invalid(field, `an integer in ${low}..${high}`, value);
    return value;
  }

  integers(field: string, low: number): readonly number[] {
    const value = this.#fields[field];
    const good = Array.isArray(value) && value.every((n) => isInteger(n, low, Number.MAX_SAFE_INTEGER));
    if (!good) throw this.invalid(field, `integers of ${low} or more`, value);
    return value as number[];
  }

  list(field: string): readonly unknown[] {
    const value = this.#fields[field];
    if (!Array.isArray(value)) throw this.invalid(field, "a list", value);
    return value;
  }

  value(field: string): unknown {
    return this.#fields[field];
  }
}

function isInteger(value: unknown, low: number, high: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= low && (value as number) <= high;
}

function readGeometry(reader: PlanReader): PlanGeometry {
  const kind = reader.text("kind", /^(array|bytes)$/, '"array" or "bytes"');
  if (kind === "bytes") {
    return {
      kind,
      nbytes: reader.integer("nbytes", 1),
      typesize: reader.integer("typesize", 1),
      chunksize: reader.integer("chunksize", 1, 2 ** 31 - 1),
    };
  }
  const shape = reader.integers("shape", 1);
  const geometry = {
    kind: "array" as const,
    shape,
    dtype: reader.text("dtype", /./, "a dtype"),
    chunks: reader.integers("chunks", 1),
    blocks: reader.integers("blocks", 1),
  };
  for (const field of ["chunks", "blocks"] as const) {
    if (geometry[field].length !== shape.length) {
      throw reader.invalid(field, `${shape.length} numbers, as many as the shape has`, geometry[field]);
    }
  }
  return geometry;
}

function readCParams(reader: PlanReader): CParams {
  const codec = reader.value("codec");
  if (typeof codec !== "string" && !isInteger(codec, 0, 255)) throw reader.invalid("codec", "a name or number", codec);
  const filters = reader.list("filters").map((value, i) => {
    const { filter, meta } = (value ?? {}) as { filter?: unknown; meta?: unknown };
    if ((typeof filter !== "string" && !isInteger(filter, 0, 255)) || !isInteger(meta, -128, 255)) {
      throw reader.invalid(`filters[${i}]`, "a filter and a number", value);
    }
    return { filter: filter as string | number, meta: meta as number };
  });
  return {
    codec,
    filters,
    codecMeta: reader.integer("codecMeta", 0, 255),
    clevel: reader.integer("clevel", 0, 9),
    typesize: reader.integer("typesize", 1),
    blocksize: reader.integer("blocksize", 0),
    splitmode: reader.text("splitmode", /^(always|never|auto|forward_compat)$/, "a split mode") as CParams["splitmode"],
    useDict: reader.flag("useDict"),
  };
}

/** The ranges take the place of the lists that they are read from, which go as they are read: there may be millions. */
function readRanges(reader: PlanReader, nchunks: number): PartRange[] {
  let next = 0;
  const ranges = reader.list("parts") as unknown[];
  for (let part = 0; part < ranges.length; part++) {
    const value = ranges[part];
    const [first, count] = Array.isArray(value) ? value : [];
    if (first !== next || !isInteger(count, 1, nchunks - next)) {
      throw reader.invalid(`parts[${part}]`, `[${next}, a number of chunks], at most up to ${nchunks}`, value);
    }
    next += count;
    ranges[part] = { first, count } satisfies PartRange;
  }
  if (next !== nchunks) throw reader.invalid("parts", `ranges of ${nchunks} chunks together`, next);
  return ranges as PartRange[];
}

/** The plan in a file's text. @throws FormatError naming the field that is wrong */
export function decodePlan(text: string, path: string): PartsPlan {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const facts = {
      path,
      structure: "plan",
      position: 0,
      field: "content",
      expected: "JSON",
      found: text.slice(0, 40),
    };
    throw new FormatError("BLOSC2_FORMAT_INVALID", facts, error);
  }
  const reader = new PlanReader(path, value, "plan");
  const version = reader.integer("version", 1);
  if (version !== PLAN_VERSION) throw reader.invalid("version", PLAN_VERSION, version);
  const nchunks = reader.integer("nchunks", 1, MAX_CHUNKS);
  const plan: PartsPlan = {
    version,
    id: reader.text("id", /^[0-9a-f]{32}$/, "32 hexadecimal digits"),
    geometry: readGeometry(reader.object("geometry")),
    cparams: readCParams(reader.object("cparams")),
    sparse: reader.flag("sparse"),
    checksum: reader.flag("checksum"),
    nchunks,
    chunkBytes: reader.integer("chunkBytes", 1, MAX_CHUNKS),
    parts: readRanges(reader, nchunks),
    source: reader.has("source") ? reader.text("source", /./, "a path") : undefined,
  };
  const counted = countChunks(plan.geometry);
  if (counted !== nchunks) throw reader.invalid("nchunks", counted, nchunks);
  return plan;
}

/** Number of chunks that a geometry comes to. */
export function countChunks(geometry: PlanGeometry): number {
  if (geometry.kind === "bytes") return Math.ceil(geometry.nbytes / geometry.chunksize);
  const { shape, chunks: chunkShape } = geometry;
  return shape.reduce((count, n, dim) => count * Math.ceil(n / (chunkShape[dim] as number)), 1);
}

/** Uncompressed bytes of a chunk: the last one of a super-chunk may be shorter. */
export function chunkByteLength({ geometry, chunkBytes, nchunks }: PartsPlan, chunkIndex: number): number {
  if (geometry.kind === "array" || chunkIndex < nchunks - 1) return chunkBytes;
  return geometry.nbytes - chunkBytes * (nchunks - 1);
}

/** The plan of a target. @throws IoError `BLOSC2_IO_NOT_FOUND` if there is none; FormatError */
export function readPlan(files: PartsFiles): PartsPlan {
  const text = files.readText(files.planPath);
  if (text !== undefined) return decodePlan(text, files.planPath);
  const hint = files.targetExists() ? `; ${files.target} is there, so it may have been finalized already` : "";
  throw new IoError("BLOSC2_IO_NOT_FOUND", `${files.planPath}: no plan is there${hint}`, {
    operation: "open",
    path: files.planPath,
  });
}
