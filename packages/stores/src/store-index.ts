/** Which members a store has, and where. @module */
import { FormatError, isBlosc2Error, SChunk, type SChunkEnvironmentOptions } from "@b2frame/core";
import type { EmbeddedEntry, EmbeddedMembers } from "./embedded-members.js";
import { EMBED_NAME, type MemberFiles } from "./member-files.js";
import { FRAME_SUFFIXES, keyOfFile, parentKey, suffixOf } from "./store-key.js";

/** Where a member is. */
export type MemberSource =
  | { readonly storage: "file"; readonly name: string }
  | { readonly storage: "embedded"; readonly offset: number; readonly length: number }
  | { readonly storage: "address"; readonly urlbase: string; readonly path: string };

/** Key of the super-chunk that describes a table, under the table's own. */
const TABLE_MANIFEST = "/_meta";

/**
 * The members of a store by key: files of their own, and embedded ones. A file wins over an embedded member of the same key, as in
 * python-blosc2.
 */
export class StoreIndex {
  readonly #path: string;
  readonly #files: MemberFiles | undefined;
  readonly #embedded: EmbeddedMembers;
  readonly #environment: SChunkEnvironmentOptions;
  /** Names of files by key; more than one where another program left them. */
  readonly #names = new Map<string, string[]>();
  /** How many keys are in each group and those in it; the root is left out. */
  readonly #groups = new Map<string, number>();
  #objects: ReadonlyMap<string, string> | undefined;

  constructor(
    path: string,
    files: MemberFiles | undefined,
    embedded: EmbeddedMembers,
    environment: SChunkEnvironmentOptions,
  ) {
    this.#path = path;
    this.#files = files;
    this.#embedded = embedded;
    this.#environment = environment;
    for (const key of embedded.entries.keys()) this.#count(key, 1);
    for (const name of files?.names() ?? []) {
      if (name === EMBED_NAME) continue;
      if (FRAME_SUFFIXES.includes(suffixOf(name)) || this.#isFrame(name)) this.addFile(keyOfFile(name), name);
      else files?.requireNamed?.(name);
    }
  }

  /** The keys of everything that is stored, parts of tables and attributes included, sorted. */
  keys(): string[] {
    return [...new Set([...this.#names.keys(), ...this.#embedded.entries.keys()])].sort();
  }

  has(key: string): boolean {
    return this.#names.has(key) || this.#embedded.entries.has(key);
  }

  /** The files of a key. */
  fileNames(key: string): readonly string[] {
    return this.#names.get(key) ?? [];
  }

  addFile(key: string, name: string): void {
    this.#change(key, () => {
      const names = this.#names.get(key);
      if (names === undefined) this.#names.set(key, [name]);
      else if (!names.includes(name)) names.push(name);
    });
  }

  removeFile(key: string, name: string): void {
    this.#change(key, () => {
      const rest = this.fileNames(key).filter((other) => other !== name);
      if (rest.length === 0) this.#names.delete(key);
      else this.#names.set(key, rest);
    });
  }

  setEmbedded(key: string, content: SChunk): void {
    this.#change(key, () => this.#embedded.set(key, content));
  }

  deleteEmbedded(key: string): void {
    this.#change(key, () => this.#embedded.delete(key));
  }

  /** Whether keys of members go on after this one and a slash. */
  isGroup(key: string): boolean {
    if (this.#groups.has(key)) return true;
    for (const object of this.objects().keys()) if (object.startsWith(`${key}/`)) return true;
    return false;
  }

  /** The object that a key is a part of. */
  objectAround(key: string): string | undefined {
    const objects = this.objects();
    if (objects.size === 0) return undefined;
    for (let parent = parentKey(key); parent !== "/"; parent = parentKey(parent)) {
      if (objects.has(parent)) return parent;
    }
    return undefined;
  }

  /** Where a member is; `undefined` if there is none of this key. @throws FormatError if two files have it */
  source(key: string): MemberSource | undefined {
    const [name, second] = this.fileNames(key);
    if (name !== undefined && second !== undefined) {
      throw new FormatError("BLOSC2_FORMAT_INVALID", {
        path: this.#path,
        structure: `member "${key}"`,
        position: 0,
        field: "files",
        expected: "one",
        found: `${name} and ${second}`,
      });
    }
    if (name !== undefined) return { storage: "file", name };
    const entry = this.#embedded.entries.get(key);
    return entry === undefined ? undefined : embeddedSource(entry);
  }

  /**
   * Keys of objects that are made of several members, with the kind under which they are registered. Stores from before there
   * was a registry are searched for tables.
   */
  objects(): ReadonlyMap<string, string> {
    if (this.#embedded.objects.size > 0) return this.#embedded.objects;
    this.#objects ??= this.#findTables();
    return this.#objects;
  }

  /** Opens a member that is not merely an address. */
  open(source: Exclude<MemberSource, { storage: "address" }>, mode: "r" | "r+"): SChunk {
    const options = { ...this.#environment, mode, recipes: "describe" } as const;
    if (source.storage === "embedded") return this.#embedded.open(source, options);
    return (this.#files as MemberFiles).open(source.name, options);
  }

  #change(key: string, change: () => void): void {
    const before = this.has(key);
    change();
    const after = this.has(key);
    if (before !== after) this.#count(key, after ? 1 : -1);
    if (key.endsWith(TABLE_MANIFEST)) this.#objects = undefined;
  }

  #count(key: string, step: number): void {
    for (let group = parentKey(key); group !== "/"; group = parentKey(group)) {
      const count = (this.#groups.get(group) ?? 0) + step;
      if (count === 0) this.#groups.delete(group);
      else this.#groups.set(group, count);
    }
  }

  #findTables(): Map<string, string> {
    const tables = new Map<string, string>();
    for (const key of this.keys()) {
      const table = key.slice(0, -TABLE_MANIFEST.length);
      if (!key.endsWith(TABLE_MANIFEST) || table === "") continue;
      const source = this.source(key);
      if (source === undefined || source.storage === "address") continue;
      using manifest = this.open(source, "r");
      const { vlmeta } = manifest;
      if (vlmeta.has("kind") && vlmeta.getValue("kind") === "ctable") tables.set(table, "ctable");
    }
    return tables;
  }

  /** Whether a file of an unknown suffix is a frame. */
  #isFrame(name: string): boolean {
    try {
      using schunk = (this.#files as MemberFiles).open(name, { ...this.#environment, mode: "r" });
      return schunk instanceof SChunk;
    } catch (error) {
      // What has not come yet may be one.
      if (isBlosc2Error(error) && error.code !== "BLOSC2_IO_NOT_PREFETCHED") return false;
      throw error;
    }
  }
}

function embeddedSource(entry: EmbeddedEntry): MemberSource {
  return "urlbase" in entry ? { storage: "address", ...entry } : { storage: "embedded", ...entry };
}
