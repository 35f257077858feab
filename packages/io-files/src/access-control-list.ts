/**
 * Access control lists, which `node:fs` does not know: through `koffi`, on Linux. The only file here that calls foreign functions.
 *
 * @module
 */
import { createRequire } from "node:module";
import { getSystemErrorName } from "node:util";

type Koffi = typeof import("koffi");

/** Where Linux keeps a file's list (`acl(5)`). */
const ATTRIBUTE = "system.posix_acl_access";

/** Reads and sets the list of a file, in the form in which the system keeps it. Failures are errors as those of `node:fs` are. */
export interface AccessControlLists {
  /** `undefined`: there is none but the mode. */
  get(path: string): Uint8Array | undefined;
  set(descriptor: number, list: Uint8Array): void;
}

class LinuxLists implements AccessControlLists {
  readonly #koffi: Koffi;
  readonly #get: (path: string, name: string, value: Uint8Array | null, size: number) => number;
  readonly #set: (descriptor: number, name: string, value: Uint8Array, size: number, flags: number) => number;

  constructor(koffi: Koffi) {
    this.#koffi = koffi;
    const library = koffi.load(null);
    this.#get = library.func("intptr_t getxattr(str path, str name, _Out_ uint8_t *value, size_t size)");
    this.#set = library.func("int fsetxattr(int descriptor, str name, const uint8_t *value, size_t size, int flags)");
  }

  get(path: string): Uint8Array | undefined {
    const size = this.#get(path, ATTRIBUTE, null, 0);
    if (size < 0) {
      // By number, since Deno has no name for some: the file system keeps no lists, or this file has none.
      const { ENODATA, ENOTSUP, EOPNOTSUPP } = this.#koffi.os.errno;
      if ([ENODATA, ENOTSUP, EOPNOTSUPP].includes(this.#koffi.errno())) return undefined;
      throw this.#error("getxattr");
    }
    const list = new Uint8Array(size);
    const found = this.#get(path, ATTRIBUTE, list, size);
    if (found < 0) throw this.#error("getxattr");
    return list.subarray(0, found);
  }

  set(descriptor: number, list: Uint8Array): void {
    if (this.#set(descriptor, ATTRIBUTE, list, list.byteLength, 0) !== 0) throw this.#error("fsetxattr");
  }

  #error(syscall: string): NodeJS.ErrnoException {
    const errno = -this.#koffi.errno();
    // Not a name in Deno, which knows fewer than the types say.
    const code = getSystemErrorName(errno) ?? `errno ${-errno}`;
    return Object.assign(new Error(`${code}: ${syscall} ${ATTRIBUTE}`), { code, errno, syscall });
  }
}

let loaded: AccessControlLists | null | undefined;

/** The system's lists; `undefined` off Linux, and where the optional package `koffi` is missing: then nobody can tell of any. */
export function accessControlLists(): AccessControlLists | undefined {
  if (loaded === undefined) {
    loaded = null;
    if (process.platform === "linux") {
      try {
        loaded = new LinuxLists(createRequire(import.meta.url)("koffi") as Koffi);
      } catch {
        // An optional dependency, which has no binary for every machine.
      }
    }
  }
  return loaded ?? undefined;
}

/** Gives an open file the list of the file at `path`, if that has one and there is a way to. */
export function copyAccessControlList(path: string, descriptor: number): void {
  const lists = accessControlLists();
  const list = lists?.get(path);
  if (list !== undefined) lists?.set(descriptor, list);
}
