/** C libraries through `koffi`: the running program's own, and the system's. @module */
import { createRequire } from "node:module";

type Koffi = typeof import("koffi");

/** A function of a library, as `koffi` gives it. */
type ForeignFunction = (...parameters: readonly unknown[]) => unknown;

/** Functions of one C library. */
export interface ForeignLibrary {
  /** @throws Error when the library does not export the function. */
  func(prototype: string): ForeignFunction;
  /** Where the bytes of a view are. They stay there as long as the buffer is neither detached nor collected. */
  addressOf(view: Uint8Array): bigint;
}

let loaded: Koffi | undefined;

function loadKoffi(): Koffi {
  loaded ??= createRequire(import.meta.url)("koffi") as Koffi;
  return loaded;
}

/**
 * Opens a library.
 *
 * @param file `null` for what the running program exports
 * @throws Error when `koffi` or the library is not there.
 */
export function openForeignLibrary(file: string | null): ForeignLibrary {
  const koffi = loadKoffi();
  // `deep`: the library's calls of its own functions must not end at the program's, which another version may have exported.
  const library = koffi.load(file, file === null ? {} : { deep: true });
  return {
    func: (prototype) => library.func(prototype) as ForeignFunction,
    addressOf: (view) => koffi.address(view),
  };
}

/** Whether a C function returned a null pointer. */
export function isNull(address: unknown): boolean {
  return address === null || address === 0n || address === 0;
}
