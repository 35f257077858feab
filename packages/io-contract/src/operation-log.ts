/** What changed files, in order: the input of the power-cut model. @module */
import type { IoBackend, IoHandle } from "@b2frame/core";
import type { IoOperation } from "./observe-backend.js";

/** A change, or a barrier, that the backend carried out. `file` tells files apart whatever their names. */
export type LoggedOperation =
  | { readonly kind: "baseline"; readonly file: number; readonly path: string; readonly bytes: Uint8Array }
  | { readonly kind: "create"; readonly file: number; readonly path: string }
  | {
      readonly kind: "write";
      readonly file: number;
      readonly path: string;
      readonly position: number;
      readonly bytes: Uint8Array;
    }
  | { readonly kind: "truncate"; readonly file: number; readonly path: string; readonly size: number }
  | { readonly kind: "flush"; readonly file: number; readonly path: string }
  | { readonly kind: "rename"; readonly file: number; readonly path: string; readonly to: string }
  | { readonly kind: "remove"; readonly file: number; readonly path: string }
  | { readonly kind: "make-directory" | "remove-directory" | "flush-directory"; readonly path: string };

/** Keeps the log of a backend's changes. */
export class OperationLog {
  readonly entries: LoggedOperation[] = [];
  readonly #fileOfPath = new Map<string, number>();
  readonly #fileOfHandle = new Map<number, number>();
  #files = 0;

  /** Before an open: records what is there, so that the model knows the file's bytes. */
  beforeOpen(operation: IoOperation, backend: IoBackend): void {
    const { path } = operation;
    if (operation.mode === "r" || operation.mode === "c") return;
    if (this.#fileOfPath.has(path) || !backend.exists(path)) return;
    const file = this.#newFile(path);
    this.entries.push({ kind: "baseline", file, path, bytes: contentsOf(backend.open(path, "r")) });
  }

  /** After an operation was carried out; of a write, `byteLength` bytes. */
  add(operation: IoOperation, byteLength: number = operation.byteLength ?? 0): void {
    const { kind, path, handle = -1 } = operation;
    const file = this.#fileOfHandle.get(handle) ?? -1;
    switch (kind) {
      case "open":
        this.#addOpen(operation, handle);
        break;
      case "write": {
        const bytes = (operation.bytes as Uint8Array).slice(0, byteLength);
        if (byteLength > 0) this.entries.push({ kind, file, path, position: operation.position ?? 0, bytes });
        break;
      }
      case "truncate":
        this.entries.push({ kind, file, path, size: byteLength });
        break;
      case "flush":
        if (file >= 0) this.entries.push({ kind, file, path });
        break;
      case "rename":
        this.#addRename(path, operation.to as string);
        break;
      case "remove":
        this.entries.push({ kind, file: this.#fileOfPath.get(path) ?? -1, path });
        this.#fileOfPath.delete(path);
        break;
      case "make-directory":
      case "remove-directory":
      case "flush-directory":
        this.entries.push({ kind, path });
        break;
      default:
        break;
    }
  }

  #addOpen(operation: IoOperation, handle: number): void {
    const { path, mode } = operation;
    if (mode !== "r+" && mode !== "w+") return;
    const known = this.#fileOfPath.get(path);
    const file = known ?? this.#newFile(path);
    this.#fileOfHandle.set(handle, file);
    if (mode !== "w+") return;
    if (known === undefined) this.entries.push({ kind: "create", file, path });
    else this.entries.push({ kind: "truncate", file, path, size: 0 });
  }

  #addRename(path: string, to: string): void {
    const file = this.#fileOfPath.get(path) ?? this.#newFile(path);
    this.entries.push({ kind: "rename", file, path, to });
    this.#fileOfPath.delete(path);
    this.#fileOfPath.set(to, file);
  }

  #newFile(path: string): number {
    const file = this.#files++;
    this.#fileOfPath.set(path, file);
    return file;
  }
}

function contentsOf(handle: IoHandle): Uint8Array {
  try {
    return handle.read(0, handle.size()).slice();
  } finally {
    handle.close();
  }
}
