/** Options of what writes to S3. @module */
import { checkOptionNames, type OptionNames } from "@b2frame/core/backend";
import { ArgumentError } from "@b2frame/core/read";
import { MAX_PART_BYTES, MIN_PART_BYTES } from "./object-parts.js";
import type { WriteCondition } from "./s3-object.js";
import { S3_NAMES, type S3Options } from "./s3-source.js";

/** How objects are written. */
export interface S3WriteOptions extends S3Options {
  /** Headers of the object: `content-type`, `cache-control`, `x-amz-storage-class`, `x-amz-meta-...`. */
  readonly objectHeaders?: Readonly<Record<string, string>> | undefined;
  /**
   * Bytes of each part of an upload but the last, 5 MiB to 5 GiB, for services that want all of one size (Cloudflare R2). Default: 8 MiB,
   * and more for very large objects; what stays of an object is copied in larger ones.
   */
  readonly partSize?: number | undefined;
  /** Gives the writing up; the object stays as it was, and no upload is left. */
  readonly signal?: AbortSignal | undefined;
}

/** How whole objects are written. */
export interface S3PutOptions extends S3WriteOptions, WriteCondition {}

/** What was written. */
export interface S3Written {
  /** That of the object. */
  readonly etag: string;
  readonly byteLength: number;
}

/** The names of {@link S3WriteOptions}. */
export const S3_WRITE_NAMES: OptionNames<S3WriteOptions> = {
  ...S3_NAMES,
  objectHeaders: true,
  partSize: true,
  signal: true,
};

const PUT_NAMES: OptionNames<S3PutOptions> = { ...S3_WRITE_NAMES, ifMatch: true, ifAbsent: true };

/** @throws ArgumentError */
export function checkPartSize({ partSize }: S3WriteOptions): void {
  if (partSize === undefined) return;
  if (Number.isSafeInteger(partSize) && partSize >= MIN_PART_BYTES && partSize <= MAX_PART_BYTES) return;
  const expected = `${MIN_PART_BYTES}..${MAX_PART_BYTES}`;
  throw new ArgumentError("BLOSC2_ARGUMENT_OUT_OF_RANGE", `partSize: expected ${expected}, found ${partSize}`, {
    parameter: "partSize",
    expected,
    found: partSize,
  });
}

/** @throws ArgumentError */
export function checkPutOptions(options: S3PutOptions): void {
  checkOptionNames(PUT_NAMES, options);
  checkPartSize(options);
  if (options.ifMatch === undefined || options.ifAbsent !== true) return;
  throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", "ifMatch and ifAbsent can't both hold", { parameter: "ifAbsent" });
}
