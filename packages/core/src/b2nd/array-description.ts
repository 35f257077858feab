/**
 * What an array's metalayer says, and that it still says so: a writer may have given the array another shape since.
 *
 * @module
 */
import { FormatError, IoError, UnsupportedError } from "../errors.js";
import { type SuperChunkReader, stateOf } from "../super-chunk/super-chunk-reader.js";
import type { DType } from "../values/dtype.js";
import { parseDType } from "../values/parse-dtype.js";
import { type B2ndMetalayer, decodeB2ndMetalayer } from "./b2nd-metalayer.js";
import { ChunkGrid } from "./chunk-grid.js";

/** The metalayer's name, and the one that its predecessor used. */
export const B2ND_METALAYER = "b2nd";
export const CATERVA_METALAYER = "caterva";

interface Location {
  readonly path: string | undefined;
  readonly structure: string;
  readonly position: number;
}

/** See the module. */
export class ArrayDescription {
  readonly schunk: SuperChunkReader;
  readonly dtype: DType;
  /** Name under which the metalayer stands. */
  readonly metalayerName: string;
  #metalayer: B2ndMetalayer;
  #grid: ChunkGrid;
  #generation: number;

  /**
   * @throws FormatError when there is no `b2nd` metalayer, or it contradicts the super-chunk; UnsupportedError for a dtype in a notation
   * other than NumPy's
   */
  constructor(schunk: SuperChunkReader) {
    this.schunk = schunk;
    this.metalayerName = schunk.meta.has(B2ND_METALAYER) ? B2ND_METALAYER : CATERVA_METALAYER;
    const location = this.#location();
    if (!schunk.meta.has(this.metalayerName)) {
      throw new FormatError("BLOSC2_FORMAT_INVALID", {
        ...location,
        field: "metalayers",
        expected: '"b2nd" (the frame holds an array)',
        found: schunk.meta.keys().join(", ") || "none",
      });
    }
    const metalayer = decodeB2ndMetalayer(schunk.meta.get(this.metalayerName), location);
    if (metalayer.dtypeFormat !== 0) {
      throw new UnsupportedError(
        "BLOSC2_UNSUPPORTED",
        `${location.path ?? "array"}: dtype format ${metalayer.dtypeFormat}; only 0, NumPy's, is known`,
        { feature: "dtype format" },
      );
    }
    this.dtype = dtypeOf(metalayer, schunk, location);
    this.#metalayer = metalayer;
    this.#grid = this.#describe(metalayer);
    this.#generation = stateOf(schunk).frame.generation;
    this.#checkAgainstSChunk(location);
  }

  get metalayer(): B2ndMetalayer {
    return this.#metalayer;
  }

  /** Another object after every change of the shape. */
  get grid(): ChunkGrid {
    return this.#grid;
  }

  /** Takes another description of the same array. */
  replace(metalayer: B2ndMetalayer): void {
    this.#metalayer = metalayer;
    this.#grid = this.#describe(metalayer);
  }

  /** Does what reads the array, in the shape that it has by then. */
  reading<T>(operation: string, read: () => T): T {
    return stateOf(this.schunk).reading(operation, () => {
      this.follow();
      return read();
    });
  }

  /**
   * Takes over the shape of a frame that has been read again.
   *
   * @throws IoError `BLOSC2_IO_STALE` if it is another array now; FormatError
   */
  follow(): void {
    const { generation } = stateOf(this.schunk).frame;
    if (generation === this.#generation) return;
    const location = this.#location();
    const metalayer = decodeB2ndMetalayer(this.schunk.meta.get(this.metalayerName), location);
    if (metalayer.dtype !== this.#metalayer.dtype) {
      throw new IoError(
        "BLOSC2_IO_STALE",
        `${location.path ?? "array"}: is another array now, of dtype ${metalayer.dtype} rather than ${this.#metalayer.dtype}: open it again`,
        { operation: "read", path: location.path, expected: this.#metalayer.dtype, found: metalayer.dtype },
      );
    }
    this.replace(metalayer);
    this.#checkAgainstSChunk(location);
    this.#generation = generation;
  }

  #location(): Location {
    return { path: this.schunk.urlpath, structure: `${this.metalayerName} metalayer`, position: 0 };
  }

  #describe(metalayer: B2ndMetalayer): ChunkGrid {
    stateOf(this.schunk).setGeometry(metalayer);
    return new ChunkGrid(metalayer.shape, metalayer.chunks, metalayer.blocks);
  }

  #checkAgainstSChunk(location: Location): void {
    const { schunk, dtype } = this;
    const grid = this.#grid;
    const fail = (field: string, expected: number, found: number): FormatError =>
      new FormatError("BLOSC2_FORMAT_BAD_LENGTH", { ...location, field, expected, found });
    if (dtype.itemsize !== schunk.typesize)
      throw fail("dtype itemsize against typesize", schunk.typesize, dtype.itemsize);
    if (grid.nchunks !== schunk.nchunks) throw fail("number of chunks", grid.nchunks, schunk.nchunks);
    const chunkBytes = grid.chunkItemCount * dtype.itemsize;
    if (grid.nchunks > 0 && schunk.chunksize !== chunkBytes) throw fail("chunksize", chunkBytes, schunk.chunksize);
  }
}

function dtypeOf(metalayer: B2ndMetalayer, schunk: SuperChunkReader, location: Location): DType {
  // What C-Blosc2 assumes where none is given.
  const text = metalayer.dtype ?? `|S${schunk.typesize}`;
  try {
    const dtype = parseDType(text);
    return dtype.itemsize === schunk.typesize ? dtype : parseDType(`|V${schunk.typesize}`);
  } catch (error) {
    throw new FormatError(
      "BLOSC2_FORMAT_INVALID",
      { ...location, field: "dtype", expected: "a dtype in NumPy notation", found: text.slice(0, 80) },
      error,
    );
  }
}
