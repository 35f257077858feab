/** The backends that `register-defaults` registers by name. @module */

/** The name of a backend for files. */
export type IoName = "stdio" | "mmap";

/** All of them; the first is the default. */
export const IO_NAMES: readonly IoName[] = ["stdio", "mmap"];
