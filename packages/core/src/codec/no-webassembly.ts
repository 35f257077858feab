/** What to throw where a codec needs WebAssembly and can't have it. @module */
import { UnsupportedError } from "../errors.js";

/** @param remedy - what to do instead, if there is something */
export function needsWebAssembly(name: string, codec: number, cause: unknown, remedy = ""): UnsupportedError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new UnsupportedError(
    "BLOSC2_UNSUPPORTED_CODEC",
    `${name}: its WebAssembly module can't be compiled here (a Content-Security-Policy must allow 'wasm-unsafe-eval'${remedy}): ${reason}`,
    { feature: name, codec },
    cause,
  );
}
