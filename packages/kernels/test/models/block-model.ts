/** A block's filters and streams from the format description. @module */
import { decodeBlosclzModel } from "./blosclz-model.js";
import { bitshuffleModel, bytedeltaModel, deltaModel, shuffleModel, truncateModel } from "./filter-model.js";
import { decodeLz4Model } from "./lz4-model.js";

/** A filter slot: id and meta. */
export type Slot = readonly [id: number, meta: number];

/** What a block's filters need to know. */
export interface BlockContext {
  readonly typesize: number;
  readonly superChunkTypesize: number;
  readonly reference: Uint8Array | undefined;
}

/** Runs the slots forward. */
export function filterModel(slots: readonly Slot[], block: Uint8Array, context: BlockContext): Uint8Array {
  const { typesize, superChunkTypesize, reference } = context;
  let bytes = block;
  for (const [id, meta] of slots) {
    if (id === 1) bytes = shuffleModel(meta || typesize, bytes);
    if (id === 2) bytes = bitshuffleModel(typesize, bytes);
    if (id === 3) bytes = deltaModel(typesize, bytes, reference);
    if (id === 4) bytes = truncateModel(superChunkTypesize, (superChunkTypesize === 4 ? 23 : 52) - meta, bytes);
    if (id === 35) bytes = bytedeltaModel(meta || superChunkTypesize, bytes);
    if (id === 36) bytes = truncateModel(superChunkTypesize, superChunkTypesize * 8 - meta, bytes);
  }
  return bytes;
}

/** Decodes the streams of a block to its filtered bytes; a string says what is wrong. */
export function decodeStreamsModel(
  source: Uint8Array,
  byteLength: number,
  streams: number,
  format: number,
  dictionary: Uint8Array,
): Uint8Array | string {
  const length = byteLength / streams;
  const view = new DataView(source.buffer, source.byteOffset, source.byteLength);
  const output = new Uint8Array(byteLength);
  let at = 0;
  for (let s = 0; s < streams; s++) {
    const csize = view.getInt32(at, true);
    at += 4;
    const slot = output.subarray(s * length, (s + 1) * length);
    if (csize <= 0) {
      slot.fill(-csize);
      if (csize < 0 && source[at++] !== 1) return "token";
    } else if (csize === length) {
      slot.set(source.subarray(at, at + length));
      at += length;
    } else {
      const stream = source.subarray(at, at + csize);
      const decoded = format === 0 ? decodeBlosclzModel(stream, length) : decodeLz4Model(stream, length, dictionary);
      if (typeof decoded === "string") return decoded;
      slot.set(decoded);
      at += csize;
    }
  }
  return at === source.length ? output : `${source.length - at} bytes are left over`;
}
