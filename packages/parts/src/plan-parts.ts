/** Making the plan of a frame that several writers share. @module */
import {
  ArgumentError,
  type CParams,
  chooseShapes,
  IoError,
  isBlosc2Error,
  parseDType,
  SChunk,
  zeros,
} from "@b2frame/core";
import { CPARAM_NAMES, checkOptionNames, type OptionNames } from "@b2frame/core/backend";
import { PartsFiles } from "./parts-files.js";
import { countChunks, decodePlan, encodePlan, type PartRange, type PartsPlan, type PlanGeometry } from "./plan.js";

const DEFAULT_CHUNKSIZE = 4 << 20;

/** What to write, and in how many parts. */
export interface PlanOptions {
  /** Of an array: its shape. */
  readonly shape?: readonly number[] | undefined;
  /** Of an array: NumPy notation. Default `"<f8"`. */
  readonly dtype?: string | undefined;
  /** Of an array: items per chunk along each dimension. Default: as for any new array. */
  readonly chunks?: readonly number[] | undefined;
  /** Of an array: items per block along each dimension. */
  readonly blocks?: readonly number[] | undefined;
  /** Of a super-chunk, in the place of a shape: bytes in all. */
  readonly nbytes?: number | undefined;
  /** Of a super-chunk: bytes per item. Default 1. */
  readonly typesize?: number | undefined;
  /** Of a super-chunk: bytes per chunk. Default 4 MiB. */
  readonly chunksize?: number | undefined;
  /** Compression parameters. */
  readonly cparams?: Partial<CParams> | undefined;
  /** How many parts, at most one for each chunk. Default: one for each chunk, up to 1000. */
  readonly parts?: number | undefined;
  /**
   * In the place of `parts`, where each part begins: rows (items of the first dimension) of an array, bytes of a super-chunk. The first
   * is 0, and each lies between two chunks.
   */
  readonly boundaries?: readonly number[] | undefined;
  /** Whether the result is to be a sparse frame. Default false. */
  readonly sparse?: boolean | undefined;
  /** Whether the result keeps checksums. Default false. */
  readonly checksum?: boolean | undefined;
  /** A path that writers take their items from if they are told no other. */
  readonly source?: string | undefined;
}

const PLAN_NAMES: OptionNames<PlanOptions> = {
  shape: true,
  dtype: true,
  chunks: true,
  blocks: true,
  nbytes: true,
  typesize: true,
  chunksize: true,
  cparams: CPARAM_NAMES,
  parts: true,
  boundaries: true,
  sparse: true,
  checksum: true,
  source: true,
};

const DEFAULT_PARTS = 1000;

function invalid(parameter: string, message: string): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter });
}

interface Form {
  readonly geometry: PlanGeometry;
  readonly cparams: CParams;
  readonly chunkBytes: number;
}

function arrayForm(options: PlanOptions, shape: readonly number[]): Form {
  for (const name of ["nbytes", "typesize", "chunksize"] as const) {
    if (options[name] !== undefined) throw invalid(name, `${name} is for super-chunks; an array has a shape`);
  }
  const dtype = parseDType(options.dtype ?? "<f8");
  if (shape.includes(0))
    throw invalid("shape", `shape (${shape.join(", ")}) has no items, so there are no chunks to share`);
  const { chunks, blocks } = chooseShapes(shape, dtype.itemsize, options.chunks, options.blocks);
  // One chunk stands for all: it checks everything, and says what the parameters come to.
  const probe = zeros(chunks, { dtype: dtype.str, chunks, blocks, cparams: options.cparams });
  const { cparams, chunksize } = probe.schunk;
  return { geometry: { kind: "array", shape, dtype: dtype.str, chunks, blocks }, cparams, chunkBytes: chunksize };
}

function bytesForm(options: PlanOptions, nbytes: number): Form {
  for (const name of ["dtype", "chunks", "blocks"] as const) {
    if (options[name] !== undefined) throw invalid(name, `${name} is for arrays: give a shape`);
  }
  const { typesize = 1, chunksize = DEFAULT_CHUNKSIZE } = options;
  const whole = Math.max(1, Math.floor(chunksize / typesize)) * typesize;
  if (!Number.isSafeInteger(nbytes) || nbytes < 1 || nbytes % typesize !== 0) {
    throw invalid("nbytes", `nbytes: expected a multiple of typesize ${typesize} above 0, found ${nbytes}`);
  }
  const { cparams } = SChunk.create({ typesize, chunksize: whole, cparams: options.cparams });
  return { geometry: { kind: "bytes", nbytes, typesize, chunksize: whole }, cparams, chunkBytes: whole };
}

function formOf(options: PlanOptions): Form {
  const { shape, nbytes } = options;
  if (shape !== undefined) return arrayForm(options, shape);
  if (nbytes !== undefined) return bytesForm(options, nbytes);
  throw invalid("shape", "a plan needs the shape of an array or the nbytes of a super-chunk");
}

/** Parts of nearly the same number of chunks. */
function* evenRanges(nchunks: number, wanted: number | undefined): Generator<PartRange> {
  if (wanted !== undefined && (!Number.isSafeInteger(wanted) || wanted < 1)) {
    throw invalid("parts", `parts: expected an integer from 1, found ${wanted}`);
  }
  const count = Math.min(nchunks, wanted ?? DEFAULT_PARTS);
  for (let part = 0; part < count; part++) {
    const first = Math.floor((part * nchunks) / count);
    yield { first, count: Math.floor(((part + 1) * nchunks) / count) - first };
  }
}

/** Parts that begin where they were asked to. @throws ArgumentError for a part that begins inside a chunk */
function rangesFrom(boundaries: readonly number[], geometry: PlanGeometry, nchunks: number): PartRange[] {
  const isArray = geometry.kind === "array";
  const length = isArray ? (geometry.shape[0] ?? 1) : geometry.nbytes;
  const step = isArray ? (geometry.chunks[0] ?? 1) : geometry.chunksize;
  const unit = isArray ? "row" : "byte";
  const perStep = nchunks / Math.ceil(length / step);
  boundaries.forEach((at, part) => {
    const least = part === 0 ? 0 : (boundaries[part - 1] as number) + 1;
    if (!Number.isSafeInteger(at) || at < least || at >= length || (part === 0 && at !== 0)) {
      throw invalid(
        "boundaries",
        `part ${part} begins at ${unit} ${at}: expected ${part === 0 ? "0" : `${least} to ${length - 1}`}`,
      );
    }
    if (at % step === 0) return;
    throw invalid(
      "boundaries",
      `part ${part} begins at ${unit} ${at}, which is inside a chunk of ${step} ${unit}s: two parts would write one chunk, and one would be lost`,
    );
  });
  const firsts = boundaries.map((at) => (at / step) * perStep);
  return firsts.map((first, part) => ({ first, count: (firsts[part + 1] ?? nchunks) - first }));
}

function randomId(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Where the id stands in a plan's text. */
const ID_IN_TEXT = /^(\{"version":1,"id":")([0-9a-f]{32})"/;

/** What a plan says, but for its id. */
function contentOf(plan: PartsPlan): string {
  return encodePlan({ ...plan, id: "" });
}

/** The plan in `text` if it says the same as `plan`, but for its id. Equal texts aren't read: two plans of a million parts in memory are more than one has to be. */
function samePlan(plan: PartsPlan, planText: string, text: string, path: string): PartsPlan | undefined {
  const id = ID_IN_TEXT.exec(text)?.[2];
  if (id !== undefined && text === planText.replace(ID_IN_TEXT, `$1${id}"`)) return { ...plan, id };
  const other = decodePlan(text, path);
  return contentOf(other) === contentOf(plan) ? other : undefined;
}

/** The text of a new plan. */
function newPlanText(options: PlanOptions): string {
  const { sparse = false, checksum = false, boundaries, parts: wanted, source } = options;
  if (boundaries !== undefined && wanted !== undefined)
    throw invalid("boundaries", "give parts or boundaries, not both");
  const form = formOf(options);
  const nchunks = countChunks(form.geometry);
  const parts = boundaries === undefined ? evenRanges(nchunks, wanted) : rangesFrom(boundaries, form.geometry, nchunks);
  return encodePlan({ version: 1, id: randomId(), ...form, sparse, checksum, nchunks, parts, source });
}

/**
 * Plans a frame that several writers share: writes `TARGET.parts/plan.json`. Planning the same once more gives the plan that is there.
 *
 * @param target where the frame goes; nothing may be there.
 * @throws ArgumentError for a part that begins inside a chunk, and as making the frame would; IoError `BLOSC2_IO_EXISTS` where a frame
 * or another plan is.
 * @example
 * ```ts
 * const plan = planParts("scan.b2nd", { shape: [1000, 512, 512], dtype: "<u2", parts: 16 });
 * plan.parts.length; // how many there really are
 * ```
 */
export function planParts(target: string, options: PlanOptions): PartsPlan {
  checkOptionNames(PLAN_NAMES, options);
  const files = new PartsFiles(target);
  const planText = newPlanText(options);
  // What can't be read back is not written.
  const plan = decodePlan(planText, files.planPath);
  if (files.targetExists())
    throw exists(files.target, "something is there already; remove it, or choose another place");
  for (;;) {
    files.makeFolder();
    if (writePlan(files, planText)) return plan;
    const text = files.readText(files.planPath);
    // Given up meanwhile: the place is free.
    if (text === undefined) continue;
    const before = samePlan(plan, planText, text, files.planPath);
    if (before !== undefined) return before;
    throw exists(files.planPath, "another plan is there; finalize or abort it first");
  }
}

/** @returns false if a plan is there already, or if somebody who gives one up has removed the folder */
function writePlan(files: PartsFiles, planText: string): boolean {
  try {
    return files.writeOnce(files.planPath, planText);
  } catch (error) {
    if (isBlosc2Error(error, "BLOSC2_IO_NOT_FOUND")) return false;
    throw error;
  }
}

function exists(path: string, why: string): IoError {
  return new IoError("BLOSC2_IO_EXISTS", `${path}: ${why}`, { operation: "plan", path });
}
