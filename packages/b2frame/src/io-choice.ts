/** Which I/O backend a call goes through. @module */
import { ArgumentError, type IoBackend } from "@b2frame/core";
import { mmap } from "@b2frame/io-mmap";
import { stdio } from "@b2frame/io-stdio";

/** The backends that can be chosen by name. */
export type IoName = "stdio" | "mmap";

/** A backend by name, or one that the caller has made: `stdio({ readBufferSize: 0 })`, `memory()`, one of your own. */
export type IoChoice = IoName | IoBackend;

/** The option that all functions with a path take. */
export interface IoOption {
  /**
   * How files are read and written: `"stdio"` (default) by positioned reads and writes; `"mmap"` by memory maps, which can't
   * keep sparse frames.
   */
  readonly io?: IoChoice | undefined;
}

const MAKERS: Readonly<Record<IoName, () => IoBackend>> = { stdio: () => stdio(), mmap: () => mmap() };

/** The names that {@link chooseBackend} knows. */
export const IO_NAMES: readonly IoName[] = ["stdio", "mmap"];

/** One of each is enough: backends hold no file themselves. */
const made = new Map<IoName, IoBackend>();

/**
 * The backend that `io` stands for. A named one is made when it is first asked for, so that where memory can't be mapped
 * everything else works all the same.
 *
 * @throws ArgumentError for a name that is none; UnsupportedError `BLOSC2_UNSUPPORTED_BACKEND` for `"mmap"` where memory can't be
 * mapped.
 */
export function chooseBackend(io: IoChoice = "stdio"): IoBackend {
  if (typeof io === "object") return io;
  if (!Object.hasOwn(MAKERS, io)) {
    const expected = `${IO_NAMES.join(", ")}, or a backend`;
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `io: expected ${expected}, found ${String(io)}`, {
      parameter: "io",
      expected,
      found: String(io),
    });
  }
  const known = made.get(io);
  if (known !== undefined) return known;
  const backend = MAKERS[io]();
  made.set(io, backend);
  return backend;
}
