import { type IoBackend, IoError, type IoHandle, type OpenMode } from "@b2frame/core";
import { shortRead } from "@b2frame/core/backend";

/** What the backend needs of a store: a database, a browser's storage, a Map. */
export interface KeyValueStore {
  get(key: string): Uint8Array | undefined;
  set(key: string, value: Uint8Array): unknown;
  delete(key: string): unknown;
}

const BLOCK = 64 * 1024;

function getNumber(store: KeyValueStore, key: string): number | undefined {
  const bytes = store.get(key);
  return bytes === undefined ? undefined : new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0);
}

function setNumber(store: KeyValueStore, key: string, value: number): void {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  store.set(key, bytes);
}

/** Numbers its files: "name PATH" holds a file's number N, "size N" its size, "block N 0", "block N 1", ... its bytes. */
export class KeyValueBackend implements IoBackend {
  readonly name = "key-value";
  readonly capabilities = { write: true, zeroCopy: false, copyOnWrite: false, sparseFrames: false };
  readonly #store: KeyValueStore;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  open(path: string, mode: OpenMode): IoHandle {
    if (mode === "w+" && !this.exists(path)) this.#create(path);
    const handle = new KeyValueHandle(this.#store, path, this.#number("open", path));
    if (mode === "w+") handle.truncate(0);
    return handle;
  }

  exists(path: string): boolean {
    return getNumber(this.#store, `name ${path}`) !== undefined;
  }

  remove(path: string): void {
    const file = this.#number("remove", path);
    this.#store.delete(`name ${path}`);
    this.#drop(path, file);
  }

  // In a store that others use at the same time, the two changes of names belong into one transaction.
  rename(from: string, to: string): void {
    const file = this.#number("rename", from);
    const replaced = getNumber(this.#store, `name ${to}`);
    if (replaced === file) return;
    setNumber(this.#store, `name ${to}`, file);
    this.#store.delete(`name ${from}`);
    if (replaced !== undefined) this.#drop(to, replaced);
  }

  #create(path: string): void {
    const file = (getNumber(this.#store, "files") ?? 0) + 1;
    setNumber(this.#store, "files", file);
    setNumber(this.#store, `size ${file}`, 0);
    setNumber(this.#store, `name ${path}`, file);
  }

  #drop(path: string, file: number): void {
    new KeyValueHandle(this.#store, path, file).truncate(0);
    this.#store.delete(`size ${file}`);
  }

  #number(operation: string, path: string): number {
    const file = getNumber(this.#store, `name ${path}`);
    if (file !== undefined) return file;
    throw new IoError("BLOSC2_IO_NOT_FOUND", `${path}: ${operation}: no such file in the store`, { operation, path });
  }
}

class KeyValueHandle implements IoHandle {
  readonly #store: KeyValueStore;
  readonly #path: string;
  readonly #file: number;

  constructor(store: KeyValueStore, path: string, file: number) {
    this.#store = store;
    this.#path = path;
    this.#file = file;
  }

  /** A handle keeps its file's number, so it never takes another file's bytes for its own. */
  size(): number {
    const size = getNumber(this.#store, `size ${this.#file}`);
    if (size !== undefined) return size;
    throw new IoError("BLOSC2_IO_STALE", `${this.#path}: the file was removed or replaced while it was open`, {
      operation: "size",
      path: this.#path,
    });
  }

  read(position: number, length: number): Uint8Array {
    const size = this.size();
    if (position + length > size) {
      throw shortRead({ operation: "read", path: this.#path, position, length }, Math.max(0, size - position));
    }
    const bytes = new Uint8Array(length);
    this.#eachBlock(position, length, (key, offset, done, part) => {
      const block = this.#store.get(key);
      if (block !== undefined) bytes.set(block.subarray(offset, offset + part), done);
    });
    return bytes;
  }

  readInto(position: number, target: Uint8Array): void {
    target.set(this.read(position, target.byteLength));
  }

  write(position: number, bytes: Uint8Array): void {
    const size = this.size();
    this.#eachBlock(position, bytes.byteLength, (key, offset, done, part) => {
      const block = new Uint8Array(BLOCK);
      block.set(this.#store.get(key) ?? []);
      block.set(bytes.subarray(done, done + part), offset);
      this.#store.set(key, block);
    });
    setNumber(this.#store, `size ${this.#file}`, Math.max(size, position + bytes.byteLength));
  }

  truncate(size: number): void {
    const old = this.size();
    if (size < old) {
      this.#eachBlock(size, old - size, (key, offset) => {
        const block = this.#store.get(key);
        if (offset === 0) this.#store.delete(key);
        else if (block !== undefined) this.#store.set(key, block.slice().fill(0, offset));
      });
    }
    setNumber(this.#store, `size ${this.#file}`, size);
  }

  // The store keeps what it is given at once; one that does not would be made to here.
  flush(): void {}

  close(): void {}

  /** Calls `visit` for each block that the span touches: the offset in the block, what was done before, how many bytes. */
  #eachBlock(
    position: number,
    length: number,
    visit: (key: string, offset: number, done: number, byteLength: number) => void,
  ): void {
    for (let done = 0; done < length; ) {
      const offset = (position + done) % BLOCK;
      const byteLength = Math.min(BLOCK - offset, length - done);
      visit(`block ${this.#file} ${Math.floor((position + done) / BLOCK)}`, offset, done, byteLength);
      done += byteLength;
    }
  }
}
