/** Good files to begin with. @module */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { InputFile, NamedInput } from "./input.js";

const root = fileURLToPath(new URL("../../../fixtures", import.meta.url));

interface PackedEntry {
  readonly id: string;
  readonly kind: string;
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

function fileBytes(path: string): Uint8Array {
  return new Uint8Array(readFileSync(join(root, path)));
}

/** A fixture that is one file. */
export function fixtureFile(path: string): NamedInput {
  return { name: path, files: [{ name: basename(path), bytes: fileBytes(path) }] };
}

/** A fixture that is a directory, with the directories in it. */
export function fixtureDirectory(path: string): NamedInput {
  const files: InputFile[] = [];
  const walk = (prefix: string): void => {
    for (const entry of readdirSync(join(root, path, prefix), { withFileTypes: true })) {
      const name = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
      if (entry.isDirectory()) walk(name);
      else files.push({ name, bytes: fileBytes(join(path, name)) });
    }
  };
  walk("");
  return { name: path, files: files.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** Chunks of the conformance corpus, by their ids. */
export function fixtureChunks(ids: readonly string[]): NamedInput[] {
  const manifest: { entries: PackedEntry[] } = JSON.parse(
    readFileSync(join(root, "conformance/manifest.json"), "utf8"),
  );
  return ids.map((id) => {
    const entry = manifest.entries.find((each) => each.id === id && each.kind === "chunk");
    if (entry === undefined) throw new Error(`the fixtures have no chunk "${id}"`);
    const bytes = fileBytes(join("conformance", entry.file)).slice(entry.offset, entry.offset + entry.length);
    return { name: id, files: [{ name: "chunk", bytes }] };
  });
}
