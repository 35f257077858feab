/** Reading and writing ranges of items across chunks. @module */
import { ArgumentError } from "../errors.js";
import { CHUNKSIZE_UNSET } from "../frame/frame-layout.js";
import { insertData, updateData } from "./edit-chunks.js";
import type { ReadState } from "./read-state.js";
import { requireBytes, type SuperChunkState } from "./super-chunk-state.js";

/** Items that there are. */
export function itemCount(state: ReadState): number {
  const { header, chunks } = state.frame;
  return Math.floor(chunks.nbytes / header.typesize);
}

function outOfRange(parameter: string, expected: string, found: number): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_OUT_OF_RANGE", `${parameter}: expected ${expected}, found ${found}`, {
    parameter,
    expected,
    found,
  });
}

/** Items `start..stop` as bytes. */
export function getSlice(state: ReadState, start: number, stop: number, target?: Uint8Array): Uint8Array {
  const count = itemCount(state);
  if (!Number.isSafeInteger(start) || start < 0 || start > count) {
    throw outOfRange("start", `an integer in 0..${count}`, start);
  }
  if (!Number.isSafeInteger(stop) || stop < start || stop > count) {
    throw outOfRange("stop", `an integer in ${start}..${count}`, stop);
  }
  const { typesize } = state.frame.header;
  const byteLength = (stop - start) * typesize;
  if (target !== undefined && target.byteLength < byteLength) {
    throw outOfRange("target", `at least ${byteLength} bytes`, target.byteLength);
  }
  if (target === undefined) state.requireAllocation(byteLength, "slice");
  const result = target ?? new Uint8Array(byteLength);
  readRange(state, start * typesize, stop * typesize, result, 0);
  return result;
}

/** Reads bytes `start..stop` of all chunks together; only blocks that hold some of them are decoded. */
export function readRange(state: ReadState, start: number, stop: number, target: Uint8Array, offset: number): void {
  let position = start;
  if (start === stop) return;
  for (let i = state.frame.chunks.find(start); position < stop; i++) {
    const chunkStart = state.frame.chunks.start(i);
    const nbytes = state.frame.chunks.nbytesOf(i);
    const to = Math.min(stop - chunkStart, nbytes);
    const chunk = state.openChunk(i, to - (position - chunkStart) === nbytes);
    chunk.readBytes(position - chunkStart, to, target, offset + position - start);
    position = chunkStart + to;
  }
}

/** Overwrites items from `start` on, and appends what reaches past the last one. */
export function setSlice(state: SuperChunkState, start: number, data: ArrayBufferView): void {
  const bytes = requireBytes(data, "data");
  state.adoptTypesize(data);
  const count = itemCount(state);
  const { typesize } = state.frame.header;
  const { nbytes } = state.frame.chunks;
  if (!Number.isSafeInteger(start) || start < 0 || start > count) {
    throw outOfRange("start", `an integer in 0..${count}`, start);
  }
  if (bytes.byteLength % typesize !== 0) {
    throw outOfRange("data", `a multiple of typesize ${typesize} bytes`, bytes.byteLength);
  }
  let position = start * typesize;
  let done = 0;
  while (done < bytes.byteLength && position < nbytes) {
    const i = state.frame.chunks.find(position);
    const chunkStart = state.frame.chunks.start(i);
    const from = position - chunkStart;
    const size = state.frame.chunks.nbytesOf(i);
    const to = Math.min(size, from + bytes.byteLength - done);
    const part = bytes.subarray(done, done + to - from);
    updateData(state, i, from === 0 && to === size ? part : patched(state, i, from, part));
    done += part.byteLength;
    position += part.byteLength;
  }
  if (done < bytes.byteLength) appendItems(state, bytes.subarray(done));
}

/** The content of a chunk with `part` written over it from byte `from` on; it may grow. */
function patched(state: SuperChunkState, chunkIndex: number, from: number, part: Uint8Array): Uint8Array {
  const chunk = state.openChunk(chunkIndex);
  const content = new Uint8Array(Math.max(chunk.nbytes, from + part.byteLength));
  chunk.decompressInto(content);
  content.set(part, from);
  return content;
}

/** Appends items in chunks of the frame's size, after filling up a shorter last one. */
export function appendItems(state: SuperChunkState, bytes: Uint8Array): void {
  const { chunks } = state.frame;
  let done = 0;
  if (!chunks.variable && chunks.length > 0) {
    const last = chunks.length - 1;
    const used = chunks.nbytesOf(last);
    const room = Math.min(chunks.chunksize - used, bytes.byteLength);
    if (room > 0) {
      updateData(state, last, patched(state, last, used, bytes.subarray(0, room)));
      done = room;
    }
  }
  while (done < bytes.byteLength) {
    const piece = Math.min(chunksizeForAppend(state, bytes.byteLength - done), bytes.byteLength - done);
    insertData(state, chunks.length, bytes.subarray(done, done + piece));
    done += piece;
  }
}

/** Chunks of this many bytes at most, where nothing else was said. A multiple of the typesize. */
const DEFAULT_CHUNKSIZE: number = 2 ** 24;

/** Uncompressed bytes of the next chunk, of `waiting` ones. */
export function chunksizeForAppend(state: SuperChunkState, waiting: number): number {
  const { chunksize } = state.frame.chunks;
  if (chunksize > 0) return chunksize;
  const { typesize } = state.frame.header;
  const wanted = chunksize === CHUNKSIZE_UNSET ? state.settings.chunksize : undefined;
  if (wanted !== undefined) return wanted;
  const most = Math.max(typesize, DEFAULT_CHUNKSIZE - (DEFAULT_CHUNKSIZE % typesize));
  return Math.min(waiting, most);
}
