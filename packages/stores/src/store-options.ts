/** Options of stores. @module */
import type { ArrayCreateOptions, CParams, SChunkEnvironmentOptions } from "@b2frame/core";

/** How a store lies on disk: one ZIP file, a directory, or one frame with everything in it. */
export type StoreFormat = "b2z" | "b2d" | "b2e";

/** What python-blosc2 opens it as: `TreeStore`, `DictStore`, or `EmbedStore` (always a `.b2e`). */
export type StoreType = "tree" | "dict" | "embed";

/** Options of `openStore`. */
export interface StoreOpenOptions extends SChunkEnvironmentOptions {
  /** `"r"` (default), or `"r+"` to change it. */
  readonly mode?: "r" | "r+" | undefined;
  /**
   * Whether a member of a `.b2z` is held against the ZIP's CRC-32 when it is first opened, which reads all of it. Default true; `false`
   * for reading small parts of large members.
   */
  readonly checkCrc?: boolean | undefined;
}

/** Options of `createStore`. */
export interface StoreCreateOptions extends SChunkEnvironmentOptions {
  /** Default: by the suffix of the path. */
  readonly format?: StoreFormat | undefined;
  /** Of `.b2z` and `.b2d`. Default `"tree"`. */
  readonly type?: "tree" | "dict" | undefined;
  /** `"w"` (default) replaces a store that is there; `"x"` fails if anything is. */
  readonly mode?: "w" | "x" | undefined;
  /** Compression parameters of the values that `set` makes arrays of; of a `.b2e`, of the frame around them too. */
  readonly cparams?: Partial<CParams> | undefined;
}

/** How `set` makes an array of values; as for `asarray`. */
export type StoreSetOptions = Omit<ArrayCreateOptions, "urlpath" | "backend" | "mode" | "contiguous"> & {
  readonly shape?: readonly number[] | undefined;
};

/** Options of `openArray` and `openSChunk` of a store. */
export interface MemberOpenOptions {
  /** `"r"` (default). `"r+"` changes the file of a `.b2d` in place, if the store may be changed. */
  readonly mode?: "r" | "r+" | undefined;
}

/** Where a member's frame lies. */
export interface MemberPlace {
  /**
   * `"file"`: all of a file of its own, or a stored ZIP member at `position`; `"embedded"`: compressed together with others, in the
   * frame in that file; `"address"`: elsewhere.
   */
  readonly storage: "file" | "embedded" | "address";
  /** The file, or the address. */
  readonly path: string;
  /** Absolute position of the frame's first byte, of storage `"file"`. */
  readonly position?: number | undefined;
  /** Bytes of the frame, where they are written down: ZIP members and embedded ones. */
  readonly byteLength?: number | undefined;
}
