/** What the thread that reads is asked by the one that waits, and what it answers. @module */
import type { Blosc2ErrorCode, IoError } from "@b2frame/core";
import type { S3Options } from "@b2frame/remote/s3";

/** Ranges, to be fetched at the same time. */
export interface FetchOrder {
  readonly ranges: readonly { readonly position: number; readonly byteLength: number }[];
  /** The ranges may reach past the end. */
  readonly clamp: boolean;
  /** Whether the size must be found out, by a further request if need be. */
  readonly size: boolean;
}

/** The bytes of each range, or why there are none. */
export type FetchReport =
  | { readonly ok: true; readonly parts: readonly Uint8Array[]; readonly size: number | undefined }
  | {
      readonly ok: false;
      readonly code: Blosc2ErrorCode | undefined;
      readonly message: string;
      readonly details: ConstructorParameters<typeof IoError>[2];
    };

/** What the thread begins with. */
export interface FetchSetup {
  readonly url: string;
  /** Of an `s3:` URL. */
  readonly s3?: S3Options | undefined;
  /** Counts answers; waited on. */
  readonly answered: Int32Array;
}
