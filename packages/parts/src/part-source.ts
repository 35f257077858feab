/** Where the items of a part come from. @module */
import { ArgumentError, type ArrayInput, type DType, type IoBackend, type NDArray, type SChunk } from "@b2frame/core";
import type { ChunkBox } from "./chunk-box.js";
import { NpyReader } from "./npy-reader.js";
import type { PlanGeometry } from "./plan.js";

/** Gives the items of each chunk. */
export interface PartSource {
  /** Of an array. */
  readonly shape?: readonly number[] | undefined;
  /** Of an array: the dtype of its items; others are converted, or refused. */
  readonly dtype?: DType | undefined;
  /** Of bytes. */
  readonly nbytes?: number | undefined;
  /** The items of a box, in C order; the bytes from `start[0]` to `stop[0]` of a super-chunk. The same each time it is asked. */
  read(box: ChunkBox): ArrayInput | Promise<ArrayInput>;
  close?(): void;
}

/** Takes items from an open array. It is closed with the source. */
export function arraySource(array: NDArray): PartSource {
  return {
    shape: array.shape,
    dtype: array.dtype,
    read: ({ start, stop }) => array.getSlice(start, stop),
    close: () => array.close(),
  };
}

/** Takes bytes from an open super-chunk. It is closed with the source. */
export function schunkSource(schunk: SChunk): PartSource {
  const { typesize } = schunk;
  return {
    nbytes: schunk.nbytes,
    read: ({ start, stop }) => schunk.getSlice((start[0] as number) / typesize, (stop[0] as number) / typesize),
    close: () => schunk.close(),
  };
}

/** Takes items from a `.npy` file. @throws IoError; FormatError */
export function npySource(path: string, backend: IoBackend): PartSource {
  const reader = new NpyReader(path, backend);
  return {
    shape: reader.shape,
    dtype: reader.dtype,
    read: ({ start, stop }) => reader.read(start, stop),
    close: () => reader.close(),
  };
}

/** Takes the bytes of a file as they are. @throws IoError */
export function rawSource(path: string, backend: IoBackend): PartSource {
  const handle = backend.open(path, "r");
  return {
    nbytes: handle.size(),
    read: ({ start: [from = 0], stop: [to = 0] }) => handle.read(from, to - from).slice(),
    close: () => handle.close(),
  };
}

/** @throws ArgumentError for a source of another shape or length than the plan's */
export function requireFitting(source: PartSource, geometry: PlanGeometry): void {
  const shown = (shape: readonly number[] | undefined): string =>
    shape === undefined ? "none" : `(${shape.join(", ")})`;
  const [what, expected, found] =
    geometry.kind === "array"
      ? ["shape", shown(geometry.shape), shown(source.shape)]
      : ["nbytes", geometry.nbytes, source.nbytes ?? "none"];
  if (String(expected) === String(found)) return;
  throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `source: ${what}: the plan has ${expected}, the source ${found}`, {
    parameter: "source",
    expected,
    found,
  });
}
