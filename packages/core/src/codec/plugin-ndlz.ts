/**
 * The ndlz plugin codec, 32, for reading: a byte-wise Lempel-Ziv code over the square cells of a two-dimensional B2ND block.
 *
 * Stream: the number of dimensions (2), the block shape (two int32), then the cells in C order, `meta` (4 or 8) items a side
 * and smaller at the far edges. Each starts with a token: 0 = its bytes follow; 0x40 = one byte follows that all items equal;
 * 0xc0 = a uint16 distance follows, from the token back to the bytes of an equal cell. Other tokens say which rows of a
 * whole cell are at a distance (uint16, from the token); the rows not named follow. All little-endian. (*Blosc2 format
 * documents*, plugin codecs.)
 *
 * @module
 */
import type { Codec, CodecContext } from "./codec.js";
import { malformedStream, wrongDecodedLength } from "./stream-error.js";

const HEADER_BYTES = 9;
const LITERAL = 0x00;
const SAME_ITEM = 0x40;
const SAME_CELL = 0xc0;

/** Rows of a cell that one distance gives, in order. */
type RowGroup = readonly number[];

/** For cells of 4 x 4: the groups of rows by token. */
const ROWS_OF_4: ReadonlyMap<number, readonly RowGroup[]> = new Map<number, readonly RowGroup[]>([
  [0xe0, [[1, 2, 3]]],
  [0xe8, [[0, 1, 2]]],
  [0xf0, [[0, 1, 3]]],
  [0xf8, [[0, 2, 3]]],
  [0x80, [[2, 3]]],
  [0x88, [[0, 1]]],
  [0x90, [[0, 2]]],
  [0x98, [[0, 3]]],
  [0xb0, [[1, 2]]],
  [0xb8, [[1, 3]]],
  [0x28, pairs([0, 1], [2, 3])],
  [0x30, pairs([0, 2], [1, 3])],
  [0x38, pairs([0, 3], [1, 2])],
]);

function pairs(first: RowGroup, second: RowGroup): readonly RowGroup[] {
  return [first, second];
}

/** For cells of 8 x 8: three (0xa8) or two (0x88) neighbouring rows, the first of them in the token's low 3 bits. */
const ROWS_OF_8: ReadonlyMap<number, readonly RowGroup[]> = new Map([
  ...Array.from({ length: 6 }, (_, row): [number, RowGroup[]] => [0xa8 | row, [[row, row + 1, row + 2]]]),
  ...Array.from({ length: 7 }, (_, row): [number, RowGroup[]] => [0x88 | row, [[row, row + 1]]]),
]);

/** One stream being decoded. */
class NdlzStream {
  readonly #source: Uint8Array;
  readonly #target: Uint8Array;
  readonly #side: number;
  readonly #rowTokens: ReadonlyMap<number, readonly RowGroup[]>;
  readonly #width: number;
  readonly #height: number;
  #at = HEADER_BYTES;

  constructor(source: Uint8Array, target: Uint8Array, side: 4 | 8) {
    this.#source = source;
    this.#target = target;
    this.#side = side;
    this.#rowTokens = side === 4 ? ROWS_OF_4 : ROWS_OF_8;
    if (source.byteLength < HEADER_BYTES) throw malformedStream("ndlz", "the stream ends inside its header", 0);
    if (source[0] !== 2) throw malformedStream("ndlz", `expected 2 dimensions, found ${source[0]}`, 0);
    this.#height = this.#int32(1);
    this.#width = this.#int32(5);
    if (this.#height < 0 || this.#width < 0 || this.#height * this.#width !== target.byteLength) {
      throw wrongDecodedLength("ndlz", target.byteLength, `${this.#height} x ${this.#width}`);
    }
  }

  decode(): void {
    const side = this.#side;
    for (let row = 0; row < this.#height; row += side) {
      const rows = Math.min(side, this.#height - row);
      for (let column = 0; column < this.#width; column += side) {
        this.#decodeCell(row * this.#width + column, rows, Math.min(side, this.#width - column));
      }
    }
    if (this.#at !== this.#source.byteLength) throw malformedStream("ndlz", "bytes after the last cell", this.#at);
  }

  #int32(at: number): number {
    const bytes = this.#source;
    return bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
  }

  /** Position of the next `count` bytes, which are then passed. */
  #take(count: number): number {
    const at = this.#at;
    if (at + count > this.#source.byteLength) throw malformedStream("ndlz", "the stream ends inside a cell", at);
    this.#at = at + count;
    return at;
  }

  /** Reads a distance; position of the `count` bytes that it leads to, all before the token at `token`. */
  #takeReference(token: number, count: number): number {
    const at = this.#take(2);
    const reference = token - (this.#source[at] | (this.#source[at + 1] << 8));
    if (reference < HEADER_BYTES || reference + count > token) {
      throw malformedStream("ndlz", `a distance leads to offset ${reference}`, at);
    }
    return reference;
  }

  /** Copies `rows` rows of `columns` source bytes at `from` to the block. */
  #place(from: number, to: number, rows: number, columns: number): void {
    let at = from;
    for (let row = 0, out = to; row < rows; row++, out += this.#width) {
      for (let i = 0; i < columns; i++) this.#target[out + i] = this.#source[at++];
    }
  }

  #decodeCell(to: number, rows: number, columns: number): void {
    const start = this.#take(1);
    const token = this.#source[start];
    if (token === LITERAL) {
      this.#place(this.#take(rows * columns), to, rows, columns);
    } else if (token === SAME_ITEM) {
      const item = this.#source[this.#take(1)];
      for (let row = 0, out = to; row < rows; row++, out += this.#width) this.#target.fill(item, out, out + columns);
    } else if (token === SAME_CELL) {
      this.#place(this.#takeReference(start, rows * columns), to, rows, columns);
    } else {
      const groups = this.#rowTokens.get(token);
      if (groups === undefined || rows !== this.#side || columns !== this.#side) {
        throw malformedStream("ndlz", `token 0x${token.toString(16)} of a ${rows} x ${columns} cell`, start);
      }
      this.#decodeRows(start, groups, to);
    }
  }

  /** A cell of which some groups of rows are elsewhere; all distances come first, then the other rows. */
  #decodeRows(start: number, groups: readonly RowGroup[], to: number): void {
    const side = this.#side;
    let placed = 0;
    for (const group of groups) {
      let from = this.#takeReference(start, group.length * side);
      for (const row of group) {
        this.#place(from, to + row * this.#width, 1, side);
        placed |= 1 << row;
        from += side;
      }
    }
    for (let row = 0; row < side; row++) {
      if ((placed & (1 << row)) === 0) this.#place(this.#take(side), to + row * this.#width, 1, side);
    }
  }
}

/** ndlz; the codec's meta is the side of a cell, 4 or 8. Reads only. */
export const ndlzCodec: Codec = {
  id: 32,
  name: "ndlz",
  formatCode: 6,
  dictionaries: false,
  decompress(source: Uint8Array, target: Uint8Array, context: CodecContext): void {
    const side = context.meta;
    if (side !== 4 && side !== 8) throw malformedStream("ndlz", `expected the meta 4 or 8, found ${side}`);
    new NdlzStream(source, target, side).decode();
  },
};
