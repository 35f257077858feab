/** Each filter's forward direction, written straight from the format description, as slowly as it reads. */
import type { FilterContext } from "../../src/filter/filter.js";

export type Model = (source: Uint8Array, context: FilterContext) => Uint8Array;

/** Little-endian elements of `size` bytes as integers; the remainder is left out. */
function elements(bytes: Uint8Array, size: number): bigint[] {
  const values: bigint[] = [];
  for (let at = 0; at + size <= bytes.byteLength; at += size) {
    let value = 0n;
    for (let j = size - 1; j >= 0; j--) value = (value << 8n) | BigInt(bytes[at + j]);
    values.push(value);
  }
  return values;
}

/** Undoes {@link elements} and appends the bytes of `original` that belong to no element. */
function toBytes(values: readonly bigint[], size: number, original: Uint8Array): Uint8Array {
  const out = original.slice();
  values.forEach((value, i) => {
    for (let j = 0; j < size; j++) out[i * size + j] = Number((value >> BigInt(8 * j)) & 0xffn);
  });
  return out;
}

const shuffle: Model = (source, { meta, typesize }) => {
  const size = meta || typesize;
  const n = Math.floor(source.byteLength / size);
  const out = source.slice();
  for (let i = 0; i < n; i++) for (let j = 0; j < size; j++) out[j * n + i] = source[i * size + j];
  return out;
};

const bitshuffle: Model = (source, { typesize }) => {
  const n = Math.floor(Math.floor(source.byteLength / typesize) / 8) * 8;
  const out = source.slice();
  out.fill(0, 0, n * typesize);
  for (let element = 0; element < n; element++) {
    for (let j = 0; j < typesize; j++) {
      for (let k = 0; k < 8; k++) {
        const bit = (source[element * typesize + j] >> k) & 1;
        const row = j * 8 + k;
        out[row * (n / 8) + Math.floor(element / 8)] |= bit << (element % 8);
      }
    }
  }
  return out;
};

const delta: Model = (source, { typesize, reference }) => {
  const size = [1, 2, 4, 8].includes(typesize) ? typesize : typesize % 8 === 0 ? 8 : 1;
  const words = elements(source, size);
  const others = reference === undefined ? [0n, ...words] : elements(reference, size);
  return toBytes(
    words.map((word, i) => word ^ others[i]),
    size,
    source,
  );
};

function signed(meta: number): number {
  return meta > 127 ? meta - 256 : meta;
}

function truncated(source: Uint8Array, typesize: number, bits: number, meta: number): Uint8Array {
  const precision = signed(meta);
  const zeroed = BigInt(precision >= 0 ? bits - precision : -precision);
  return toBytes(
    elements(source, typesize).map((value) => (value >> zeroed) << zeroed),
    typesize,
    source,
  );
}

const truncPrec: Model = (source, { typesize, meta }) => truncated(source, typesize, typesize === 4 ? 23 : 52, meta);

const intTrunc: Model = (source, { typesize, meta }) => truncated(source, typesize, typesize * 8, meta);

const bytedelta: Model = (source, { meta, superChunkTypesize }) => {
  const size = meta || superChunkTypesize;
  const n = Math.floor(source.byteLength / size);
  return source.map((byte, i) => (i >= n * size || i % n === 0 ? byte : byte - source[i - 1]));
};

/** Item indices of a block, cell by cell. */
function cellOrder(blockShape: readonly number[], side: number): number[][] {
  const items = blockShape.reduce((product, length) => product * length, 1);
  const cells = new Map<string, number[]>();
  const keyed = Array.from({ length: items }, (_, index) => {
    const coordinates: number[] = [];
    let rest = index;
    for (let d = blockShape.length - 1; d >= 0; d--) {
      coordinates.unshift(rest % blockShape[d]);
      rest = Math.floor(rest / blockShape[d]);
    }
    return { index, cell: coordinates.map((c) => String(Math.floor(c / side)).padStart(6, "0")).join() };
  });
  for (const { index, cell } of keyed) cells.set(cell, [...(cells.get(cell) ?? []), index]);
  return [...cells.keys()].sort().map((cell) => cells.get(cell)!);
}

const ndcell: Model = (source, { superChunkTypesize: size, geometry, meta }) => {
  const order = cellOrder(geometry!.blocks, meta).flat();
  return Uint8Array.from(order.flatMap((item) => [...source.subarray(item * size, (item + 1) * size)]));
};

const ndmean: Model = (source, { superChunkTypesize: size, geometry, meta }) => {
  const Items = size === 4 ? Float32Array : Float64Array;
  const items = new Items(source.slice().buffer);
  const means = cellOrder(geometry!.blocks, meta).flatMap((cell) => {
    const sum = new Items(1);
    for (const item of cell) sum[0] += items[item];
    return cell.map(() => sum[0] / cell.length);
  });
  return new Uint8Array(new Items(means).buffer);
};

export const NAIVE_MODELS: Readonly<Record<string, Model>> = {
  shuffle,
  bitshuffle,
  delta,
  trunc_prec: truncPrec,
  int_trunc: intTrunc,
  bytedelta,
  ndcell,
  ndmean,
};
