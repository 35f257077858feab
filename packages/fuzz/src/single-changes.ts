/** Every single-byte change and every truncation. @module */
import { type Input, withFile } from "./input.js";

/** Files up to this size get each of the 255 other values at each position. */
const SMALL = 256;
const MEDIUM = 2048;
/** A quick run changes one byte in so many, to one other value, and cuts there. */
const QUICK_STRIDE = 13;

/** Other values for a byte of a file of `byteLength`: all, or those that matter most for lengths, counts and flags. */
export function otherValues(value: number, byteLength: number): number[] {
  if (byteLength <= SMALL) return Array.from({ length: 255 }, (_, at) => value ^ (at + 1));
  const few = [value ^ 0x80, value ^ 0x01, 0xff];
  const some = [...few, 0x00, 0x7f, 0x80, (value + 1) & 0xff, (value - 1) & 0xff, value ^ 0x10];
  return [...new Set(byteLength <= MEDIUM ? some : few)].filter((other) => other !== value);
}

/** One change and one truncation at every `stride`-th byte. */
function* someChanges(bytes: Uint8Array, stride: number): Generator<Uint8Array> {
  for (let at = stride >> 1; at < bytes.byteLength; at += stride) {
    const values = otherValues(bytes[at] as number, bytes.byteLength);
    const changed = bytes.slice();
    changed[at] = values[at % values.length] as number;
    yield changed;
    yield bytes.slice(0, at);
  }
}

function* allChanges(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += 1) {
    for (const value of otherValues(bytes[at] as number, bytes.byteLength)) {
      const changed = bytes.slice();
      changed[at] = value;
      yield changed;
    }
  }
  for (let length = 0; length < bytes.byteLength; length += 1) yield bytes.slice(0, length);
}

/** The changes of each file of `input`; of a quick run, some of them. */
export function* singleChanges(input: Input, quick: boolean): Generator<Input> {
  for (const [index, file] of input.files.entries()) {
    const changes = quick ? someChanges(file.bytes, QUICK_STRIDE) : allChanges(file.bytes);
    for (const changed of changes) yield withFile(input, index, changed);
  }
}
