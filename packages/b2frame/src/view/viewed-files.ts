/** The frames below the paths of a call: what `b2frame view` serves, and nothing else. @module */
import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { ArgumentError } from "@b2frame/core";
import { ioFailure } from "@b2frame/core/backend";
import { stdio } from "@b2frame/io-stdio";
import { openStore } from "@b2frame/stores";

/** One frame. */
export interface ViewedFile {
  /** In the page's tree. */
  readonly label: string;
  /** The file, with no link in it. */
  readonly path: string;
  /** Position of the frame's first byte. */
  readonly offset: number;
  readonly byteLength: number;
}

/** What was found, and what was left out and why. */
export interface FoundFiles {
  readonly files: readonly ViewedFile[];
  readonly left: readonly string[];
}

const FRAME_NAME = /\.(?:b2nd|b2frame|b2f|b2)$/;
const ZIP_NAME = /\.b2z$/;
/** More files than a tree can show are more than was meant. */
const MOST_FILES = 20_000;

class Search {
  readonly files: ViewedFile[] = [];
  readonly left: string[] = [];
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Whether a path, links followed, is the named one or below it. */
  #isInside(path: string): boolean {
    return path === this.#root || path.startsWith(this.#root.endsWith(sep) ? this.#root : this.#root + sep);
  }

  add(path: string, label: string): void {
    if (this.files.length >= MOST_FILES) {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_OUT_OF_RANGE",
        `${this.#root}: more than ${MOST_FILES} frames in there`,
        {
          parameter: "path",
        },
      );
    }
    if (ZIP_NAME.test(path)) this.#addMembers(path, label);
    else this.files.push({ label, path, offset: 0, byteLength: statSync(path).size });
  }

  #addMembers(path: string, label: string): void {
    const store = openStore(path, stdio());
    try {
      for (const key of store.keys()) {
        const kind = store.kind(key);
        if (kind !== "array" && kind !== "super-chunk") continue;
        const { storage, position = 0, byteLength = 0 } = store.locate(key);
        if (storage === "file") this.files.push({ label: label + key, path, offset: position, byteLength });
        else this.left.push(`${label}${key}: it has no place of its own in the file`);
      }
    } finally {
      store.close();
    }
  }

  walk(folder: string): void {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const named = join(folder, entry.name);
      if (entry.isDirectory()) {
        this.walk(named);
        continue;
      }
      if (!FRAME_NAME.test(entry.name) && !ZIP_NAME.test(entry.name)) continue;
      const label = join(basename(this.#root), relative(this.#root, named)).replaceAll(sep, "/");
      let real: string;
      try {
        real = realpathSync(named);
      } catch {
        this.left.push(`${label}: a link that leads nowhere`);
        continue;
      }
      if (!this.#isInside(real)) this.left.push(`${label}: a link out of the folder`);
      else if (statSync(real).isFile()) this.add(real, label);
    }
  }
}

/** Looks for frames: named files whatever they are called, and in named folders those whose names end as frames' do. @throws IoError */
export function findFiles(paths: readonly string[]): FoundFiles {
  const files: ViewedFile[] = [];
  const left: string[] = [];
  for (const path of paths) {
    try {
      const real = realpathSync(path);
      const search = new Search(real);
      if (statSync(real).isDirectory()) search.walk(real);
      else search.add(real, basename(path));
      files.push(...search.files);
      left.push(...search.left);
    } catch (error) {
      throw ioFailure(error, { operation: "look up", path });
    }
  }
  return { files, left };
}
