/** The folder beside a target in which its plan and its parts are kept, and the names in it. @module */
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from "node:fs";
import { type IoBackend, IoError } from "@b2frame/core";
import { ioFailure, isNewFileName, newFileName } from "@b2frame/core/backend";
import { stdio } from "@b2frame/io-stdio";

const PLAN_NAME = "plan.json";
/** Says that the target is there, so that what is left of the folder may go. */
const PUBLISHED_NAME = "published";
const PART_NAME = /^part-(\d{6,})\.b2frame$/;
/** File systems without hard links answer with these. */
const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);
/** How often a folder is looked through again in which others still put files. */
const REMOVE_ATTEMPTS = 20;

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "";
}

/** The folder of one target. */
export class PartsFiles {
  readonly target: string;
  readonly folder: string;
  readonly backend: IoBackend = stdio();

  constructor(target: string) {
    this.target = target.replace(/[/\\]+$/, "");
    this.folder = `${this.target}.parts`;
  }

  get planPath(): string {
    return `${this.folder}/${PLAN_NAME}`;
  }

  get publishedPath(): string {
    return `${this.folder}/${PUBLISHED_NAME}`;
  }

  partPath(part: number): string {
    return `${this.folder}/part-${String(part).padStart(6, "0")}.b2frame`;
  }

  /** A place for a file or directory that is being written. */
  newPath(): string {
    return `${this.folder}/${newFileName()}`;
  }

  targetExists(): boolean {
    return lstatSync(this.target, { throwIfNoEntry: false }) !== undefined;
  }

  /** Makes the folder; one that is there already is as good. @throws IoError */
  makeFolder(): void {
    try {
      mkdirSync(this.folder);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw ioFailure(error, { operation: "make directory", path: this.folder });
      return;
    }
    this.#flushParent();
  }

  /** The text of a file of the folder; `undefined` if it is not there. @throws IoError */
  readText(path: string): string | undefined {
    try {
      return readFileSync(path, "utf8");
    } catch (error) {
      if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
      throw ioFailure(error, { operation: "read", path });
    }
  }

  /** Whether another finalizer has put the target in its place: then it says so, or nothing but the target is left. */
  publishedByOther(): boolean {
    return this.targetExists() && (existsSync(this.publishedPath) || !existsSync(this.planPath));
  }

  /** Writes a small file durably and gives it its name. @returns false if something has that name already. */
  writeOnce(path: string, text: string): boolean {
    const temporary = this.newPath();
    const handle = this.backend.open(temporary, "w+");
    try {
      handle.write(0, new TextEncoder().encode(text));
      handle.flush();
    } finally {
      handle.close();
    }
    const won = this.publish(temporary, path);
    if (!won) rmSync(temporary, { force: true });
    return won;
  }

  /**
   * Gives a whole, durable file its name at once, if nothing has it: of several who do that one wins.
   *
   * Where the file system has no hard links the name is looked up and then renamed to: two at once may both succeed then, one after the
   * other, with the same bytes.
   *
   * @returns false if something has that name already; the file is left then. @throws IoError
   */
  publish(temporary: string, path: string): boolean {
    try {
      linkSync(temporary, path);
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false;
      if (!NO_LINKS.has(codeOf(error))) throw ioFailure(error, { operation: "link", path });
      if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return false;
      this.backend.rename(temporary, path);
      return true;
    }
    rmSync(temporary, { force: true });
    this.#flush(path);
    return true;
  }

  /** Gives a whole, durable folder the target's name at once, if nothing has it. @returns false if something has; the folder is left then. @throws IoError */
  publishFolder(temporary: string): boolean {
    try {
      renameSync(temporary, this.target);
    } catch (error) {
      const taken = ["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(codeOf(error)) && this.targetExists();
      if (!taken) throw ioFailure(error, { operation: "rename", path: this.target });
      return false;
    }
    this.#flush(this.target);
    return true;
  }

  #flush(path: string): void {
    const slash = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
    this.backend.directories?.flush(slash < 0 ? "." : path.slice(0, Math.max(1, slash)));
  }

  #flushParent(): void {
    this.#flush(this.folder);
  }

  /** Numbers of the parts that have a file, in no order. */
  partNumbers(): number[] {
    return this.#names().flatMap((name) => {
      const digits = PART_NAME.exec(name)?.[1];
      return digits === undefined ? [] : [Number(digits)];
    });
  }

  #names(): string[] {
    try {
      return readdirSync(this.folder);
    } catch (error) {
      if (codeOf(error) === "ENOENT") return [];
      throw ioFailure(error, { operation: "list", path: this.folder });
    }
  }

  /**
   * Removes the folder and what belongs to it: the plan first, so that nobody begins a part of it any longer. Others may do the same.
   *
   * @returns the number of files that were removed. @throws IoError for a folder that holds anything else: that is left
   */
  remove(): number {
    let removed = 0;
    for (let attempt = 1; ; attempt++) {
      const names = this.#names();
      const foreign = names.find((name) => !this.#isOurs(name));
      if (foreign !== undefined) {
        const message = `${this.folder}: holds ${foreign}, which is no part of a plan; the folder is left`;
        throw new IoError("BLOSC2_IO_EXISTS", message, { operation: "remove", path: this.folder, found: foreign });
      }
      // The plan before the parts, and what says that the target is there after all of them.
      const order = (name: string): number => (name === PLAN_NAME ? 0 : name === PUBLISHED_NAME ? 2 : 1);
      try {
        for (const name of names.sort((a, b) => order(a) - order(b))) {
          this.#removeOne(`${this.folder}/${name}`);
          removed++;
        }
        rmdirSync(this.folder);
        this.#flushParent();
        return removed;
      } catch (error) {
        if (codeOf(error) === "ENOENT") return removed;
        // Files that others put there meanwhile, in the folder or in one of a sparse frame that is being written in it.
        const busy = codeOf(error) === "ENOTEMPTY" || codeOf(error) === "EEXIST";
        if (!busy || attempt >= REMOVE_ATTEMPTS) {
          throw ioFailure(error, { operation: "remove directory", path: this.folder });
        }
      }
    }
  }

  /**
   * A folder gets another name first: whoever still writes a sparse frame in it, and would publish it, loses it as a whole and not file by
   * file.
   */
  #removeOne(path: string): void {
    let last = path;
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
      last = this.newPath();
      try {
        renameSync(path, last);
      } catch (error) {
        if (codeOf(error) === "ENOENT") return;
        throw error;
      }
    }
    rmSync(last, { recursive: true, force: true });
  }

  #isOurs(name: string): boolean {
    return name === PLAN_NAME || name === PUBLISHED_NAME || PART_NAME.test(name) || isNewFileName(name);
  }
}
