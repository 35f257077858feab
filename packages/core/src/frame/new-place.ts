/** The place that the file of a new frame takes at its first commit. @module */
import { IoError } from "../errors.js";
import type { IoBackend } from "../io/backend.js";
import type { CheckedHandle } from "../io/checked-handle.js";
import type { Durability } from "./durability.js";
import { Replacement } from "./replace-file.js";

/** A file that is written beside `path`: what is there stays, and is read by others, until the new frame is committed. */
export class NewPlace {
  readonly #backend: IoBackend;
  readonly #path: string;
  readonly #mode: "w" | "x";
  readonly #replacement: Replacement;

  /** @param mode `"x"`: nothing may have come to the path by the first commit. */
  constructor(backend: IoBackend, path: string, mode: "w" | "x", durability: Durability | undefined) {
    this.#backend = backend;
    this.#path = path;
    this.#mode = mode;
    this.#replacement = new Replacement(backend, path, { durability });
  }

  get handle(): CheckedHandle {
    return this.#replacement.handle;
  }

  /** Gives the file its name. @throws IoError `BLOSC2_IO_EXISTS` with mode `"x"` */
  take(): void {
    if (this.#mode === "x" && this.#backend.exists(this.#path)) {
      throw new IoError("BLOSC2_IO_EXISTS", `${this.#path}: something came to this path while the frame was made`, {
        operation: "create",
        path: this.#path,
      });
    }
    this.#replacement.finish();
  }

  /** Removes the file, if it has not got its name. */
  abandon(): void {
    this.#replacement.abandon();
  }
}
