/** Backends by name, and which one a call goes through. @module */
import { describeValue } from "../checks/describe-value.js";
import { ArgumentError } from "../errors.js";
import type { IoBackend } from "./backend.js";

/** Makes a backend from what the option `ioOptions` holds. */
export type BackendMaker = (options?: object) => IoBackend;

/** A backend by its registered name, or one that the caller has made: `stdio({ readBufferSize: 0 })`, `memory()`, one of your own. */
export type IoChoice = string | IoBackend;

/** The options that all functions with a path take. */
export interface IoOption {
  /**
   * How files are read and written: a backend, or the name of a registered one. The package `b2frame` registers `"stdio"` (positioned reads and
   * writes) and `"mmap"` (memory maps, which can't keep sparse frames). Default: the backend that was registered first.
   */
  readonly io?: IoChoice | undefined;
  /** What a backend that is chosen by name is made with: its own options. */
  readonly ioOptions?: object | undefined;
}

const makers = new Map<string, BackendMaker>();
/** One of each is enough without options: backends hold no file themselves. */
const made = new Map<string, IoBackend>();

function invalid(parameter: string, expected: string, found: unknown): ArgumentError {
  const text = describeValue(found);
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${parameter}: expected ${expected}, found ${text}`, {
    parameter,
    expected,
    found: text,
  });
}

/** Lets the option `io` name a backend. The first that is registered is the default. Idempotent for the same maker. */
export function registerBackend(name: string, make: BackendMaker): void {
  if (makers.get(name) === make) return;
  makers.set(name, make);
  made.delete(name);
}

function byName(name: string, options: object | undefined): IoBackend {
  const make = makers.get(name);
  if (make === undefined) throw invalid("io", [...makers.keys(), "or a backend"].join(", "), name);
  if (options !== undefined) return make(options);
  const known = made.get(name);
  if (known !== undefined) return known;
  const backend = make();
  made.set(name, backend);
  return backend;
}

/**
 * The backend that `io` stands for. A named one is made when it is first asked for, so that where memory can't be mapped
 * everything else works all the same.
 *
 * @throws ArgumentError for what is neither a backend nor the name of one, and for `ioOptions` with a backend that is made already;
 * what making the backend throws.
 */
export function chooseBackend({ io, ioOptions }: IoOption): IoBackend {
  if (typeof io === "object" && io !== null && typeof io.open === "function") {
    if (ioOptions !== undefined) throw invalid("ioOptions", "none with a backend that is made already", ioOptions);
    return io;
  }
  const name = io ?? makers.keys().next().value;
  if (typeof name !== "string") throw invalid("io", "a backend (none is registered by name)", io);
  return byName(name, ioOptions);
}
