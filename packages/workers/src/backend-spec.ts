/** Backends as data, so that worker threads can make them for themselves. @module */
import { ArgumentError, type IoBackend } from "@b2frame/core";
import { describeValue } from "@b2frame/core/backend";
import { stdio } from "@b2frame/io-stdio";

/** A value that a module exports, named in a way that every thread understands. */
export interface ModuleExport {
  /** An absolute URL, such as `import.meta.resolve("./my-module.js")` gives. */
  readonly module: string | URL;
  /** The name of the export. */
  readonly export: string;
}

/** How threads read a file: by a backend that each of them can make for itself. */
export interface WorkerIoOption {
  /**
   * `"stdio"` (default), `"mmap"`, or a backend of your own, as the function of a module that makes one: a backend that is made
   * already can't go to another thread. The function is called with `ioOptions`, once in each thread and job, and may return a promise.
   */
  readonly io?: "stdio" | "mmap" | ModuleExport | undefined;
  /** The backend's own options. They must survive `structuredClone`. */
  readonly ioOptions?: object | undefined;
}

/** A backend as data. */
export interface BackendSpec {
  readonly io: "stdio" | "mmap" | { readonly module: string; readonly export: string };
  readonly ioOptions: object | undefined;
}

function invalid(parameter: string, expected: string, found: unknown): ArgumentError {
  const text = describeValue(found);
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${parameter}: expected ${expected}, found ${text}`, {
    parameter,
    expected,
    found: text,
  });
}

/**
 * Calls an exported function of a module.
 *
 * @throws ArgumentError when the module can't be loaded or exports no such function; what the function throws.
 */
export async function callExport(
  parameter: string,
  { module, export: name }: ModuleExport,
  options?: unknown,
): Promise<unknown> {
  let exports: Readonly<Record<string, unknown>>;
  try {
    exports = (await import(String(module))) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `${parameter}: the module ${String(module)} can't be loaded`,
      { parameter, module: String(module) },
      cause,
    );
  }
  const called = exports[name];
  if (typeof called !== "function") throw invalid(`${parameter}.export`, `a function of ${String(module)}`, name);
  return called(options) as unknown;
}

function moduleOf(io: ModuleExport): BackendSpec["io"] {
  if (typeof (io as unknown as IoBackend).open === "function") {
    throw invalid(
      "io",
      '"stdio", "mmap", or { module, export } of a function that each thread calls',
      "a made backend",
    );
  }
  const { module, export: name } = io;
  if (!(typeof module === "string" || module instanceof URL)) throw invalid("io.module", "an absolute URL", module);
  if (typeof name !== "string") throw invalid("io.export", "the name of an export", name);
  return { module: String(module), export: name };
}

/**
 * What the options stand for, as data that can be sent to other threads.
 *
 * @throws ArgumentError for what is no backend, or one that can't be sent.
 */
export function backendSpec({ io = "stdio", ioOptions }: WorkerIoOption): BackendSpec {
  if (io === "stdio" || io === "mmap") return { io, ioOptions };
  if (typeof io === "object" && io !== null) return { io: moduleOf(io), ioOptions };
  throw invalid("io", '"stdio", "mmap", or { module, export }', io);
}

/** Makes the backend that a spec stands for. @throws ArgumentError; what making the backend throws */
export async function makeBackend({ io, ioOptions }: BackendSpec): Promise<IoBackend> {
  if (io === "stdio") return stdio(ioOptions);
  if (io === "mmap") {
    // Loaded when it is asked for: elsewhere everything works without the add-on that maps memory.
    const { mmap } = await import("@b2frame/io-mmap");
    return mmap(ioOptions);
  }
  const made = await callExport("io", io, ioOptions);
  if (typeof (made as IoBackend | null)?.open === "function") return made as IoBackend;
  throw invalid("io.export", "a function that makes a backend", io.export);
}
