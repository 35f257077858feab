/** What zarrita asks of a codec, so that nothing of it is needed here. @module */

/** A codec of one array: turns the bytes of a chunk into those that are stored, and back. */
export interface ZarrCodec {
  readonly kind: "bytes_to_bytes";
  encode(bytes: Uint8Array): Uint8Array;
  decode(bytes: Uint8Array): Uint8Array;
}

/** What zarrita tells a codec about its array. */
export interface ZarrArrayMetadata {
  /** `"int8"` ... `"float64"`, `"bool"`, `"v2:U4"`, `"v2:S4"`, `"string"`, `"v2:object"`. */
  readonly dataType: string;
}

/** What stands in the registry: makes the codec of an array from its configuration there. */
export interface ZarrCodecEntry {
  readonly kind: "bytes_to_bytes";
  fromConfig(configuration: unknown, metadata: ZarrArrayMetadata): ZarrCodec;
}

/** A codec whose chunks others decode. */
export interface PooledZarrCodec {
  readonly kind: "bytes_to_bytes";
  encode(bytes: Uint8Array): Uint8Array;
  decode(bytes: Uint8Array): Promise<Uint8Array>;
}

/** The entry of such codecs. */
export interface PooledZarrCodecEntry {
  readonly kind: "bytes_to_bytes";
  fromConfig(configuration: unknown, metadata: ZarrArrayMetadata): PooledZarrCodec;
}

/** zarrita's `registry`, or any map of its form. */
export interface ZarrCodecRegistry {
  set(name: string, load: () => Promise<ZarrCodecEntry | PooledZarrCodecEntry>): unknown;
}

const ITEM_SIZES: Readonly<Record<string, number>> = {
  bool: 1,
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  float16: 2,
  int32: 4,
  uint32: 4,
  float32: 4,
  int64: 8,
  uint64: 8,
  float64: 8,
};

/** Bytes per item of a data type; 1 where items have no size of their own. */
export function itemSizeOf(dataType: string): number {
  const known = ITEM_SIZES[dataType];
  if (known !== undefined) return known;
  const fixed = /^v2:([US])(\d+)$/.exec(dataType);
  if (fixed === null) return 1;
  // NumPy keeps four bytes for each character of a Unicode string.
  return Math.max(1, Number(fixed[2]) * (fixed[1] === "U" ? 4 : 1));
}
