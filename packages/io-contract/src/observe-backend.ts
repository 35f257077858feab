/** Standing between the engine and a backend: every operation passes one function. @module */
import type { IoBackend, IoHandle, LockKind, OpenMode } from "@b2frame/core";
import type {
  EntryKind,
  IoCapabilities,
  IoDirectories,
  IoLock,
  IoLockHeld,
  IoLockOptions,
  NameChange,
} from "@b2frame/core/backend";

/** What the engine may ask of a backend. `read` stands for `readInto` as well. */
export type IoOperationKind =
  | "open"
  | "close"
  | "size"
  | "read"
  | "write"
  | "truncate"
  | "flush"
  | "exists"
  | "rename"
  | "remove"
  | "make-directory"
  | "list-directory"
  | "remove-directory"
  | "flush-directory"
  | "open-lock"
  | "lock"
  | "unlock"
  | "close-lock";

/** One operation that is about to happen. */
export interface IoOperation {
  readonly kind: IoOperationKind;
  readonly path: string;
  /** `rename`: the new name. */
  readonly to?: string;
  /** `rename`: whether it is to reach the disk. */
  readonly durable?: boolean;
  /** `open`. */
  readonly mode?: OpenMode;
  /** `read` and `write`: absolute position. */
  readonly position?: number;
  /** `read` and `write`: how many bytes; `truncate`: the wanted size. */
  readonly byteLength?: number;
  /** `write`: what; not to be kept. */
  readonly bytes?: Uint8Array;
  /** Operations on a handle: which one, counted from 0 in the order of opening. */
  readonly handle?: number;
}

/**
 * Decides what becomes of an operation: `run()` lets the backend do it and gives its result. Of a write, `run(n)` lets only
 * the first `n` bytes through.
 */
export type IoObserver = <T>(operation: IoOperation, run: (byteLength?: number) => T) => T;

class ObservedHandle implements IoHandle {
  readonly #inner: IoHandle;
  readonly #observer: IoObserver;
  readonly #at: { readonly path: string; readonly handle: number };

  constructor(inner: IoHandle, observer: IoObserver, path: string, handle: number) {
    this.#inner = inner;
    this.#observer = observer;
    this.#at = { path, handle };
  }

  size(): number {
    return this.#observer({ kind: "size", ...this.#at }, () => this.#inner.size());
  }

  read(position: number, length: number): Uint8Array {
    const operation: IoOperation = { kind: "read", ...this.#at, position, byteLength: length };
    return this.#observer(operation, () => this.#inner.read(position, length));
  }

  readInto(position: number, target: Uint8Array): void {
    const operation: IoOperation = { kind: "read", ...this.#at, position, byteLength: target.byteLength };
    this.#observer(operation, () => this.#inner.readInto(position, target));
  }

  write(position: number, bytes: Uint8Array): void {
    const operation: IoOperation = { kind: "write", ...this.#at, position, byteLength: bytes.byteLength, bytes };
    this.#observer(operation, (byteLength) => this.#inner.write(position, bytes.subarray(0, byteLength)));
  }

  truncate(size: number): void {
    this.#observer({ kind: "truncate", ...this.#at, byteLength: size }, () => this.#inner.truncate(size));
  }

  flush(): void {
    this.#observer({ kind: "flush", ...this.#at }, () => this.#inner.flush());
  }

  /** Passes unseen: a fault meets the write that had been kept back. */
  drain(): void {
    this.#inner.drain?.();
  }

  prepareFlush(): void {
    this.#inner.prepareFlush?.();
  }

  /** Passes unseen, as {@link ObservedBackend}'s questions about names do. */
  identify(): string | undefined {
    return this.#inner.identify?.();
  }

  close(): void {
    this.#observer({ kind: "close", ...this.#at }, () => this.#inner.close());
  }
}

class ObservedDirectories implements IoDirectories {
  readonly entryKind?: (path: string) => EntryKind | undefined;
  readonly #inner: IoDirectories;
  readonly #observer: IoObserver;

  constructor(inner: IoDirectories, observer: IoObserver) {
    this.#inner = inner;
    this.#observer = observer;
    if (inner.entryKind !== undefined) this.entryKind = (path) => inner.entryKind?.(path);
  }

  make(path: string, change?: NameChange): void {
    this.#observer({ kind: "make-directory", path }, () => this.#inner.make(path, change));
  }

  list(path: string): string[] {
    return this.#observer({ kind: "list-directory", path }, () => this.#inner.list(path));
  }

  isDirectory(path: string): boolean {
    return this.#observer({ kind: "exists", path }, () => this.#inner.isDirectory(path));
  }

  remove(path: string): void {
    this.#observer({ kind: "remove-directory", path }, () => this.#inner.remove(path));
  }

  flush(path: string): void {
    this.#observer({ kind: "flush-directory", path }, () => this.#inner.flush(path));
  }
}

class ObservedLock implements IoLock {
  readonly path: string;
  readonly #inner: IoLock;
  readonly #observer: IoObserver;

  constructor(inner: IoLock, observer: IoObserver) {
    this.path = inner.path;
    this.#inner = inner;
    this.#observer = observer;
  }

  get held(): LockKind | undefined {
    return this.#inner.held;
  }

  acquire(kind: LockKind, timeout: number): IoLockHeld {
    return this.#observer({ kind: "lock", path: this.path }, () => this.#inner.acquire(kind, timeout));
  }

  release(): void {
    this.#observer({ kind: "unlock", path: this.path }, () => this.#inner.release());
  }

  close(): void {
    this.#observer({ kind: "close-lock", path: this.path }, () => this.#inner.close());
  }
}

/** A backend each of whose operations passes an {@link IoObserver}; the base of the others in this package. */
export class ObservedBackend implements IoBackend {
  readonly name: string;
  readonly capabilities: IoCapabilities;
  readonly directories?: IoDirectories;
  readonly openLock?: (path: string, options: IoLockOptions) => IoLock;
  readonly openNew?: (path: string, like?: string) => IoHandle;
  readonly resolveLinks?: (path: string) => string;
  readonly identify?: (path: string) => string | undefined;
  readonly #inner: IoBackend;
  readonly #observer: IoObserver;
  #handles = 0;

  constructor(inner: IoBackend, observer: IoObserver, name: string) {
    this.#inner = inner;
    this.#observer = observer;
    this.name = `${name}(${inner.name})`;
    // What is read from a map passes no function, so its handles map nothing.
    this.capabilities = { ...inner.capabilities, mapsInto: false };
    if (inner.directories !== undefined) this.directories = new ObservedDirectories(inner.directories, observer);
    const { openNew, resolveLinks, identify } = inner;
    if (openNew !== undefined) {
      this.openNew = (path, like) => this.#open(path, "w+", () => openNew.call(inner, path, like));
    }
    if (resolveLinks !== undefined) this.resolveLinks = (path) => resolveLinks.call(inner, path);
    if (identify !== undefined) this.identify = (path) => identify.call(inner, path);
    if (inner.openLock !== undefined) {
      this.openLock = (path, options) =>
        observer({ kind: "open-lock", path }, () => {
          return new ObservedLock(inner.openLock?.(path, options) as IoLock, observer);
        });
    }
  }

  open(path: string, mode: OpenMode): IoHandle {
    return this.#open(path, mode, () => this.#inner.open(path, mode));
  }

  exists(path: string): boolean {
    return this.#observer({ kind: "exists", path }, () => this.#inner.exists(path));
  }

  remove(path: string): void {
    this.#observer({ kind: "remove", path }, () => this.#inner.remove(path));
  }

  rename(from: string, to: string, change?: NameChange): void {
    this.#observer({ kind: "rename", path: from, to, durable: change?.durable !== false }, () =>
      this.#inner.rename(from, to, change),
    );
  }

  #open(path: string, mode: OpenMode, open: () => IoHandle): IoHandle {
    const handle = this.#handles++;
    return this.#observer({ kind: "open", path, mode, handle }, () => {
      return new ObservedHandle(open(), this.#observer, path, handle);
    }) as IoHandle;
  }
}
