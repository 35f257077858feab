/**
 * A file system in memory for the simulation: names lead to files as on a POSIX system, so a file that is renamed over or removed lives on
 * for those who have it open. Every call is one indivisible step. Locks are those of C-Blosc2: readers share, a writer is alone.
 *
 * @module
 */
import type { Blosc2ErrorCode, LockKind, OpenMode } from "@b2frame/core";

/** What failed, in a form that passes from thread to thread. */
export class DiskFailure extends Error {
  readonly code: Blosc2ErrorCode;

  constructor(code: Blosc2ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

interface DiskFile {
  readonly inode: number;
  bytes: Uint8Array;
}

interface OpenFile {
  readonly file: DiskFile;
  readonly actor: number;
  readonly path: string;
}

interface LockState {
  readonly readers: Set<number>;
  writer: number | undefined;
  /** Counts those who have had it for writing. */
  changes: number;
}

interface OpenLock {
  readonly path: string;
  readonly actor: number;
  held: LockKind | undefined;
  lastSeen: number;
}

function parentOf(path: string): string {
  const end = path.lastIndexOf("/");
  return end < 0 ? "" : path.slice(0, end);
}

/** See the module. Paths are plain strings with `/` between folder and name. */
export class SimulatedDisk {
  readonly #names = new Map<string, DiskFile>();
  readonly #directories = new Set<string>([""]);
  readonly #open = new Map<number, OpenFile>();
  readonly #locks = new Map<number, OpenLock>();
  readonly #lockStates = new Map<string, LockState>();
  #nextInode = 1;
  #nextHandle = 1;

  open(actor: number, path: string, mode: OpenMode): number {
    let file = this.#names.get(path);
    if (this.#directories.has(path)) throw new DiskFailure("BLOSC2_IO_FAILED", `${path}: is a directory`);
    if (mode === "w+") {
      if (file === undefined) file = this.#create(path);
      else file.bytes = new Uint8Array(0);
    }
    return this.#keepOpen(actor, path, file);
  }

  /** Creates a file where nothing is. */
  openNew(actor: number, path: string): number {
    if (this.#names.has(path) || this.#directories.has(path)) {
      throw new DiskFailure("BLOSC2_IO_EXISTS", `${path}: something is there already`);
    }
    return this.#keepOpen(actor, path, this.#create(path));
  }

  #create(path: string): DiskFile {
    if (!this.#directories.has(parentOf(path))) throw new DiskFailure("BLOSC2_IO_NOT_FOUND", `${path}: no such folder`);
    const file = { inode: this.#nextInode++, bytes: new Uint8Array(0) };
    this.#names.set(path, file);
    return file;
  }

  #keepOpen(actor: number, path: string, file: DiskFile | undefined): number {
    if (file === undefined) throw new DiskFailure("BLOSC2_IO_NOT_FOUND", `${path}: no such file`);
    const handle = this.#nextHandle++;
    this.#open.set(handle, { file, actor, path });
    return handle;
  }

  #fileOf(handle: number): DiskFile {
    const open = this.#open.get(handle);
    if (open === undefined) throw new DiskFailure("BLOSC2_IO_CLOSED", `handle ${handle} is closed`);
    return open.file;
  }

  /** A number that only this file has had; undefined where nothing is. */
  inodeAt(path: string): number | undefined {
    return this.#names.get(path)?.inode;
  }

  inodeOf(handle: number): number {
    return this.#fileOf(handle).inode;
  }

  size(handle: number): number {
    return this.#fileOf(handle).bytes.byteLength;
  }

  read(handle: number, position: number, length: number): Uint8Array {
    const { bytes } = this.#fileOf(handle);
    if (position + length > bytes.byteLength) {
      const available = Math.max(0, bytes.byteLength - position);
      throw new DiskFailure("BLOSC2_IO_SHORT_READ", `short read: expected ${length} bytes, found ${available}`);
    }
    return bytes.slice(position, position + length);
  }

  write(handle: number, position: number, content: Uint8Array): void {
    const file = this.#fileOf(handle);
    if (content.byteLength === 0) return;
    this.#resize(file, Math.max(file.bytes.byteLength, position + content.byteLength));
    file.bytes.set(content, position);
  }

  truncate(handle: number, size: number): void {
    this.#resize(this.#fileOf(handle), size);
  }

  /** What a program does that cuts a file by its name. */
  truncateAt(path: string, size: number): void {
    const file = this.#names.get(path);
    if (file !== undefined) this.#resize(file, size);
  }

  #resize(file: DiskFile, size: number): void {
    if (size === file.bytes.byteLength) return;
    const resized = new Uint8Array(size);
    resized.set(file.bytes.subarray(0, size));
    file.bytes = resized;
  }

  close(handle: number): void {
    this.#open.delete(handle);
  }

  exists(path: string): boolean {
    return this.#names.has(path);
  }

  remove(path: string): void {
    if (!this.#names.delete(path)) throw new DiskFailure("BLOSC2_IO_NOT_FOUND", `${path}: no such file`);
  }

  rename(from: string, to: string): void {
    const file = this.#names.get(from);
    if (file === undefined) throw new DiskFailure("BLOSC2_IO_NOT_FOUND", `${from}: no such file`);
    if (from === to) return;
    this.#names.delete(from);
    this.#names.set(to, file);
  }

  /** Puts a file of this content in the place of what a name leads to, as a program that writes beside and renames. */
  replace(path: string, content: Uint8Array): void {
    this.#names.set(path, { inode: this.#nextInode++, bytes: content.slice() });
  }

  /** A copy of what a name leads to; undefined where nothing is. */
  content(path: string): Uint8Array | undefined {
    return this.#names.get(path)?.bytes.slice();
  }

  makeDirectory(path: string): void {
    if (this.#names.has(path) || this.#directories.has(path)) {
      throw new DiskFailure("BLOSC2_IO_EXISTS", `${path}: something is there already`);
    }
    this.#directories.add(path);
  }

  isDirectory(path: string): boolean {
    return this.#directories.has(path);
  }

  list(path: string): string[] {
    if (!this.#directories.has(path)) throw new DiskFailure("BLOSC2_IO_NOT_FOUND", `${path}: no such folder`);
    const all = [...this.#names.keys(), ...this.#directories];
    return all.filter((name) => name !== path && parentOf(name) === path).map((name) => name.slice(path.length + 1));
  }

  removeDirectory(path: string): void {
    if (this.list(path).length > 0) throw new DiskFailure("BLOSC2_IO_FAILED", `${path}: not empty`);
    this.#directories.delete(path);
  }

  openLock(actor: number, path: string): number {
    const lock = this.#nextHandle++;
    this.#locks.set(lock, { path, actor, held: undefined, lastSeen: 0 });
    return lock;
  }

  /** Whether the lock could be had now. */
  isFree(lock: number, kind: LockKind): boolean {
    const open = this.#locks.get(lock);
    if (open === undefined) return true;
    const state = this.#lockStateOf(open.path);
    return state.writer === undefined && (kind === "shared" || state.readers.size === 0);
  }

  /** Takes a free lock. @returns whether others have had it for writing since. */
  acquire(lock: number, kind: LockKind): boolean {
    const open = this.#locks.get(lock);
    if (open === undefined || !this.isFree(lock, kind)) throw new DiskFailure("BLOSC2_IO_LOCKED", "the lock is taken");
    const state = this.#lockStateOf(open.path);
    const changed = state.changes !== open.lastSeen;
    if (kind === "exclusive") {
      state.changes++;
      state.writer = lock;
    } else {
      state.readers.add(lock);
    }
    open.lastSeen = state.changes;
    open.held = kind;
    return changed;
  }

  release(lock: number): void {
    const open = this.#locks.get(lock);
    if (open === undefined) return;
    const state = this.#lockStateOf(open.path);
    if (state.writer === lock) state.writer = undefined;
    state.readers.delete(lock);
    open.held = undefined;
  }

  closeLock(lock: number): void {
    this.release(lock);
    this.#locks.delete(lock);
  }

  #lockStateOf(path: string): LockState {
    let state = this.#lockStates.get(path);
    if (state === undefined) {
      state = { readers: new Set(), writer: undefined, changes: 0 };
      this.#lockStates.set(path, state);
    }
    return state;
  }

  /** What the system does when a process ends: its files are closed and its locks given back. */
  endActor(actor: number): void {
    for (const [handle, open] of this.#open) if (open.actor === actor) this.#open.delete(handle);
    for (const [lock, open] of this.#locks) if (open.actor === actor) this.closeLock(lock);
  }
}
