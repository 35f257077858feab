/** How files that lie elsewhere meet the synchronous engine: what a job misses is fetched, and the job run once more. @module */
import { type IoBackend, IoError, isBlosc2Error, type OpenMode } from "@b2frame/core";
import type { CheckedHandle, IoDirectories } from "@b2frame/core/backend";
import type { ByteSource } from "../byte-source.js";
import { cachedHandle, RangeCache } from "../range-cache.js";
import { RangeFetcher } from "../range-fetcher.js";
import type { RemoteStats } from "../remote-content.js";
import { HEAD_LENGTH } from "../remote-file.js";

/** Where the files of a backend come from. */
export interface FetchedFiles {
  /** The path of all of them together, or of the one file. */
  readonly root: string;
  /** The file at a path; undefined where there is none. */
  source(path: string): ByteSource | undefined;
  /** Paths below the root of all files; undefined if that is not known; absent for one file. */
  readonly names?: ReadonlySet<string> | undefined;
  readonly isFolder: boolean;
}

/** The end of a ZIP file: its directory, or most of it. */
const TAIL_LENGTH = 64 * 1024;
/** Reads of descriptions are short, and follow each other. */
const LEAST_LENGTH = 16 * 1024;
/** More rounds than any job takes: what asks for more is no store. */
const MAX_ROUNDS = 4096;

/** A file, and what was fetched of it. */
interface FetchedFile {
  readonly source: ByteSource;
  readonly cache: RangeCache;
  readonly fetcher: RangeFetcher;
  size: number | undefined;
}

/** See the module. Reads only. */
export class FetchedBackend implements IoBackend {
  readonly name = "remote";
  readonly capabilities: IoBackend["capabilities"];
  readonly directories?: IoDirectories;
  readonly #files: FetchedFiles;
  readonly #limit: number;
  /** By path; those that were used last come last. */
  readonly #open = new Map<string, FetchedFile>();
  /** Bytes of the first request to a file. */
  headLength: number = HEAD_LENGTH;

  /** @param limit bytes that are kept between jobs */
  constructor(files: FetchedFiles, limit: number) {
    this.#files = files;
    this.#limit = limit;
    const { isFolder } = files;
    this.capabilities = { write: false, zeroCopy: false, copyOnWrite: false, sparseFrames: isFolder };
    if (isFolder) this.directories = this.#makeDirectories();
  }

  get stats(): RemoteStats {
    const stats = { requests: 0, bytesFetched: 0, bytesFromCache: 0, bytesCached: 0 };
    for (const { fetcher, cache } of this.#open.values()) {
      stats.requests += fetcher.counts.requests;
      stats.bytesFetched += fetcher.counts.bytes;
      stats.bytesFromCache += fetcher.counts.fromCache;
      stats.bytesCached += cache.byteLength;
    }
    return stats;
  }

  open(path: string, mode: OpenMode): CheckedHandle {
    if (mode !== "r") throw this.#readOnly("open", path);
    const { cache, size } = this.file(path);
    if (size !== undefined) return cachedHandle(cache, size, path);
    throw new IoError("BLOSC2_IO_NOT_PREFETCHED", `${path}: was not fetched yet`, {
      operation: "open",
      path,
      position: 0,
      length: 0,
    });
  }

  exists(path: string): boolean {
    const { root, names, isFolder } = this.#files;
    if (!isFolder) return path === root;
    const name = this.#nameOf(path);
    // Without a list it is found out when the file is opened.
    return name !== undefined && name !== "" && (names === undefined ? name === "chunks.b2frame" : names.has(name));
  }

  remove(path: string): never {
    throw this.#readOnly("remove", path);
  }

  rename(from: string): never {
    throw this.#readOnly("rename", from);
  }

  /** The file at a path. @throws IoError `BLOSC2_IO_NOT_FOUND` */
  file(path: string): FetchedFile {
    const known = this.#open.get(path);
    if (known !== undefined) {
      this.#open.delete(path);
      this.#open.set(path, known);
      return known;
    }
    const source = this.#files.source(path);
    if (source === undefined) {
      throw new IoError("BLOSC2_IO_NOT_FOUND", `${path}: there is no such file`, { operation: "open", path });
    }
    const cache = new RangeCache(this.#limit);
    const file = { source, cache, fetcher: new RangeFetcher(source, cache), size: undefined };
    this.#open.set(path, file);
    return file;
  }

  /** Runs a job over this backend. @throws what the job throws; IoError; the signal's reason */
  async fetching<T>(signal: AbortSignal | undefined, job: () => T): Promise<T> {
    for (let round = 1; ; round++) {
      try {
        const result = job();
        this.#trim();
        return result;
      } catch (error) {
        if (!isBlosc2Error(error, "BLOSC2_IO_NOT_PREFETCHED") || round === MAX_ROUNDS) throw error;
        const { path, position, length } = error.details;
        await this.#fetch(String(path), Number(position), Number(length), signal);
      }
    }
  }

  /** Ends what is under way, and gives the memory back. */
  reset(): void {
    for (const { fetcher } of this.#open.values()) fetcher.reset();
    this.#open.clear();
  }

  async #fetch(path: string, position: number, length: number, signal: AbortSignal | undefined): Promise<void> {
    const file = this.file(path);
    if (file.size === undefined) {
      await file.fetcher.fetchHead(0, this.headLength, signal);
      file.size = file.fetcher.size ?? (await file.source.findSize?.({ signal }));
      if (file.size === undefined) {
        throw new IoError("BLOSC2_IO_FAILED", `${path}: how long the file is can't be found out`, {
          operation: "open",
          path,
          reason: "no-size",
        });
      }
      return;
    }
    const { size } = file;
    const tail = Math.max(0, size - TAIL_LENGTH);
    const from = Math.min(position, tail);
    const to = position >= tail ? size : Math.min(size, Math.max(position + length, position + LEAST_LENGTH));
    await file.fetcher.ensure([{ position: from, byteLength: to - from }], signal);
  }

  /** Gives up what was fetched of the files that were not used for longest. */
  #trim(): void {
    let byteLength = 0;
    for (const { cache } of this.#open.values()) byteLength += cache.byteLength;
    for (const { cache } of this.#open.values()) {
      if (byteLength <= this.#limit) return;
      byteLength -= cache.byteLength;
      cache.trim();
      if (this.#open.size > 1) cache.clear();
      byteLength += cache.byteLength;
    }
  }

  #nameOf(path: string): string | undefined {
    const { root } = this.#files;
    return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined;
  }

  #makeDirectories(): IoDirectories {
    const inside = (path: string): string => (path === this.#files.root ? "" : `${this.#nameOf(path) ?? "?"}/`);
    const refuse =
      (operation: string) =>
      (path: string): never => {
        throw this.#readOnly(operation, path);
      };
    return {
      isDirectory: (path) => {
        if (path === this.#files.root) return true;
        const prefix = inside(path);
        for (const name of this.#files.names ?? []) if (name.startsWith(prefix)) return true;
        return false;
      },
      list: (path) => {
        const prefix = inside(path);
        const entries = new Set<string>();
        for (const name of this.#files.names ?? []) {
          if (name.startsWith(prefix)) entries.add(name.slice(prefix.length).split("/", 1)[0] as string);
        }
        return [...entries];
      },
      make: refuse("make"),
      remove: refuse("remove"),
      flush: () => {},
    };
  }

  #readOnly(operation: string, path: string): IoError {
    return new IoError("BLOSC2_IO_READ_ONLY", `${path}: ${operation}: remote files are read only`, { operation, path });
  }
}
