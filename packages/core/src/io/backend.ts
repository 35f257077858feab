/**
 * The I/O contract: what a backend must do so that the engine can keep frames through it. `@b2frame/io-contract` tests a
 * backend against every sentence here.
 *
 * @module
 */

/** numpy memmap's letters, as C-Blosc2's mmap uses them; `"c"` = private copy-on-write, the file is never changed. */
export type OpenMode = "r" | "r+" | "w+" | "c";

/** What a backend can do. The engine branches on these, never on a backend's name. */
export interface IoCapabilities {
  /** Modes `r+` and `w+` work. */
  readonly write: boolean;
  /** `read` gives a view of the file itself, without a copy; the first few MiB of a handle may be copies all the same. */
  readonly zeroCopy: boolean;
  /** Mode `c` works. */
  readonly copyOnWrite: boolean;
  /** Handles of modes `r`, `r+` and `w+` have `mapInto`, which works for memory of WebAssembly. Absent: they have not. */
  readonly mapsInto?: boolean;
  /** Sparse frames (directories of chunk files) work: `directories` is there. */
  readonly sparseFrames: boolean;
  /** Largest size of a file in bytes; past it `write` and `truncate` throw `BLOSC2_LIMIT_EXCEEDED`. Absent: 2^53 - 1. */
  readonly maxFileSize?: number;
}

/** How a name is made or changed. */
export interface NameChange {
  /** False where it is enough that the system knows the name: it need not reach the disk. Default true. */
  readonly durable?: boolean;
}

/** Directory operations, for sparse frames. */
export interface IoDirectories {
  /**
   * Makes the directory, durable on return where the file system can do that, unless `change` says that it need not be; its
   * parent must exist. Throws `BLOSC2_IO_EXISTS` if something is there.
   */
  make(path: string, change?: NameChange): void;
  /** Names (not paths) of the entries, in no particular order. */
  list(path: string): string[];
  /** Whether `path` is a directory. False if nothing is there. */
  isDirectory(path: string): boolean;
  /** Removes an empty directory. */
  remove(path: string): void;
  /** Makes creations, renames and removals in the directory durable. */
  flush(path: string): void;
  /**
   * What an entry itself is; `undefined`: there is none. What is made or removed inside the storage's own directories must not go
   * through links, which lead out of them. Absent where there are no links.
   */
  entryKind?(path: string): EntryKind | undefined;
}

/** What lies at a path, links not followed. `"other"`: a device, a socket, ... */
export type EntryKind = "file" | "directory" | "link" | "other";

/** Readers share a lock; a writer has it alone. */
export type LockKind = "shared" | "exclusive";

/** Which lock {@link IoBackend.openLock} is to open. */
export interface IoLockOptions {
  /** The frame is a sparse one: its lock lies inside the directory, which must exist. */
  readonly sparse: boolean;
  /** Whether `"exclusive"` will be asked for. */
  readonly write: boolean;
}

/** What taking a lock told. */
export interface IoLockHeld {
  /**
   * Others have had the frame for writing since this lock was last held, or, the first time, ever: what is known of the frame must
   * be read again.
   */
  readonly changed: boolean;
}

/**
 * One holder of a frame's advisory lock. Each holder counts by itself, also several in one thread. It goes back when the process
 * ends, however it ends.
 */
export interface IoLock {
  /** What is locked, for messages. */
  readonly path: string;
  /** What this holder has. */
  readonly held: LockKind | undefined;
  /**
   * Takes the lock, waiting for others at most `timeout` milliseconds: 0: not at all, `Infinity`: as long as it takes.
   *
   * @throws IoError `BLOSC2_IO_LOCKED` when the time is over, or at once if only this thread could end the waiting; ArgumentError if
   * this holder has it already; IoError `BLOSC2_IO_CLOSED`.
   */
  acquire(kind: LockKind, timeout: number): IoLockHeld;
  /** Gives it back. @throws ArgumentError if it is not held; IoError `BLOSC2_IO_CLOSED` */
  release(): void;
  /** Gives it back if it is held, and releases everything. Idempotent. */
  close(): void;
}

/** A way to keep bytes under paths. */
export interface IoBackend {
  /** `"stdio"`, `"mmap"`, `"memory"`, ... For messages only. */
  readonly name: string;
  readonly capabilities: IoCapabilities;
  /**
   * Opens a file. `r`, `r+`, `c`: it must exist (`BLOSC2_IO_NOT_FOUND`). `w+`: it is created, or emptied.
   *
   * @throws IoError with the operating system's error as `cause`; UnsupportedError for a mode that it lacks.
   */
  open(path: string, mode: OpenMode): IoHandle;
  /**
   * Makes a file, and opens it as `w+` does. Nothing that is there is touched: `BLOSC2_IO_EXISTS`, also for a link that leads nowhere.
   * A `rename` through this backend takes the open handle along: what it does later is done to the file under the new name.
   *
   * Absent where names can't be planted by others and files carry no rights: `w+` does as well then.
   *
   * @param like a file that it is to replace. The new one has its rights, as far as they can be given, before its first byte.
   */
  openNew?(path: string, like?: string): IoHandle;
  /**
   * Where a file must be moved to replace what `path` leads to: behind symbolic links, also behind one that leads nowhere yet.
   * Absent where there are no links.
   */
  resolveLinks?(path: string): string;
  /**
   * Text that no two files or directories have at a time, whatever their names, and that stays while theirs change; `undefined`: nothing
   * is there. Absent where it can't be told.
   */
  identify?(path: string): string | undefined;
  /** Whether a file (not a directory) is there. */
  exists(path: string): boolean;
  /** Removes a file. Throws `BLOSC2_IO_NOT_FOUND` if there is none. */
  remove(path: string): void;
  /**
   * Replaces `to` by `from` atomically, durable on return where the file system can do that, unless `change` says that it need
   * not be. A handle open on what was at `to` keeps reading the old content, or throws `BLOSC2_IO_STALE`: never a mix.
   */
  rename(from: string, to: string, change?: NameChange): void;
  /** Present if and only if `capabilities.sparseFrames`. */
  readonly directories?: IoDirectories;
  /**
   * Opens the advisory lock of the frame at a path, at which there may be nothing yet. Takes no lock yet. Absent where frames can't be
   * locked. The lock keeps out all who use the same storage by whatever program takes it; on file systems it is that of C-Blosc2.
   *
   * @throws UnsupportedError `BLOSC2_UNSUPPORTED_BACKEND` where what it needs is missing: never a lock that keeps nobody out.
   */
  openLock?(path: string, options: IoLockOptions): IoLock;
}

/** A part of a file that {@link IoHandle.mapInto} has laid under memory. */
export interface MappedPart {
  /** Bytes of the file that are there, from the memory's front on: to its end, or to where the file ended when they were laid there. */
  readonly byteLength: number;
  /** Puts plain memory there again, which holds zeros. Works after the handle was closed. Idempotent. */
  release(): void;
}

/** An open file. Every call carries its position: there is no seek, no tell and no shared cursor. */
export interface IoHandle {
  /** The file's size in bytes (pending writes included), not that of a map or a buffer. */
  size(): number;
  /**
   * Reads exactly `length` bytes. The result is BORROWED: read-only, and valid only until the next call on this handle
   * that writes, truncates, closes **or reads** (a backend may reuse one buffer).
   *
   * @throws IoError `BLOSC2_IO_SHORT_READ` when the file ends before; never zeros.
   */
  read(position: number, length: number): Uint8Array;
  /** Reads exactly `target.byteLength` bytes into the caller's memory, which may be WebAssembly memory. */
  readInto(position: number, target: Uint8Array): void;
  /**
   * Lays the file's bytes from `position` on under `target`, in place of what is there: without a copy, and read-only. `position`, the
   * address of `target` and its length are multiples of 65,536, and `target` is memory of WebAssembly that does not grow until
   * the part is released. What is written to the file later is seen there. Present if and only if `capabilities.mapsInto`, mode `c` excepted.
   *
   * Touching bytes that another process has cut off ends this process: ask {@link mappableSize} before each use.
   *
   * @returns undefined where it can't be; nothing has changed then.
   */
  mapInto?(position: number, target: Uint8Array): MappedPart | undefined;
  /** Bytes of the file that what {@link mapInto} laid under memory can show now: pending writes have been handed to the system. */
  mappableSize?(): number;
  /** Writes all of `bytes`. A gap past the end reads as zeros. `bytes` is not kept after return. */
  write(position: number, bytes: Uint8Array): void;
  /** Sets the size; growth reads as zeros. */
  truncate(size: number): void;
  /** What was written is durable on return, and a file that this handle created as well. */
  flush(): void;
  /**
   * What was written is the system's on return, and outlives the process; it need not be durable. Absent where `write`
   * keeps nothing back.
   */
  drain?(): void;
  /**
   * A `flush` follows sooner or later: where there is a way to bring what was written to the disk without waiting, that begins
   * now. A hint, which changes nothing but how long the `flush` takes; that one reports what failed.
   */
  prepareFlush?(): void;
  /** As {@link IoBackend.identify}, of the open file, whatever its name leads to by now. */
  identify?(): string | undefined;
  /**
   * Hands pending writes to the system and releases the file. Idempotent. Reports what failed, an earlier failed `write`,
   * `truncate` or `flush` included; does not imply durability. Anything else afterwards throws `BLOSC2_IO_CLOSED`.
   */
  close(): void;
}
