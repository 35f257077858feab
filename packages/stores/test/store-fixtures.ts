import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type IoBackend, isBlosc2Error, memory } from "@b2frame/core";
import { type IoDirectories, openChecked } from "@b2frame/core/backend";
import { registerZstd } from "@b2frame/core/zstd";
import type { Store } from "../src/index.js";

// python-blosc2 compresses with zstd unless told otherwise.
await registerZstd();

/** What python-blosc2 says of a member: an array, a super-chunk, or something that is neither. */
interface ExpectedMember {
  readonly shape?: readonly number[];
  readonly dtype?: string;
  readonly hex?: string;
  readonly type?: string;
}

export interface ExpectedStore {
  readonly type: string;
  readonly members: Readonly<Record<string, ExpectedMember>>;
  readonly walk?: readonly (readonly [string, readonly string[], readonly string[]])[];
  readonly attributes?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const folder = fileURLToPath(new URL("../../../fixtures/stores", import.meta.url));

export function fixturePath(name: string): string {
  return join(folder, name);
}

export function fixtureBytes(name: string): Uint8Array {
  return new Uint8Array(readFileSync(fixturePath(name)));
}

export const expectedStores: Readonly<Record<string, ExpectedStore>> = JSON.parse(
  readFileSync(fixturePath("expected.json"), "utf8"),
);

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

export function putFile(backend: IoBackend, path: string, bytes: Uint8Array): void {
  const handle = openChecked(backend, path, "w+");
  handle.write(0, bytes);
  handle.close();
}

export function getFile(backend: IoBackend, path: string): Uint8Array {
  const handle = openChecked(backend, path, "r");
  const bytes = handle.read(0, handle.size()).slice();
  handle.close();
  return bytes;
}

/** Memory with directories. */
export function memoryWithDirectories(): IoBackend & { readonly paths: ReadonlySet<string> } {
  const files = memory();
  const directories = new Set<string>();
  const paths = new Set<string>();
  const childOf = (path: string, parent: string): string | undefined =>
    path.startsWith(`${parent}/`) ? path.slice(parent.length + 1).split("/")[0] : undefined;
  const listing: IoDirectories = {
    make: (path) => {
      if (directories.has(path) || paths.has(path)) throw Object.assign(new Error("exists"), { code: "EEXIST" });
      directories.add(path);
    },
    list: (path) =>
      [...new Set([...paths, ...directories].map((other) => childOf(other, path)))].filter(
        (name) => name !== undefined,
      ),
    isDirectory: (path) => directories.has(path),
    remove: (path) => {
      directories.delete(path);
    },
    flush: () => {},
  };
  return {
    name: "memory with directories",
    capabilities: { ...files.capabilities, sparseFrames: true },
    paths,
    directories: listing,
    open: (path, mode) => {
      const handle = files.open(path, mode);
      if (mode === "w+") paths.add(path);
      return handle;
    },
    exists: (path) => files.exists(path),
    remove: (path) => {
      files.remove(path);
      paths.delete(path);
    },
    rename: (from, to) => {
      files.rename(from, to);
      paths.delete(from);
      paths.add(to);
    },
  };
}

/** A fixture directory in memory. */
export function directoryInMemory(name: string): IoBackend {
  const backend = memoryWithDirectories();
  const copy = (from: string, to: string): void => {
    backend.directories?.make(to);
    for (const entry of readdirSync(from, { withFileTypes: true })) {
      const path = `${to}/${entry.name}`;
      if (entry.isDirectory()) copy(join(from, entry.name), path);
      else putFile(backend, path, new Uint8Array(readFileSync(join(from, entry.name))));
    }
  };
  copy(fixturePath(name), name);
  return backend;
}

/** The content of a member, as expectations have it; `undefined` if it is neither array nor super-chunk. */
export function contentOf(store: Store, key: string): ExpectedMember | undefined {
  const kind = store.kind(key);
  if (kind === "array") {
    using array = store.openArray(key);
    return { shape: array.shape, dtype: array.dtype.str, hex: toHex(array.getSlice().bytes) };
  }
  if (kind !== "super-chunk") return undefined;
  using schunk = store.openSChunk(key);
  return { hex: toHex(schunk.getSlice()) };
}

/** The items of an array. */
export function numbersOf(store: Store, key: string): number[] {
  using array = store.openArray(key);
  return Array.from(array.getSlice().data as Iterable<number>);
}

/** The code of what a call throws; `undefined` if it returns. */
export function codeOf(call: () => unknown): string | undefined {
  try {
    call();
  } catch (error) {
    return isBlosc2Error(error) ? error.code : String(error);
  }
  return undefined;
}
