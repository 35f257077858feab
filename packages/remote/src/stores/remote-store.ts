/** A store of arrays and super-chunks that lies elsewhere. @module */
import { ArgumentError, holdsArray } from "@b2frame/core";
import { showInConsole } from "@b2frame/core/backend";
import type { GroupContent, MemberKind, Store, StoreFormat, StoreType } from "@b2frame/stores";
import type { ByteSource } from "../byte-source.js";
import { RemoteArray } from "../remote-array.js";
import type { RemoteStats } from "../remote-content.js";
import { RemoteFile, type RemoteFileOptions } from "../remote-file.js";
import { type RemoteReadOptions, RemoteSChunk } from "../remote-schunk.js";
import type { FetchedBackend } from "./fetched-backend.js";

/** Members under keys, as `Store` has them, with promises. Made by `openRemoteStore`. */
export class RemoteStore {
  static {
    showInConsole(RemoteStore.prototype);
  }

  readonly #store: Store;
  readonly #backend: FetchedBackend;
  readonly #options: RemoteFileOptions;

  /** Made by `openRemoteStore`. */
  constructor(store: Store, backend: FetchedBackend, options: RemoteFileOptions) {
    this.#store = store;
    this.#backend = backend;
    this.#options = options;
  }

  /** The URL, or the name of the file or folder. */
  get name(): string {
    return this.#store.path;
  }

  get format(): StoreFormat {
    return this.#store.format;
  }

  get type(): StoreType {
    return this.#store.type;
  }

  /** Requests and bytes so far, of the store and all members that were opened of it. */
  get stats(): RemoteStats {
    return this.#backend.stats;
  }

  /** As `Store.keys`. @throws FormatError; IoError; the signal's reason */
  keys({ signal }: RemoteReadOptions = {}): Promise<string[]> {
    return this.#backend.fetching(signal, () => this.#store.keys());
  }

  /** As `Store.has`. @throws as {@link keys} */
  has(key: string, { signal }: RemoteReadOptions = {}): Promise<boolean> {
    return this.#backend.fetching(signal, () => this.#store.has(key));
  }

  /** As `Store.kind`. Fetches the member's description. @throws as {@link keys}; ArgumentError if there is none of this key */
  kind(key: string, { signal }: RemoteReadOptions = {}): Promise<MemberKind> {
    return this.#backend.fetching(signal, () => this.#store.kind(key));
  }

  /** As `Store.children`. @throws as {@link keys}; ArgumentError if there is no such group */
  children(group = "/", { signal }: RemoteReadOptions = {}): Promise<string[]> {
    return this.#backend.fetching(signal, () => this.#store.children(group));
  }

  /** As `Store.walk`. @throws as {@link children} */
  walk(group = "/", { signal }: RemoteReadOptions = {}): Promise<GroupContent[]> {
    return this.#backend.fetching(signal, () => [...this.#store.walk(group)]);
  }

  /** As `Store.attributes`. @throws as {@link children} */
  attributes(group = "/", { signal }: RemoteReadOptions = {}): Promise<Map<string, unknown>> {
    return this.#backend.fetching(signal, () => this.#store.attributes(group));
  }

  /**
   * Opens an array. It shares what is fetched with the store, and is of no use once that is closed.
   *
   * @throws ArgumentError if there is none of this key, or it is a super-chunk; UnsupportedError for other kinds and compressed ZIP members;
   * FormatError; IoError; the signal's reason
   */
  async openArray(key: string, options: RemoteReadOptions = {}): Promise<RemoteArray> {
    const file = await this.#open(key, options.signal);
    if (holdsArray(file.schunk)) return new RemoteArray(file);
    file.close();
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `${this.name}: member "${key}" is a super-chunk, not an array; use openSChunk`,
      { parameter: "key", path: this.name, member: key },
    );
  }

  /** Opens a super-chunk, or that of an array. @throws as {@link openArray} */
  async openSChunk(key: string, options: RemoteReadOptions = {}): Promise<RemoteSChunk> {
    return new RemoteSChunk(await this.#open(key, options.signal));
  }

  async #open(key: string, signal: AbortSignal | undefined): Promise<RemoteFile> {
    const place = await this.#backend.fetching(signal, () => {
      // Says what is wrong with a member that can't be read, and is none of those that follow.
      using schunk = this.#store.openSChunk(key);
      const found = this.#store.locate(key);
      return found.storage === "embedded" ? { bytes: schunk.toCframe() } : found;
    });
    const options = { ...this.#options, signal };
    if ("bytes" in place) return await RemoteFile.open(bytesSource(`${this.name}${key}`, place.bytes), options);
    const { source, cache, fetcher } = this.#backend.file(place.path);
    return await RemoteFile.open(source, { ...options, offset: place.position ?? 0 }, { cache, fetcher });
  }

  /** What it is, and how much is in it, in one line: what `console.log` shows. */
  toString(): string {
    return `Remote${String(this.#store)}`;
  }

  /** Ends what is under way, and gives the memory back. Idempotent. */
  close(): void {
    this.#store.close();
    this.#backend.reset();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** A member that came with others. */
function bytesSource(name: string, bytes: Uint8Array): ByteSource {
  return {
    name,
    readRange: ({ position, byteLength }) =>
      Promise.resolve({ bytes: bytes.subarray(position, position + byteLength), size: bytes.byteLength }),
  };
}
