/** The frame that holds small members one after the other, the map of their keys, and the registry of objects. @module */
import { FormatError, isBlosc2Error, SChunk, type SChunkOpenOptions } from "@b2frame/core";
import { checkAllocation } from "@b2frame/core/backend";
import { normaliseKey } from "./store-key.js";

/** Where an embedded member is: bytes of the frame, or an address. */
export type EmbeddedEntry =
  | { readonly offset: number; readonly length: number }
  | { readonly urlbase: string; readonly path: string };

const MAP_NAME = "estore_metadata";
const REGISTRY_NAME = "_object_registry";

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A number of msgpack, which may come as a bigint. */
function toCount(value: unknown): number | undefined {
  const number = typeof value === "bigint" ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** Members inside a super-chunk of bytes. Opening one copies it out; what is then done to the copy stays with it. */
export class EmbeddedMembers {
  readonly #entries = new Map<string, EmbeddedEntry>();
  readonly #objects = new Map<string, string>();
  readonly #path: string;
  #schunk: SChunk;
  #end = 0;

  /** Reads the map. @throws FormatError unless it can be one. */
  constructor(schunk: SChunk, path: string) {
    this.#schunk = schunk;
    this.#path = path;
    this.#readMap();
    this.#readRegistry();
  }

  get schunk(): SChunk {
    return this.#schunk;
  }

  get entries(): ReadonlyMap<string, EmbeddedEntry> {
    return this.#entries;
  }

  /** Keys of objects that are more than one member, with their kind as registered. */
  get objects(): ReadonlyMap<string, string> {
    return this.#objects;
  }

  open(entry: { readonly offset: number; readonly length: number }, options: SChunkOpenOptions): SChunk {
    const { engine, codecs, filters, limits, recipes } = options;
    return SChunk.fromCframe(this.bytesOf(entry), { copy: false, engine, codecs, filters, limits, recipes });
  }

  /** The frame of a member. */
  bytesOf({ offset, length }: { readonly offset: number; readonly length: number }): Uint8Array {
    checkAllocation(this.#schunk, length, "embedded member");
    return this.#schunk.getSlice(offset, offset + length);
  }

  /** Adds a member. Replaced and removed ones keep their place in the frame, as in python-blosc2. */
  set(key: string, content: SChunk): void {
    const bytes = content.toCframe();
    this.#schunk.setSlice(this.#end, bytes);
    this.#entries.set(key, { offset: this.#end, length: bytes.byteLength });
    this.#end += bytes.byteLength;
    this.#writeMap();
  }

  delete(key: string): void {
    if (this.#entries.delete(key)) this.#writeMap();
  }

  /**
   * Moves members to the front, over the places of replaced and removed ones, in one commit. Members that share bytes, as nobody writes
   * them, stay where they are.
   */
  compact(): void {
    const places: { key: string; offset: number; length: number }[] = [];
    for (const [key, entry] of this.#entries) if ("offset" in entry) places.push({ key, ...entry });
    places.sort((a, b) => a.offset - b.offset);
    let end = 0;
    let live = 0;
    for (const { offset, length } of places) {
      if (offset < end) return;
      end = offset + length;
      live += length;
    }
    if (live === this.#end) return;
    let at = 0;
    for (const { key, offset, length } of places) {
      // Never over what has not been moved yet.
      if (offset > at) this.#schunk.setSlice(at, this.bytesOf({ offset, length }));
      this.#entries.set(key, { offset: at, length });
      at += length;
    }
    this.#end = at;
    for (let last = this.#schunk.nchunks - 1; last >= 0 && last * this.#schunk.chunksize >= at; last--) {
      this.#schunk.deleteChunk(last);
    }
    this.#writeMap();
  }

  /** Forgets an object. */
  unregister(key: string): void {
    if (!this.#objects.delete(key)) return;
    const registry = this.#schunk.vlmeta.getValue(REGISTRY_NAME) as Record<string, unknown>;
    delete registry[key];
    this.#schunk.vlmeta.setValue(REGISTRY_NAME, registry);
    this.#schunk.flush();
  }

  /** Goes on with a copy in memory. */
  moveToMemory(): void {
    const copy = this.#schunk.copy();
    this.#schunk.close();
    this.#schunk = copy;
  }

  #writeMap(): void {
    this.#schunk.vlmeta.setValue(MAP_NAME, {
      embed_map: Object.fromEntries(this.#entries),
      current_offset: this.#end,
    });
    this.#schunk.flush();
  }

  #readMap(): void {
    if (!this.#schunk.vlmeta.has(MAP_NAME)) return;
    const metadata = this.#value(MAP_NAME);
    const map = isRecord(metadata) ? metadata.embed_map : undefined;
    const end = isRecord(metadata) ? toCount(metadata.current_offset) : undefined;
    const available = this.#schunk.nbytes;
    if (!isRecord(map) || end === undefined)
      throw this.#invalid(MAP_NAME, "a map of keys and its end", "something else");
    if (end > available) throw this.#invalid(`${MAP_NAME}.current_offset`, `at most ${available}`, end);
    if (end > 0 && this.#schunk.typesize !== 1) throw this.#invalid("typesize", 1, this.#schunk.typesize);
    for (const [key, value] of Object.entries(map)) this.#entries.set(normaliseKey(key), this.#entry(key, value, end));
    this.#end = end;
  }

  #entry(key: string, value: unknown, end: number): EmbeddedEntry {
    const field = `${MAP_NAME} entry "${key}"`;
    if (!isRecord(value)) throw this.#invalid(field, "a map", typeof value);
    const { urlbase, path } = value;
    if (typeof urlbase === "string" && typeof path === "string") return { urlbase, path };
    const offset = toCount(value.offset);
    const length = toCount(value.length);
    if (offset === undefined || length === undefined) throw this.#invalid(field, "offset and length", "none");
    if (offset + length > end) throw this.#invalid(field, `an end of at most ${end}`, offset + length);
    return { offset, length };
  }

  #readRegistry(): void {
    if (!this.#schunk.vlmeta.has(REGISTRY_NAME)) return;
    const registry = this.#value(REGISTRY_NAME);
    if (!isRecord(registry)) throw this.#invalid(REGISTRY_NAME, "a map", typeof registry);
    for (const [key, value] of Object.entries(registry)) {
      const kind = isRecord(value) ? value.kind : undefined;
      if (typeof kind !== "string") throw this.#invalid(`${REGISTRY_NAME} entry "${key}"`, "a kind", "none");
      this.#objects.set(key, kind);
    }
  }

  #value(name: string): unknown {
    try {
      return this.#schunk.vlmeta.getValue(name);
    } catch (error) {
      if (!isBlosc2Error(error, "BLOSC2_ARGUMENT_INVALID")) throw error;
      throw this.#invalid(name, "msgpack", "bytes that are none", error);
    }
  }

  #invalid(field: string, expected: string | number, found: string | number, cause?: unknown): FormatError {
    const location = { path: this.#path, structure: "embedded store", position: 0 };
    return new FormatError("BLOSC2_FORMAT_INVALID", { ...location, field, expected, found }, cause);
  }
}

/** The vlmetalayers that a new store begins with. */
export function writeEmptyMap(schunk: SChunk): void {
  schunk.vlmeta.setValue(MAP_NAME, { embed_map: {}, current_offset: 0 });
}
