/** Metalayers: named bytes in a frame's header (fixed length) and in its trailer (variable length). @module */
import { ByteReader } from "../bytes/byte-reader.js";
import type { FixedMsgpackWriter } from "../bytes/fixed-msgpack.js";
import { decodeUtf8, encodeUtf8 } from "../bytes/utf8.js";
import { ArgumentError } from "../errors.js";
import { MAX_NAME_LENGTH } from "./frame-layout.js";

/** One metalayer as stored. */
export interface Metalayer {
  readonly name: string;
  readonly content: Uint8Array;
}

/** An ordered list of metalayers with distinct names, to be read. */
export interface MetalayerReading {
  readonly count: number;
  readonly layers: readonly Metalayer[];
  get(name: string): Uint8Array | undefined;
}

/** {@link MetalayerReading} that can be changed. */
export class MetalayerList implements MetalayerReading {
  readonly #layers: Metalayer[];

  constructor(layers: readonly Metalayer[] = []) {
    this.#layers = [...layers];
  }

  get count(): number {
    return this.#layers.length;
  }

  get layers(): readonly Metalayer[] {
    return this.#layers;
  }

  get(name: string): Uint8Array | undefined {
    return this.#layers.find((layer) => layer.name === name)?.content;
  }

  /** Replaces the content in its place, or adds a metalayer at the end. */
  set(name: string, content: Uint8Array): void {
    const at = this.#layers.findIndex((layer) => layer.name === name);
    if (at >= 0) this.#layers[at] = { name, content };
    else this.#layers.push({ name, content });
  }

  /** Removes; false if there is none of this name. */
  delete(name: string): boolean {
    const at = this.#layers.findIndex((layer) => layer.name === name);
    if (at < 0) return false;
    this.#layers.splice(at, 1);
    return true;
  }
}

/** @throws ArgumentError unless `name` is text of 1 to 31 bytes in UTF-8. */
export function requireMetalayerName(name: string): void {
  const byteLength = typeof name === "string" ? encodeUtf8(name).byteLength : 0;
  if (byteLength === 0 || byteLength > MAX_NAME_LENGTH || name.includes("\0")) {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `metalayer name ${JSON.stringify(name)}: expected 1..${MAX_NAME_LENGTH} bytes of UTF-8 without NUL, found ${byteLength} bytes`,
      { parameter: "name", found: byteLength },
    );
  }
}

/** Where a list of metalayers lies in the structure (header or trailer) around it. */
export interface MetalayerSection {
  /** Offset of the list's first marker (93) in the structure. */
  readonly start: number;
  /** Contents must end here. */
  readonly end: number;
  readonly maxCount: number;
}

/**
 * Decodes the metalayers of a header or trailer.
 *
 * @param bytes all of the structure; contents of the result are views of it.
 * @throws FormatError for anything that points or reaches outside the section.
 */
export function decodeMetalayers(reader: ByteReader, section: MetalayerSection): Metalayer[] {
  const { start, end, maxCount } = section;
  reader.marker(start, 0x93, "metalayers");
  // The size that follows wraps around at 64 KiB in frames with many vlmetalayers, so it is not held against anything.
  reader.marker(start + 1, 0xcd, "metalayer index size");
  reader.marker(start + 4, 0xde, "metalayer map");
  const count = reader.uint16BigEndian(start + 5, "metalayer count");
  if (count > maxCount) throw reader.invalid("metalayer count", start + 5, `at most ${maxCount}`, count);
  const names: string[] = [];
  const seen = new Set<string>();
  const offsets: number[] = [];
  let at = start + 7;
  for (let i = 0; i < count; i++) {
    const marker = reader.uint8(at, "metalayer name");
    if ((marker & 0xe0) !== 0xa0) throw reader.invalid("metalayer name", at, "a fixstr marker", marker);
    const length = marker & 0x1f;
    reader.require(at + 1, length, "metalayer name");
    const name = decodeUtf8(reader.bytes.subarray(at + 1, at + 1 + length));
    if (name === undefined) throw reader.invalid("metalayer name", at + 1, "UTF-8", "other bytes");
    if (seen.has(name)) throw reader.invalid("metalayer name", at + 1, "a name of its own", name);
    seen.add(name);
    names.push(name);
    at += 1 + length;
    reader.marker(at, 0xd2, "metalayer offset");
    offsets.push(reader.int32BigEndian(at + 1, "metalayer offset"));
    at += 5;
  }
  reader.marker(at, 0xdc, "metalayer contents");
  const contentCount = reader.uint16BigEndian(at + 1, "metalayer content count");
  if (contentCount !== count) throw reader.invalid("metalayer content count", at + 1, count, contentCount);
  const contentsStart = at + 3;
  if (contentsStart > end) {
    throw reader.invalid(
      "metalayers",
      start,
      `an end at or before offset ${end}`,
      contentsStart,
      "BLOSC2_FORMAT_BAD_LENGTH",
    );
  }
  return names.map((name, i) => {
    const offset = offsets[i] as number;
    if (offset < contentsStart || offset + 5 > end) {
      const expected = `${contentsStart}..${end - 5} for "${name}"`;
      throw reader.invalid("metalayer offset", start, expected, offset, "BLOSC2_FORMAT_BAD_OFFSET");
    }
    reader.marker(offset, 0xc6, "metalayer content");
    const length = reader.uint32BigEndian(offset + 1, "metalayer content length");
    if (offset + 5 + length > end) {
      const expected = `at most ${end - offset - 5} for "${name}"`;
      throw reader.invalid("metalayer content length", offset + 1, expected, length, "BLOSC2_FORMAT_BAD_LENGTH");
    }
    return { name, content: reader.bytes.subarray(offset + 5, offset + 5 + length) };
  });
}

/**
 * Appends metalayers to `writer`, whose first byte is the structure's first.
 *
 * @param sizeFrom offset in the structure that the index size counts from: the list's first marker in a header, its second
 * in a trailer.
 */
export function encodeMetalayers(writer: FixedMsgpackWriter, layers: readonly Metalayer[], sizeFrom: number): void {
  writer.byte(0x93);
  const sizeAt = writer.byteLength + 1;
  writer.uint16(0).byte(0xde).rawUint16(layers.length);
  const offsetsAt = layers.map((layer) => {
    writer.fixstr(encodeUtf8(layer.name)).int32(0);
    return writer.byteLength - 4;
  });
  writer.patchUint16(sizeAt, (writer.byteLength - sizeFrom) & 0xffff);
  writer.byte(0xdc).rawUint16(layers.length);
  layers.forEach((layer, i) => {
    writer.patchInt32(offsetsAt[i] as number, writer.byteLength);
    writer.bin32(layer.content);
  });
}

/** A reader over a header or trailer. */
export function structureReader(
  bytes: Uint8Array,
  path: string | undefined,
  structure: string,
  position: number,
): ByteReader {
  return new ByteReader(bytes, { path, structure, position });
}
