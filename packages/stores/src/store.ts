/** Stores of arrays and super-chunks. @module */
import {
  ArgumentError,
  type ArrayInput,
  asarray,
  frameKindOf,
  holdsArray,
  IoError,
  NDArray,
  SChunk,
  type SChunkEnvironmentOptions,
} from "@b2frame/core";
import { checkOptionNames, firstFailure, showInConsole } from "@b2frame/core/backend";
import { describeOpenStore } from "./describe-open-store.js";
import type { EmbeddedMembers } from "./embedded-members.js";
import { childKeys, type GroupContent, walkGroups } from "./key-tree.js";
import { EMBED_NAME, type MemberFiles } from "./member-files.js";
import { fileSuffix, isOpenable, kindOfObject, type MemberKind } from "./member-kind.js";
import { unknownMember, unsupportedMember } from "./store-errors.js";
import { type MemberSource, StoreIndex } from "./store-index.js";
import { attributesKey, fileOfKey, isAttributesKey, normaliseKey, requireStorableKey } from "./store-key.js";
import type {
  MemberOpenOptions,
  MemberPlace,
  StoreCreateOptions,
  StoreFormat,
  StoreSetOptions,
  StoreType,
} from "./store-options.js";
import { requireRoom } from "./tree-room.js";

/** What a store is made of. */
export interface StoreParts {
  readonly path: string;
  readonly format: StoreFormat;
  readonly type: StoreType;
  readonly writable: boolean;
  /** Absent in a `.b2e`. */
  readonly files: MemberFiles | undefined;
  readonly embedded: EmbeddedMembers;
  readonly environment: SChunkEnvironmentOptions;
  readonly cparams: StoreCreateOptions["cparams"];
}

/**
 * A store of python-blosc2: arrays and super-chunks under keys with slashes. Made by `openStore` and `createStore`.
 *
 * A `.b2d` is a directory, each change to it is made at once and durable on return. A `.b2z` is one ZIP file: changes are
 * collected in a file beside it, which takes its place when the store is closed, and never if the program ends before. A
 * `.b2e` is one frame. Every method throws `BLOSC2_IO_CLOSED` after `close()`, and those that change something
 * `BLOSC2_IO_READ_ONLY` in a store that was opened for reading.
 *
 * @example
 * ```ts
 * using store = openStore("run.b2z", mmap());
 * for (const key of store.keys()) console.log(key, store.kind(key));
 * using a = store.openArray("/images/first");
 * ```
 */
export class Store {
  static {
    showInConsole(Store.prototype);
  }

  readonly path: string;
  readonly format: StoreFormat;
  readonly type: StoreType;
  readonly #parts: StoreParts;
  readonly #index: StoreIndex;
  #closed = false;
  /** Whether the embedded members of a `.b2z` are in memory, to be written when the store is closed. */
  #embeddedInMemory: boolean;

  /** Made by `openStore` and `createStore`. */
  constructor(parts: StoreParts) {
    this.path = parts.path;
    this.format = parts.format;
    this.type = parts.type;
    this.#parts = parts;
    this.#embeddedInMemory = parts.format === "b2z" && parts.embedded.schunk.urlpath === undefined;
    this.#index = new StoreIndex(parts.path, parts.files, parts.embedded, parts.environment);
  }

  /**
   * The keys of all members, sorted. In a tree store a table or the like is one member, and attributes are left out.
   */
  keys(): string[] {
    return this.#allKeys().filter((key) => !isAttributesKey(key) || this.type !== "tree");
  }

  /** How many members there are. */
  get size(): number {
    return this.keys().length;
  }

  /** Whether there is a member of this key; in a tree store, or a group. */
  has(key: string): boolean {
    const index = this.#requireOpen("has");
    const wanted = normaliseKey(key);
    if (this.type !== "tree") return index.has(wanted);
    if (isAttributesKey(wanted) || index.objectAround(wanted) !== undefined) return false;
    return index.has(wanted) || index.objects().has(wanted) || index.isGroup(wanted);
  }

  /** What a member is. Reads its description. @throws ArgumentError if there is none; FormatError for a damaged one */
  kind(key: string): MemberKind {
    const wanted = normaliseKey(key);
    const object = this.#objectKind(wanted);
    if (object !== undefined) return object;
    const source = this.#requireOpen("kind").source(wanted);
    if (source === undefined) {
      if (this.type === "tree" && this.has(wanted)) return "group";
      throw unknownMember(this.path, wanted);
    }
    if (source.storage === "address") return "remote-array";
    using schunk = this.#index.open(source, "r");
    return frameKindOf(schunk);
  }

  /** Where a member's frame is; not of tables and groups, which have none. @throws as {@link kind} */
  locate(key: string): MemberPlace {
    const wanted = normaliseKey(key);
    const source = this.#requireOpen("locate").source(wanted);
    if (source === undefined) throw unknownMember(this.path, wanted);
    const { files, path } = this.#parts;
    if (source.storage === "address") return { storage: "address", path: `${source.urlbase}/${source.path}` };
    if (source.storage === "file") return { storage: "file", ...(files as MemberFiles).locate(source.name) };
    const file = files === undefined ? path : files.locate(EMBED_NAME).path;
    return { storage: "embedded", path: file, byteLength: source.length };
  }

  /**
   * Opens an array. Close it when done: it stays open when the store is closed, unless the store is a `.b2z` that was changed.
   * Parts of a table can be opened by their full keys. An array that was embedded is a copy, of which changes stay with it.
   *
   * @throws ArgumentError if there is none of this key, or it is no array; UnsupportedError for kinds without a frame and compressed ZIP
   * members; FormatError; IoError
   */
  openArray(key: string, options: MemberOpenOptions = {}): NDArray {
    const schunk = this.openSChunk(key, options);
    try {
      if (!holdsArray(schunk)) {
        throw new ArgumentError(
          "BLOSC2_ARGUMENT_INVALID",
          `${this.path}: member "${key}" is of kind "${frameKindOf(schunk)}", not an array; use openSChunk`,
          { parameter: "key", path: this.path, member: key },
        );
      }
      return NDArray.fromSChunk(schunk);
    } catch (error) {
      schunk.close();
      throw error;
    }
  }

  /** Opens a super-chunk, or that of an array. @throws as {@link openArray} */
  openSChunk(key: string, options: MemberOpenOptions = {}): SChunk {
    checkOptionNames<MemberOpenOptions>({ mode: true }, options);
    const { mode = "r" } = options;
    const wanted = normaliseKey(key);
    if (mode === "r+") this.#requireWritable("openSChunk");
    const source = this.#openable(wanted);
    const schunk = this.#open(source, mode);
    const kind = frameKindOf(schunk);
    if (isOpenable(kind)) return schunk;
    schunk.close();
    throw unsupportedMember(this.path, wanted, kind);
  }

  /** Keys directly in a group, sorted: members and groups. @throws ArgumentError if there is no such group */
  children(group = "/"): string[] {
    return childKeys(this.#allKeys(), this.#requireGroup(group));
  }

  /**
   * Visits a group and all groups in it, each before those in it.
   *
   * @throws ArgumentError if there is no such group
   * @example
   * ```ts
   * for (const { key, groups, members } of store.walk()) console.log(key, groups, members);
   * ```
   */
  walk(group = "/"): IterableIterator<GroupContent> {
    return walkGroups(this.#allKeys(), this.#requireGroup(group));
  }

  /**
   * The attributes of a group of a tree store, `"/"` being that of the store. Values are msgpack's: numbers, strings, lists, maps;
   * integers beyond 2^53 as `bigint`.
   *
   * @throws ArgumentError for a store that is no tree, or has no such group
   */
  attributes(group = "/"): Map<string, unknown> {
    const key = this.#attributesKey(group);
    const source = this.#index.source(key);
    const attributes = new Map<string, unknown>();
    if (source === undefined || source.storage === "address") return attributes;
    using schunk = this.#open(source, "r");
    for (const name of schunk.vlmeta.keys()) attributes.set(name, schunk.vlmeta.getValue(name));
    return attributes;
  }

  /**
   * Sets some attributes of a group; `undefined` removes one. A group that is not there yet is made by it. At most 16 fit.
   *
   * @throws ArgumentError; IoError
   */
  setAttributes(values: Readonly<Record<string, unknown>>, group = "/"): void {
    this.#requireWritable("setAttributes");
    const key = this.#attributesKey(group, true);
    const source = this.#index.source(key);
    using before = source === undefined || source.storage === "address" ? undefined : this.#open(source, "r");
    using schunk = before === undefined ? SChunk.create(this.#parts.environment) : before.copy();
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) schunk.vlmeta.delete(name);
      else schunk.vlmeta.setValue(name, value);
    }
    this.#put(key, schunk);
  }

  /**
   * Stores an array or super-chunk as it is, or values as a new array, in place of what is under the key.
   *
   * @param options how to make an array of values; ignored for arrays and super-chunks.
   * @throws ArgumentError for a key that can't be, or, in a tree store, that is in a member or has members in it; IoError
   * @example
   * ```ts
   * store.set("/images/first", new Uint8Array(640 * 480), { shape: [480, 640] });
   * ```
   */
  set(key: string, value: NDArray | SChunk | ArrayInput, options: StoreSetOptions = {}): void {
    this.#requireWritable("set");
    const wanted = requireStorableKey(key);
    if (this.type === "tree") requireRoom(this.#index, this.path, wanted);
    if (value instanceof SChunk) this.#put(wanted, value);
    else if (value instanceof NDArray) this.#put(wanted, value.schunk);
    else {
      const { cparams, environment } = this.#parts;
      using array = asarray(value, { ...environment, ...options, cparams: { ...cparams, ...options.cparams } });
      this.#put(wanted, array.schunk);
    }
  }

  /** Removes a member; in a tree store also a group with all that is in it. @throws ArgumentError if there is none */
  delete(key: string): void {
    this.#requireWritable("delete");
    const wanted = normaliseKey(key);
    if (!this.has(wanted)) throw unknownMember(this.path, wanted);
    const index = this.#index;
    const hasInside = this.type === "tree" && index.isGroup(wanted);
    const inside = hasInside ? index.keys().filter((other) => other.startsWith(`${wanted}/`)) : [];
    for (const other of [wanted, ...inside]) this.#remove(other);
    for (const object of this.type === "tree" ? [...index.objects().keys()] : []) {
      if (object === wanted || object.startsWith(`${wanted}/`)) this.#changeEmbedded().unregister(object);
    }
  }

  /** What it is, and how much is in it, in one line: what `console.log` shows. */
  toString(): string {
    return describeOpenStore(this);
  }

  /** Makes all changes last and releases the store. Idempotent. @throws IoError; then what was there before stays. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    const { files, embedded } = this.#parts;
    try {
      if (this.#embeddedInMemory) files?.put(EMBED_NAME, embedded.schunk);
      embedded.schunk.close();
    } catch (error) {
      throw firstFailure(error, () => files?.discard());
    }
    files?.close();
  }

  /** Releases the store without the changes to a `.b2z`; those to other formats have been made. Idempotent. */
  discard(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#parts.embedded.schunk[Symbol.dispose]();
    this.#parts.files?.discard();
  }

  /** {@link close} at the end of a `using` block. */
  [Symbol.dispose](): void {
    this.close();
  }

  /** Opens a member after a look at its sum. */
  #open(source: Exclude<MemberSource, { storage: "address" }>, mode: "r" | "r+"): SChunk {
    if (source.storage === "file") this.#parts.files?.check?.(source.name);
    return this.#index.open(source, mode);
  }

  #requireOpen(operation: string): StoreIndex {
    if (!this.#closed) return this.#index;
    throw new IoError("BLOSC2_IO_CLOSED", `${this.path}: ${operation}: the store has been closed`, {
      operation,
      path: this.path,
    });
  }

  #requireWritable(operation: string): void {
    this.#requireOpen(operation);
    if (this.#parts.writable) return;
    throw new IoError("BLOSC2_IO_READ_ONLY", `${this.path}: ${operation}: the store was opened for reading only`, {
      operation,
      path: this.path,
    });
  }

  /** Keys with tables and the like as one, attributes included; sorted. */
  #allKeys(): readonly string[] {
    const index = this.#requireOpen("keys");
    if (this.type !== "tree") return index.keys();
    const keys = new Set([...index.keys(), ...index.objects().keys()]);
    return [...keys].filter((key) => index.objectAround(key) === undefined).sort();
  }

  #objectKind(key: string): MemberKind | undefined {
    const registered = this.type === "tree" ? this.#requireOpen("kind").objects().get(key) : undefined;
    return registered === undefined ? undefined : kindOfObject(registered);
  }

  #openable(key: string): Exclude<MemberSource, { storage: "address" }> {
    const object = this.#objectKind(key);
    if (object !== undefined) throw unsupportedMember(this.path, key, object);
    const source = this.#requireOpen("openSChunk").source(key);
    if (source === undefined) throw unknownMember(this.path, key);
    if (source.storage === "address") throw unsupportedMember(this.path, key, "remote-array");
    return source;
  }

  #requireGroup(group: string): string {
    const key = normaliseKey(group);
    const index = this.#requireOpen("group");
    const isObject = this.type === "tree" && (index.objects().has(key) || index.objectAround(key) !== undefined);
    if (key === "/" || (!isObject && index.isGroup(key))) return key;
    throw unknownMember(this.path, key, "group");
  }

  #attributesKey(group: string, create = false): string {
    if (this.type !== "tree") {
      throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${this.path}: only tree stores have attributes`, {
        parameter: "group",
        path: this.path,
      });
    }
    if (!create) return attributesKey(this.#requireGroup(group));
    const key = attributesKey(normaliseKey(group));
    requireRoom(this.#index, this.path, requireStorableKey(key), true);
    return key;
  }

  #put(key: string, schunk: SChunk): void {
    const { files, embedded } = this.#parts;
    if (files === undefined) {
      this.#index.setEmbedded(key, schunk);
      return;
    }
    const name = fileOfKey(key, fileSuffix(schunk));
    files.put(name, schunk);
    this.#index.addFile(key, name);
    for (const other of [...this.#index.fileNames(key)]) if (other !== name) this.#removeFile(key, other);
    if (embedded.entries.has(key)) this.#deleteEmbedded(key);
  }

  #remove(key: string): void {
    for (const name of [...this.#index.fileNames(key)]) this.#removeFile(key, name);
    if (this.#parts.embedded.entries.has(key)) this.#deleteEmbedded(key);
  }

  #removeFile(key: string, name: string): void {
    this.#parts.files?.remove(name);
    this.#index.removeFile(key, name);
  }

  #deleteEmbedded(key: string): void {
    this.#changeEmbedded();
    this.#index.deleteEmbedded(key);
  }

  #changeEmbedded(): EmbeddedMembers {
    const { embedded } = this.#parts;
    if (this.format === "b2z" && !this.#embeddedInMemory) {
      embedded.moveToMemory();
      this.#embeddedInMemory = true;
    }
    return embedded;
  }
}
