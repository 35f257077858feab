/** What a frame holds at one of its commits, in a form that passes from process to process. @module */
import { isDeepStrictEqual } from "node:util";
import { crc32 } from "node:zlib";
import { type IoBackend, NDArray, SChunk, verifyFrame } from "@b2frame/core";

/** What is written: a super-chunk in a file or in a directory, or an array. */
export type FrameKind = "contiguous" | "sparse" | "array";

/** The content of a frame at a commit. */
export interface FrameState {
  /** CRC-32 of each chunk's uncompressed bytes; of an array, of each row. */
  readonly parts: readonly number[];
  /** Numbers, each the value of a vlmetalayer. */
  readonly vlmeta: Readonly<Record<string, number>>;
}

/** Whether two states are the same. */
export function sameState(a: FrameState, b: FrameState): boolean {
  return isDeepStrictEqual(a, b);
}

/** A state in few words, for messages. */
export function describeState({ parts, vlmeta }: FrameState): string {
  const tail = parts.slice(-3).map((crc) => crc.toString(16));
  return `${parts.length} parts ending in ${tail.join(",")}, vlmeta ${JSON.stringify(vlmeta)}`;
}

/** The CRC-32 of each row of an array. */
export function rowChecksums(bytes: Uint8Array, rows: number): number[] {
  const rowBytes = rows === 0 ? 0 : bytes.byteLength / rows;
  return Array.from({ length: rows }, (_, i) => crc32(bytes.subarray(i * rowBytes, (i + 1) * rowBytes)));
}

/** The vlmetalayers that are the workload's. */
function vlmetaOf(schunk: SChunk): Record<string, number> {
  const names = schunk.vlmeta.keys().filter((name) => !name.startsWith("b2frame."));
  return Object.fromEntries(names.map((name) => [name, Number(schunk.vlmeta.getValue(name))]));
}

/** Reads a frame with b2frame: its state as committed, after checking it with `verifyFrame`. */
export function readState(path: string, backend: IoBackend, kind: FrameKind): FrameState {
  const { problems } = verifyFrame(path, backend);
  if (problems.length > 0) throw new Error(`verify: ${problems.map(({ message }) => message).join("; ")}`);
  using schunk = SChunk.open(path, backend, { checksum: true });
  if (kind !== "array")
    return { parts: [...schunk.iterChunks()].map((chunk) => crc32(chunk)), vlmeta: vlmetaOf(schunk) };
  const array = NDArray.fromSChunk(schunk);
  const rows = array.shape[0] as number;
  return { parts: rowChecksums(array.get().bytes, rows), vlmeta: vlmetaOf(schunk) };
}

/** @throws Error unless `found` is one of the states at which the frame may be */
export function requireOneOf(found: FrameState, allowed: readonly FrameState[], reader: string): void {
  if (allowed.some((state) => sameState(state, found))) return;
  const expected = allowed.map(describeState).join(" or ");
  throw new Error(`${reader}: found ${describeState(found)}; expected ${expected}`);
}
