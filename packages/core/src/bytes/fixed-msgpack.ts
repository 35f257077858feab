/**
 * Writing msgpack with forced widths. Frame headers, trailers and the b2nd metalayer fix the width of every field so that
 * fields can be rewritten in place; general encoders choose the shortest form instead.
 *
 * @module
 */

/** Appends msgpack items to a growing buffer. Numbers are big-endian, as msgpack has them. */
export class FixedMsgpackWriter {
  #bytes: Uint8Array = new Uint8Array(256);
  #view: DataView = new DataView(this.#bytes.buffer);
  #length = 0;

  /** Bytes written so far. */
  get byteLength(): number {
    return this.#length;
  }

  #grow(extra: number): number {
    const at = this.#length;
    const needed = at + extra;
    if (needed > this.#bytes.byteLength) {
      const bigger = new Uint8Array(Math.max(needed, this.#bytes.byteLength * 2));
      bigger.set(this.#bytes.subarray(0, at));
      this.#bytes = bigger;
      this.#view = new DataView(bigger.buffer);
    }
    this.#length = needed;
    return at;
  }

  /** A raw byte: a marker, or a fixint. */
  byte(value: number): this {
    const at = this.#grow(1);
    this.#view.setUint8(at, value);
    return this;
  }

  raw(bytes: Uint8Array): this {
    const at = this.#grow(bytes.byteLength);
    this.#bytes.set(bytes, at);
    return this;
  }

  /** `fixstr`, at most 31 bytes. */
  fixstr(bytes: Uint8Array): this {
    return this.byte(0xa0 | bytes.byteLength).raw(bytes);
  }

  /** `bin 32` */
  bin32(bytes: Uint8Array): this {
    const at = this.byte(0xc6).#grow(4);
    this.#view.setUint32(at, bytes.byteLength);
    return this.raw(bytes);
  }

  /** `uint 16` with its marker CD. */
  uint16(value: number): this {
    return this.byte(0xcd).rawUint16(value);
  }

  rawUint16(value: number): this {
    const at = this.#grow(2);
    this.#view.setUint16(at, value);
    return this;
  }

  /** `uint 32` with its marker CE. */
  uint32(value: number): this {
    const at = this.byte(0xce).#grow(4);
    this.#view.setUint32(at, value);
    return this;
  }

  /** `uint 64` with its marker CF. */
  uint64(value: number): this {
    const at = this.byte(0xcf).#grow(8);
    this.#view.setBigUint64(at, BigInt(value));
    return this;
  }

  /** `int 16` with its marker D1. */
  int16(value: number): this {
    const at = this.byte(0xd1).#grow(2);
    this.#view.setInt16(at, value);
    return this;
  }

  /** `int 32` with its marker D2. */
  int32(value: number): this {
    const at = this.byte(0xd2).#grow(4);
    this.#view.setInt32(at, value);
    return this;
  }

  /** `int 64` with its marker D3. */
  int64(value: number): this {
    const at = this.byte(0xd3).#grow(8);
    this.#view.setBigInt64(at, BigInt(value));
    return this;
  }

  /** `str 32` with its marker DB. */
  str32(bytes: Uint8Array): this {
    const at = this.byte(0xdb).#grow(4);
    this.#view.setUint32(at, bytes.byteLength);
    return this.raw(bytes);
  }

  /** Overwrites a big-endian uint16 at `offset`. */
  patchUint16(offset: number, value: number): void {
    this.#view.setUint16(offset, value);
  }

  /** Overwrites a big-endian int32 at `offset`. */
  patchInt32(offset: number, value: number): void {
    this.#view.setInt32(offset, value);
  }

  /** Overwrites a big-endian uint32 at `offset`. */
  patchUint32(offset: number, value: number): void {
    this.#view.setUint32(offset, value);
  }

  /** A copy of what was written. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}
