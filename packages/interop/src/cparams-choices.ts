/** Compression parameters that programs choose from. @module */

/** Codecs of the format. */
export const CODECS = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"] as const;

/** Split modes. */
export const SPLIT_MODES = ["always", "never", "auto", "forward_compat"] as const;

/** `[id, meta]` of each filter in use. python-blosc2 can't open frames with negative metas. */
export type FilterChoice = readonly (readonly [id: number, meta: number])[];

/** For arrays: C-Blosc2 gets parts of chunks wrong that delta went over. */
export const FILTERS_FOR_ARRAYS: readonly FilterChoice[] = [
  [],
  [[1, 0]],
  [[2, 0]],
  // biome-ignore format: one choice a line
  [[1, 0], [35, 0]],
];

/** Lossless filters that take any typesize. */
const FILTERS_FOR_ANY_TYPE: readonly FilterChoice[] = [
  [],
  [[1, 0]],
  [[1, 0]],
  [[2, 0]],
  [[3, 0]],
  // biome-ignore format: one choice a line
  [[3, 0], [1, 0]],
  // biome-ignore format: one choice a line
  [[3, 0], [2, 0]],
];

/** bytedelta's meta is the typesize, which must fit a signed byte. */
const FILTERS_FOR_SMALL_TYPES: readonly FilterChoice[] = [
  ...FILTERS_FOR_ANY_TYPE,
  // biome-ignore format: one choice a line
  [[1, 0], [35, 0]],
];

/** The lossy filters are defined for numbers of 4 and 8 bytes. */
const FILTERS_FOR_NUMBERS: readonly FilterChoice[] = [
  ...FILTERS_FOR_SMALL_TYPES,
  // biome-ignore format: one choice a line
  [[4, 10], [1, 0]],
  // biome-ignore format: one choice a line
  [[4, 16], [2, 0]],
  // biome-ignore format: one choice a line
  [[36, 20], [1, 0]],
];

/** The choices for items of `typesize` bytes, lossy ones included. */
export function filterChoices(typesize: number): readonly FilterChoice[] {
  if (typesize === 4 || typesize === 8) return FILTERS_FOR_NUMBERS;
  return typesize < 0x80 ? FILTERS_FOR_SMALL_TYPES : FILTERS_FOR_ANY_TYPE;
}

/** A choice in the six slots, from the first on or up to the last. */
export function slotsOf(choice: FilterChoice, isFirst: boolean): { filters: number[]; filtersMeta: number[] } {
  const start = isFirst ? 0 : 6 - choice.length;
  const filters = new Array<number>(6).fill(0);
  const filtersMeta = new Array<number>(6).fill(0);
  for (const [index, [id, meta]] of choice.entries()) {
    filters[start + index] = id;
    filtersMeta[start + index] = meta;
  }
  return { filters, filtersMeta };
}
