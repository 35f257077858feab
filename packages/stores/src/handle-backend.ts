/** A backend over one open file. @module */
import { type IoBackend, IoError, type IoHandle, type OpenMode } from "@b2frame/core";
import { type CheckedHandle, checkHandle } from "@b2frame/core/backend";
import { SharedFile } from "./shared-file.js";

/** Reads one file that is open already, under whatever path is asked for. It closes when all who opened it, and this, have closed. */
export class HandleBackend implements IoBackend {
  readonly name = "handle";
  readonly capabilities = { write: false, zeroCopy: false, copyOnWrite: false, sparseFrames: false };
  readonly #file: SharedFile;

  constructor(handle: IoHandle, path: string) {
    this.#file = new SharedFile(checkHandle(handle, { path, mode: "r" }));
  }

  open(path: string, mode: OpenMode): CheckedHandle {
    if (mode !== "r") throw this.#readOnly("open", path);
    return checkHandle(this.#file.window(Number.MAX_SAFE_INTEGER), { path, mode });
  }

  exists(path: string): boolean {
    return path === this.#file.handle.path;
  }

  remove(path: string): never {
    throw this.#readOnly("remove", path);
  }

  rename(from: string): never {
    throw this.#readOnly("rename", from);
  }

  /** Releases the file. */
  close(): void {
    this.#file.close();
  }

  #readOnly(operation: string, path: string): IoError {
    const message = `${path}: ${operation}: a store on an open file is for reading only; give a path to change it`;
    return new IoError("BLOSC2_IO_READ_ONLY", message, { operation, path });
  }
}
