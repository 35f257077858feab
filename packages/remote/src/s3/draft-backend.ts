/** Drafts of objects as files, for the engine to write frames into. @module */
import { type IoBackend, IoError, type IoHandle, type OpenMode } from "@b2frame/core";
import { type CheckedHandle, checkHandle, requireOpenable } from "@b2frame/core/backend";
import { Draft } from "./draft.js";

/** The largest object of S3: 5 TiB. */
export const MAX_OBJECT_BYTES: number = 5 * 2 ** 40;

class DraftHandle implements IoHandle {
  readonly #draft: Draft;
  readonly #closed: () => void;

  constructor(draft: Draft, closed: () => void) {
    this.#draft = draft;
    this.#closed = closed;
  }

  size(): number {
    return this.#draft.size;
  }

  read(position: number, length: number): Uint8Array {
    return this.#draft.take({ position, byteLength: length });
  }

  readInto(position: number, target: Uint8Array): void {
    this.#draft.read(position, target);
  }

  write(position: number, bytes: Uint8Array): void {
    this.#requireSize("write", position + bytes.byteLength);
    this.#draft.write(position, bytes);
  }

  truncate(size: number): void {
    this.#requireSize("truncate", size);
    this.#draft.truncate(size);
  }

  flush(): void {}

  identify(): string {
    return this.#draft.identity;
  }

  close(): void {
    this.#closed();
  }

  #requireSize(operation: string, size: number): void {
    if (size <= MAX_OBJECT_BYTES) return;
    const { path } = this.#draft;
    throw new IoError(
      "BLOSC2_LIMIT_EXCEEDED",
      `${path}: ${operation}: an object has at most ${MAX_OBJECT_BYTES} bytes, ${size} are needed`,
      { operation, path, expected: MAX_OBJECT_BYTES, found: size },
    );
  }
}

/** See the module. */
export class DraftBackend implements IoBackend {
  readonly name = "s3-draft";
  readonly capabilities: IoBackend["capabilities"] = {
    write: true,
    zeroCopy: false,
    copyOnWrite: false,
    sparseFrames: false,
    maxFileSize: MAX_OBJECT_BYTES,
  };
  readonly #drafts = new Map<string, Draft>();
  #openHandles = 0;

  /** Handles that have not been closed. */
  get openHandles(): number {
    return this.#openHandles;
  }

  /** The draft at a path. */
  draft(path: string): Draft | undefined {
    return this.#drafts.get(path);
  }

  /** The only draft; undefined if there is none, or more than one. */
  get onlyDraft(): Draft | undefined {
    return this.#drafts.size === 1 ? [...this.#drafts.values()][0] : undefined;
  }

  /** Puts a draft at its path. */
  add(draft: Draft): void {
    this.#drafts.set(draft.path, draft);
  }

  open(path: string, mode: OpenMode): CheckedHandle {
    requireOpenable(this, path, mode);
    let draft = this.#drafts.get(path);
    if (mode === "w+") {
      draft?.truncate(0);
      draft ??= new Draft(path);
      this.#drafts.set(path, draft);
    }
    if (draft === undefined) throw this.#notFound("open", path);
    this.#openHandles++;
    const closed = (): void => void this.#openHandles--;
    return checkHandle(new DraftHandle(draft, closed), { path, mode });
  }

  openNew(path: string): CheckedHandle {
    if (!this.#drafts.has(path)) return this.open(path, "w+");
    throw new IoError("BLOSC2_IO_EXISTS", `${path}: open: there is a draft of this name`, { operation: "open", path });
  }

  identify(path: string): string | undefined {
    return this.#drafts.get(path)?.identity;
  }

  exists(path: string): boolean {
    return this.#drafts.has(path);
  }

  remove(path: string): void {
    if (!this.#drafts.delete(path)) throw this.#notFound("remove", path);
  }

  rename(from: string, to: string): void {
    const draft = this.#drafts.get(from);
    if (draft === undefined) throw this.#notFound("rename", from);
    if (from === to) return;
    this.#drafts.delete(from);
    this.#drafts.set(to, draft);
  }

  #notFound(operation: string, path: string): IoError {
    return new IoError("BLOSC2_IO_NOT_FOUND", `${path}: ${operation}: there is no draft of this name`, {
      operation,
      path,
    });
  }
}
