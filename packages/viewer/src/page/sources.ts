/** Files that can be looked at: dropped or picked ones, an address, or what `b2frame view` serves. @module */
import type { Place } from "../worker/protocol.js";

/** One frame that can be opened. */
export interface SourceEntry {
  /** Where it stands in the tree, with `/` between groups. */
  readonly path: string;
  readonly place: Place;
  /** For code that reads it. */
  readonly address: string;
  readonly byteLength: number | undefined;
}

/** What `b2frame view` says of a frame that it serves. */
interface ServedFile {
  readonly number: number;
  readonly path: string;
  readonly address: string;
  readonly offset: number;
  readonly byteLength: number;
}

/** Whether the page comes from `b2frame view`. */
export const isServed: boolean = document.documentElement.dataset.served === "yes";

/** Asks `b2frame view` for its files. @throws Error if it has ended */
export async function servedEntries(): Promise<SourceEntry[]> {
  const response = await fetch("session.json", { cache: "no-store" });
  if (!response.ok) throw new Error(`b2frame view answered ${response.status}; open the link that it printed`);
  const { files } = (await response.json()) as { files: ServedFile[] };
  return files.map(({ number, path, address, offset, byteLength }) => ({
    path,
    address,
    byteLength,
    place: { kind: "url", url: new URL(`files/${number}`, location.href).href, offset },
  }));
}

/** The frame behind an address, or beside the page (`./scan.b2nd`). @throws Error for what is none */
export function entryOfUrl(text: string): SourceEntry {
  let url: URL;
  try {
    url = text.startsWith("./") ? new URL(text, location.href) : new URL(text);
  } catch {
    throw new Error(`"${text}" is no address; it begins with https:// or http://`);
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new Error(`addresses that begin with ${url.protocol}// can't be read; only https:// and http:// can`);
  }
  const name = url.pathname.split("/").filter(Boolean).at(-1) ?? url.host;
  return { path: name, address: url.href, byteLength: undefined, place: { kind: "url", url: url.href, offset: 0 } };
}

/** Files that a person picked. */
export function entriesOfFiles(files: Iterable<File>): SourceEntry[] {
  return Array.from(files, (blob) => {
    const path = blob.webkitRelativePath === "" ? blob.name : blob.webkitRelativePath;
    return { path, address: path, byteLength: blob.size, place: { kind: "blob", blob, offset: 0 } };
  });
}

function readEntry(entry: FileSystemEntry, path: string): Promise<SourceEntry[]> {
  if (entry.isFile) {
    return new Promise((resolve, reject) => {
      (entry as FileSystemFileEntry).file((blob) => {
        resolve([{ path, address: path, byteLength: blob.size, place: { kind: "blob", blob, offset: 0 } }]);
      }, reject);
    });
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A reader gives some of a folder at a time, and none when that was all.
  const readAll = async (): Promise<SourceEntry[]> => {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return [];
    const found = await Promise.all(some.map((each) => readEntry(each, `${path}/${each.name}`)));
    return [...found.flat(), ...(await readAll())];
  };
  return readAll();
}

/** What was dropped, folders with all that is in them. */
export async function entriesOfDrop({ items, files }: DataTransfer): Promise<SourceEntry[]> {
  // All entries at once: after the first wait the drop is gone.
  const dropped = Array.from(items).flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (dropped.length === 0) return entriesOfFiles(files);
  const found = (await Promise.all(dropped.map((entry) => readEntry(entry, entry.name)))).flat();
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}
