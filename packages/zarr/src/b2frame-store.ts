/** Blosc2 arrays as a store of zarrita's: what reads Zarr reads them. @module */
import { checkOptionNames, type OptionNames } from "@b2frame/core/backend";
import { paddedChunk } from "./padded-chunk.js";
import { arrayMetadata, groupMetadata, type ZarrSourceArray } from "./store-metadata.js";

/** Arrays under keys: a `Store`, or a `RemoteStore` of `@b2frame/remote/stores`. */
export interface ZarrSourceStore {
  keys(): readonly string[] | Promise<readonly string[]>;
  openArray(key: string): ZarrSourceArray | Promise<ZarrSourceArray>;
  attributes(group: string): ReadonlyMap<string, unknown> | Promise<ReadonlyMap<string, unknown>>;
}

/** How zarrita reads a key. */
export interface ZarrGetOptions {
  /** Gives up. */
  readonly signal?: AbortSignal | undefined;
}

/** A readable store, as zarrita asks for one. */
export interface ZarrReadable {
  get(key: string, options?: ZarrGetOptions): Promise<Uint8Array | undefined>;
}

/** Options of {@link b2frameStore}. */
export interface B2frameStoreOptions {
  /** Whether vlmetalayers are attributes, as far as JSON has such values. Default true. */
  readonly attributes?: boolean | undefined;
}

const STORE_NAMES: OptionNames<B2frameStoreOptions> = { attributes: true };
const METADATA = "zarr.json";
/** Behind the array's path: `c/0/3`, or `c` of an array without dimensions. */
const CHUNK_KEY = /^(.*)\/c((?:\/(?:0|[1-9]\d{0,15}))*)$/;

function isArray(source: ZarrSourceArray | ZarrSourceStore): source is ZarrSourceArray {
  return typeof (source as Partial<ZarrSourceArray>).getSlice === "function";
}

class B2frameStore implements ZarrReadable {
  readonly #source: ZarrSourceArray | ZarrSourceStore;
  readonly #withAttributes: boolean;
  #members: Promise<ReadonlySet<string>> | undefined;
  readonly #arrays = new Map<string, Promise<ZarrSourceArray>>();

  constructor(source: ZarrSourceArray | ZarrSourceStore, withAttributes: boolean) {
    this.#source = source;
    this.#withAttributes = withAttributes;
  }

  async get(key: string, { signal }: ZarrGetOptions = {}): Promise<Uint8Array | undefined> {
    signal?.throwIfAborted();
    if (key.endsWith(`/${METADATA}`)) return await this.#metadata(key.slice(0, -METADATA.length - 1));
    const chunk = CHUNK_KEY.exec(key);
    if (chunk === null) return undefined;
    const array = await this.#array(chunk[1] as string);
    if (array === undefined) return undefined;
    const place = (chunk[2] as string).split("/").slice(1).map(Number);
    return await paddedChunk(array, place, signal);
  }

  async #metadata(path: string): Promise<Uint8Array | undefined> {
    const array = await this.#array(path);
    if (array !== undefined) return arrayMetadata(array, path || "/", this.#withAttributes);
    if (isArray(this.#source)) return undefined;
    const members = await this.#keys(this.#source);
    const isGroup = path === "" || [...members].some((member) => member.startsWith(`${path}/`));
    if (!isGroup) return undefined;
    return groupMetadata(this.#withAttributes ? await this.#source.attributes(path || "/") : new Map());
  }

  #keys(store: ZarrSourceStore): Promise<ReadonlySet<string>> {
    this.#members ??= (async () => new Set(await store.keys()))().catch((error: unknown) => {
      this.#members = undefined;
      throw error;
    });
    return this.#members;
  }

  async #array(path: string): Promise<ZarrSourceArray | undefined> {
    const source = this.#source;
    if (isArray(source)) return path === "" ? source : undefined;
    if (!(await this.#keys(source)).has(path)) return undefined;
    let opening = this.#arrays.get(path);
    if (opening === undefined) {
      opening = (async () => await source.openArray(path))();
      // What failed is tried again.
      opening.catch(() => this.#arrays.delete(path));
      this.#arrays.set(path, opening);
    }
    return await opening;
  }
}

/**
 * A store for zarrita over Blosc2 arrays: one array, or the arrays of a store (`.b2z`, `.b2d`) under their keys, local or remote. It gives them as
 * Zarr v3 with the chunks that they have; a chunk is decoded when it is asked for, by the workers of a `DecodePool` if the remote array was opened
 * with one. What it opens is closed with the source.
 *
 * @returns what `zarr.open` takes. Reading it throws UnsupportedError for dtypes that Zarr v3 does not have, ArgumentError for
 * super-chunks, and what reading the array throws.
 * @example
 * ```ts
 * import * as zarr from "zarrita";
 * import { openRemoteStore } from "@b2frame/remote/stores";
 *
 * const run = await openRemoteStore("https://example.org/run.b2z");
 * const image = await zarr.open(b2frameStore(run), { kind: "group" });
 * ```
 */
export function b2frameStore(
  source: ZarrSourceArray | ZarrSourceStore,
  options: B2frameStoreOptions = {},
): ZarrReadable {
  checkOptionNames(STORE_NAMES, options);
  const { attributes = true } = options;
  return new B2frameStore(source, attributes);
}
