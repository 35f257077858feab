/**
 * What may be on the disk after the power fails: everything up to the last barrier, and of what came later any part in any
 * order.
 *
 * - A write or truncation is safe once the file was flushed after it.
 * - A new file's name is safe once its directory was flushed; flushing the file keeps it only where the log knows no directories, for POSIX
 *   promises no more. A rename is safe when it returns, and with it all that happened in the target's directory before; so is a new
 *   directory. A removal is safe once the directory was flushed.
 *
 * @module
 */
import type { IoBackend } from "@b2frame/core";
import { openChecked } from "@b2frame/core/backend";
import type { LoggedOperation } from "./operation-log.js";

/** A change that reached the disk though nothing promised it. */
export interface Survivor {
  /** Index in the log. */
  readonly operation: number;
  /** Of a write: only its bytes from `start` (default 0) to `stop` (default all). */
  readonly start?: number;
  readonly stop?: number;
}

/** One way in which the power fails. */
export interface PowerCut {
  /** So many operations of the log had returned; the next one, if there is one, was under way. */
  readonly after: number;
  /**
   * Which of the operations that were not safe reached the disk, in the order in which they did. Default: all that had
   * returned, in order, which is what a killed process leaves.
   */
  readonly survivors?: readonly Survivor[];
}

/** What is on the disk. */
export interface DiskImage {
  /** Contents by path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Directories that were made. */
  readonly directories: ReadonlySet<string>;
}

/** Options of {@link randomPowerCut}. */
export interface RandomPowerCutOptions {
  /** Numbers from 0 (included) to 1 (excluded); seed it, to be able to repeat a failure. */
  readonly random: () => number;
  /** Split writes where sectors of this size begin, each part surviving by itself. Default: a write survives whole or not. */
  readonly sectorBytes?: number;
}

function directoryOf(path: string): string {
  const slash = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return slash < 0 ? "." : path.slice(0, slash);
}

/** Whether `barrier`, later in the log, makes `change` safe. */
function secures(barrier: LoggedOperation, change: LoggedOperation, withDirectories: boolean): boolean {
  switch (barrier.kind) {
    case "flush":
      if (change.kind === "create" && withDirectories) return false;
      return "file" in change && change.file === barrier.file && change.kind !== "remove";
    case "flush-directory":
      return (change.kind === "create" || change.kind === "remove") && directoryOf(change.path) === barrier.path;
    case "rename":
      return (
        (change.kind === "create" || change.kind === "remove") && directoryOf(change.path) === directoryOf(barrier.to)
      );
    default:
      return false;
  }
}

const SAFE_ON_RETURN: ReadonlySet<LoggedOperation["kind"]> = new Set([
  "baseline",
  "rename",
  "make-directory",
  "remove-directory",
  "flush",
  "flush-directory",
]);

const BARRIERS: ReadonlySet<LoggedOperation["kind"]> = new Set(["baseline", "flush", "flush-directory"]);

const safetyOfLog = new WeakMap<readonly LoggedOperation[], readonly number[]>();

/** For each operation how many must have returned for it to be safe. Worked out once for a log of that length. */
function safetyOf(log: readonly LoggedOperation[]): readonly number[] {
  const known = safetyOfLog.get(log);
  if (known?.length === log.length) return known;
  const withDirectories = log.some(({ kind }) => kind === "make-directory" || kind === "flush-directory");
  const safety = log.map((change, index) => {
    if (SAFE_ON_RETURN.has(change.kind)) return index + 1;
    const barrier = log.findIndex((each, i) => i > index && secures(each, change, withDirectories));
    return barrier < 0 ? Number.POSITIVE_INFINITY : barrier + 1;
  });
  safetyOfLog.set(log, safety);
  return safety;
}

/**
 * Indexes of the changes that may or may not be on the disk when the power fails after `after` operations: those that had
 * returned and were not safe, and the one under way.
 */
export function unsafeChanges(log: readonly LoggedOperation[], after: number): number[] {
  const safety = safetyOf(log);
  const unsafe: number[] = [];
  for (let i = 0; i < after; i++) if ((safety[i] as number) > after) unsafe.push(i);
  const underWay = log[after];
  if (underWay !== undefined && !BARRIERS.has(underWay.kind)) unsafe.push(after);
  return unsafe;
}

class Disk {
  readonly #contents = new Map<number, Uint8Array>();
  readonly #names = new Map<string, number>();
  readonly #directories = new Set<string>();

  apply(change: LoggedOperation, start = 0, stop?: number): void {
    switch (change.kind) {
      case "baseline":
        this.#names.set(change.path, change.file);
        this.#contents.set(change.file, change.bytes);
        break;
      case "create":
        this.#names.set(change.path, change.file);
        break;
      case "write": {
        const part = change.bytes.subarray(start, stop);
        const end = change.position + start + part.byteLength;
        const old = this.#contents.get(change.file) ?? new Uint8Array(0);
        const bytes = new Uint8Array(Math.max(old.byteLength, end));
        bytes.set(old);
        bytes.set(part, change.position + start);
        this.#contents.set(change.file, bytes);
        break;
      }
      case "truncate": {
        const bytes = new Uint8Array(change.size);
        bytes.set((this.#contents.get(change.file) ?? bytes).subarray(0, change.size));
        this.#contents.set(change.file, bytes);
        break;
      }
      case "rename":
        this.#names.delete(change.path);
        this.#names.set(change.to, change.file);
        break;
      case "remove":
        if (this.#names.get(change.path) === change.file) this.#names.delete(change.path);
        break;
      case "make-directory":
        this.#directories.add(change.path);
        break;
      case "remove-directory":
        this.#directories.delete(change.path);
        break;
      default:
        break;
    }
  }

  image(): DiskImage {
    const files = new Map<string, Uint8Array>();
    for (const [path, file] of this.#names) files.set(path, this.#contents.get(file) ?? new Uint8Array(0));
    return { files, directories: new Set(this.#directories) };
  }
}

/**
 * The files as they are on the disk after a power cut, from the log of a recording {@link faultInjecting} backend. Files that
 * the log never mentions are not part of it.
 */
export function materialise(log: readonly LoggedOperation[], cut: PowerCut): DiskImage {
  const unsafe = new Set(unsafeChanges(log, cut.after));
  const disk = new Disk();
  for (let i = 0; i < cut.after; i++) {
    if (cut.survivors === undefined || !unsafe.has(i)) disk.apply(log[i] as LoggedOperation);
  }
  for (const { operation, start, stop } of cut.survivors ?? []) {
    if (!unsafe.has(operation)) throw new RangeError(`operation ${operation} is safe, or was not yet begun`);
    disk.apply(log[operation] as LoggedOperation, start, stop);
  }
  return disk.image();
}

function split(change: LoggedOperation, operation: number, sectorBytes: number): Survivor[] {
  if (change.kind !== "write" || sectorBytes <= 0) return [{ operation }];
  const parts: Survivor[] = [];
  const { position, bytes } = change;
  for (let start = 0; start < bytes.byteLength; ) {
    const stop = Math.min(bytes.byteLength, start + sectorBytes - ((position + start) % sectorBytes));
    parts.push({ operation, start, stop });
    start = stop;
  }
  return parts;
}

/** A power cut at a random instant, with a random part of what was not safe on the disk, in random order. */
export function randomPowerCut(log: readonly LoggedOperation[], options: RandomPowerCutOptions): PowerCut {
  const { random, sectorBytes = 0 } = options;
  const after = Math.floor(random() * (log.length + 1));
  const survivors: Survivor[] = [];
  for (const operation of unsafeChanges(log, after)) {
    for (const part of split(log[operation] as LoggedOperation, operation, sectorBytes)) {
      if (random() < 0.5) survivors.splice(Math.floor(random() * (survivors.length + 1)), 0, part);
    }
  }
  return { after, survivors };
}

/** Puts an image's files where a backend can open them: into a `memory()`, or a directory of its own through another. */
export function restoreImage(image: DiskImage, backend: IoBackend): void {
  for (const path of [...image.directories].toSorted()) backend.directories?.make(path);
  for (const [path, bytes] of image.files) {
    const handle = openChecked(backend, path, "w+");
    try {
      handle.write(0, bytes);
    } finally {
      handle.close();
    }
  }
}
