/** Stores of python-blosc2. @module */
import type { IoBackend } from "@b2frame/core";
import { stdio } from "@b2frame/io-stdio";
import { openStore, type Store } from "@b2frame/stores";
import type { Content } from "../content.js";
import { fixtureDirectory, fixtureFile } from "../fixtures.js";
import type { OpenOptions } from "../setups.js";
import { readArray } from "./array-target.js";
import { FilesOnDisk } from "./files-on-disk.js";
import { readSuperChunk } from "./read-super-chunk.js";
import type { FuzzTarget } from "./target.js";

const MAX_KEYS = 30;
const DIRECTORY_INDEX = "embed.b2e";

let disk: FilesOnDisk | undefined;

function readMember(store: Store, key: string, content: Content): void {
  content.attempt("kind", () => store.kind(key));
  content.attempt("place", () => JSON.stringify(store.locate(key)));
  content.attempt("array", () => {
    using array = store.openArray(key);
    readArray(array, content);
    return "done";
  });
  content.attempt("super-chunk", () => {
    using schunk = store.openSChunk(key);
    readSuperChunk(schunk, content);
    return "done";
  });
}

function readStore(path: string, backend: IoBackend, options: OpenOptions, content: Content): void {
  using store = openStore(path, backend, options);
  content.attempt("facts", () => `${store.format}, ${store.type}`);
  content.attempt("keys", () => store.keys().join());
  for (const key of store.keys().slice(0, MAX_KEYS)) readMember(store, key, content);
  content.attempt("walk", () =>
    [...store.walk()]
      .slice(0, MAX_KEYS)
      .map(({ key }) => key)
      .join(),
  );
  content.attempt("attributes", () => [...store.attributes().keys()].join());
}

export const storeTarget: FuzzTarget = {
  seeds: () => [
    fixtureFile("stores/embed.b2e"),
    fixtureFile("stores/deflated.b2z"),
    fixtureFile("stores/dict.b2z"),
    fixtureFile("stores/tree.b2z"),
    fixtureDirectory("stores/dict.b2d"),
    fixtureDirectory("stores/tree.b2d"),
  ],
  read(input, options, content) {
    disk ??= new FilesOnDisk();
    disk.put(input);
    const isDirectory = input.files.some(({ name }) => name === DIRECTORY_INDEX);
    const path = isDirectory ? disk.path : `${disk.path}/${input.files[0]?.name}`;
    readStore(path, stdio(), options, content);
  },
};
