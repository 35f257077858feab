/** Backends as data, so that worker threads can make them for themselves. @module */
import { ArgumentError, type IoBackend } from "@b2frame/core";
import type { MmapOptions } from "@b2frame/io-mmap";
import { type StdioOptions, stdio } from "@b2frame/io-stdio";

/** A value that a module exports, named in a way that every thread understands. */
export interface ModuleExport {
  /** An absolute URL, such as `import.meta.resolve("./my-module.js")` gives. */
  readonly module: string | URL;
  /** The name of the export. */
  readonly export: string;
}

/**
 * Which backend to open files with: one of b2frame's, or one that an exported function of a module makes. That function is called
 * with `options`, which must survive `structuredClone`, once in each thread and job, and may return a promise.
 *
 * @example
 * ```ts
 * const a: BackendDescription = { io: "stdio", options: { readBufferSize: 128 * 1024 } };
 * const b: BackendDescription = { module: import.meta.resolve("./my-backend.js"), export: "myBackend", options: { region: "eu" } };
 * ```
 */
export type BackendDescription =
  | { readonly io: "stdio"; readonly options?: Omit<StdioOptions, "fs"> }
  | { readonly io: "mmap"; readonly options?: Omit<MmapOptions, "onDiagnostic"> }
  | (ModuleExport & { readonly options?: unknown });

function invalid(parameter: string, expected: string, found: unknown): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${parameter}: expected ${expected}, found ${String(found)}`, {
    parameter,
    expected,
    found: String(found),
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

/**
 * Makes the backend that a description stands for.
 *
 * @throws ArgumentError for a description that stands for none; what making the backend throws.
 */
export async function resolveBackend(description: BackendDescription): Promise<IoBackend> {
  if ("module" in description) {
    const made = await callExport("backend", description, description.options);
    if (typeof (made as IoBackend | null)?.open === "function") return made as IoBackend;
    throw invalid("backend.export", "a function that makes a backend", description.export);
  }
  switch (description.io) {
    case "stdio":
      return stdio(description.options);
    case "mmap": {
      // Loaded when it is asked for: elsewhere everything works without the add-on that maps memory.
      const { mmap } = await import("@b2frame/io-mmap");
      return mmap(description.options);
    }
    default:
      throw invalid("backend.io", "stdio or mmap, or a module", (description as { io?: unknown }).io);
  }
}

/** A description that can be sent to other threads: without URL objects. */
export function portableDescription(description: BackendDescription): BackendDescription {
  return "module" in description ? { ...description, module: String(description.module) } : description;
}
