/** Handles whose file gets another name while they are open. @module */

/** What goes by a file's name now and then. */
interface NamedFile {
  path: string;
}

/** A thread's new files that are waiting for their final name. */
export class RenameFollowers {
  readonly #waiting = new Map<string, NamedFile>();

  /** Notes that the file at its path will be renamed. */
  expect(file: NamedFile): void {
    this.#waiting.set(file.path, file);
  }

  /** Tells whoever waits for it that a file was renamed. */
  renamed(from: string, to: string): void {
    const file = this.#waiting.get(from);
    if (file === undefined) return;
    this.#waiting.delete(from);
    file.path = to;
  }

  /** Forgets a file that has been closed. */
  forget(file: NamedFile): void {
    if (this.#waiting.get(file.path) === file) this.#waiting.delete(file.path);
  }
}
