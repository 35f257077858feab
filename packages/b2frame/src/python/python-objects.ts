/** The Python objects in files of python-blosc2's `ObjectArray`, `BatchArray` and `ListArray`. @module */
import { ArgumentError, decodeMsgpack, FormatError, frameKindOf, type SChunk, UnsupportedError } from "@b2frame/core";

/** How objects lie in chunks: one in each; lists of them, one in each chunk; or rows, of which each chunk has many. */
type Layout = "object" | "batch" | "rows";

/** The vlmetalayer in which python-blosc2 keeps how many objects each chunk of a `BatchArray` has. */
const BATCH_LAYER = "_batch_array_metadata";
/** The metalayer of columns of a table whose rows are kept in batches. */
const TABLE_ROWS_LAYER = "ctable_varlen_scalar";
/** The metalayers that say how objects were written. */
const SERIALIZED_LAYERS = ["listarray", "batcharray", "vlarray"];

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function layoutOf(schunk: SChunk): Layout {
  const { meta } = schunk;
  if (!SERIALIZED_LAYERS.some((name) => meta.has(name))) {
    const kind = frameKindOf(schunk);
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `${schunk.urlpath ?? "the frame in memory"}: is of kind "${kind}" and holds no Python objects`,
      { parameter: "schunk", found: kind },
    );
  }
  for (const name of SERIALIZED_LAYERS) {
    const serializer = meta.has(name) ? fieldOf(meta.getValue(name), "serializer") : "msgpack";
    if (serializer !== "msgpack") {
      const where = schunk.urlpath ?? "the frame in memory";
      const found = String(serializer);
      throw new UnsupportedError(
        "BLOSC2_UNSUPPORTED",
        `${where}: its objects were written by "${found}"; msgpack is read`,
        {
          feature: `serializer ${found}`,
          path: schunk.urlpath,
          structure: `metalayer "${name}"`,
          field: "serializer",
          expected: "msgpack",
          found,
        },
      );
    }
  }
  if (!meta.has("batcharray")) return "object";
  return meta.has("listarray") || meta.has(TABLE_ROWS_LAYER) ? "rows" : "batch";
}

/**
 * Objects that python-blosc2 wrote, decoded as they are asked for: of an `ObjectArray` its objects, of a `BatchArray` its batches, each
 * an array of objects, of a `ListArray` its lists, `null` for those that are missing. Values are those of `decodeMsgpack` of
 * `@b2frame/core`: Python's `None` is `null`, `bytes` a `Uint8Array`, tuples and complex numbers are values of their own.
 *
 * @example
 * ```ts
 * using file = openSChunk("objects.b2frame");
 * for (const object of objectsOf(file)) console.log(object);
 * ```
 */
export class PythonObjects implements Iterable<unknown> {
  readonly #schunk: SChunk;
  readonly #layout: Layout;
  /** Of rows: the number of the first one in each chunk, and how many there are in all. */
  readonly #starts: Float64Array | undefined;
  /** The chunk that was decoded last. */
  #decoded: { readonly chunk: number; readonly values: readonly unknown[] } | undefined;

  private constructor(schunk: SChunk) {
    this.#schunk = schunk;
    this.#layout = layoutOf(schunk);
    if (this.#layout === "rows") this.#starts = this.#findStarts();
  }

  /** See {@link objectsOf}. */
  static of(schunk: SChunk): PythonObjects {
    return new PythonObjects(schunk);
  }

  /** How many objects, batches or lists there are. */
  get length(): number {
    return this.#starts?.at(-1) ?? this.#schunk.nchunks;
  }

  /**
   * The one at `index`; negative ones count from the end.
   *
   * @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE`; FormatError for bytes that are no objects
   */
  at(index: number): unknown {
    const { length } = this;
    const place = index < 0 ? index + length : index;
    if (!Number.isInteger(place) || place < 0 || place >= length) {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_OUT_OF_RANGE",
        `index: expected an integer in -${length}..${length - 1}`,
        {
          parameter: "index",
          found: index,
        },
      );
    }
    return this.#objectAt(place);
  }

  /** The ones from `start` on, up to and without `stop`. @throws as {@link at} */
  slice(start = 0, stop: number = this.length): unknown[] {
    return Array.from({ length: Math.max(0, Math.min(stop, this.length) - start) }, (_, i) => this.at(start + i));
  }

  /** All of them, one after the other. @throws FormatError for bytes that are no objects */
  *[Symbol.iterator](): IterableIterator<unknown> {
    for (let i = 0; i < this.length; i++) yield this.#objectAt(i);
  }

  #objectAt(place: number): unknown {
    if (this.#layout === "object") return this.#decode(this.#schunk.decompressChunk(place), place);
    const starts = this.#starts;
    if (starts === undefined) return this.#objectsOfChunk(place);
    let [low, high] = [0, starts.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= place) low = middle;
      else high = middle;
    }
    return this.#objectsOfChunk(low)[place - (starts[low] as number)];
  }

  #decode(bytes: Uint8Array, chunk: number): unknown {
    try {
      return decodeMsgpack(bytes);
    } catch (error) {
      throw this.#invalid(chunk, "objects in msgpack", error instanceof Error ? error.message : String(error), error);
    }
  }

  #invalid(chunk: number, expected: string, found: string, cause?: unknown): FormatError {
    const location = { path: this.#schunk.urlpath, structure: `chunk ${chunk}`, field: "content", position: 0 };
    return new FormatError("BLOSC2_FORMAT_INVALID", { ...location, expected, found }, cause);
  }

  /** What all blocks of a chunk hold, one list each. */
  #objectsOfChunk(chunk: number): readonly unknown[] {
    if (this.#decoded?.chunk === chunk) return this.#decoded.values;
    const values = this.#schunk.vlBlocks(chunk).flatMap((block) => {
      const list = this.#decode(block, chunk);
      if (!Array.isArray(list)) throw this.#invalid(chunk, "a list in each block", typeof list);
      return list as unknown[];
    });
    const starts = this.#starts;
    const stated = starts === undefined ? values.length : (starts[chunk + 1] as number) - (starts[chunk] as number);
    if (stated !== values.length)
      throw this.#invalid(chunk, `${stated} objects, as "${BATCH_LAYER}" says`, String(values.length));
    this.#decoded = { chunk, values };
    return values;
  }

  /** By what the file says of itself, else by decoding every chunk. */
  #findStarts(): Float64Array {
    const { nchunks, vlmeta } = this.#schunk;
    const layer = vlmeta.has(BATCH_LAYER) ? vlmeta.getValue(BATCH_LAYER) : undefined;
    const lengths = layer === undefined ? undefined : fieldOf(layer, "batch_lengths");
    const stated = Array.isArray(lengths) && lengths.length === nchunks ? (lengths as unknown[]) : undefined;
    const starts = new Float64Array(nchunks + 1);
    for (let i = 0; i < nchunks; i++) {
      const count = stated === undefined ? this.#objectsOfChunk(i).length : stated[i];
      if (typeof count !== "number" || !Number.isSafeInteger(count) || count < 0) {
        throw this.#invalid(i, `a number of objects in "${BATCH_LAYER}"`, String(count));
      }
      starts[i + 1] = (starts[i] as number) + count;
    }
    return starts;
  }
}

/**
 * The Python objects in a super-chunk that python-blosc2 wrote as an `ObjectArray`, `BatchArray` or `ListArray`; they are read from it as
 * they are asked for, so it stays open.
 *
 * @throws ArgumentError if it is of another kind; UnsupportedError if they were written by pyarrow and not in msgpack; FormatError
 */
export function objectsOf(schunk: SChunk): PythonObjects {
  return PythonObjects.of(schunk);
}
