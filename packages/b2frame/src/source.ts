/** What can be opened: a path, a `file:` URL, the bytes of a file, an open file. @module */
import { fileURLToPath } from "node:url";
import { ArgumentError, type IoHandle, memoryHandle } from "@b2frame/core";
import { describeValue } from "@b2frame/core/backend";

/**
 * What `open` and its like take: a path, a `file:` URL, the bytes of a frame or store (as `readFile` and `fetch` give them), or a file
 * that is open already.
 */
export type Source = string | URL | Uint8Array | IoHandle;

/** A source, told apart. */
export type KnownSource =
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "handle"; readonly handle: IoHandle; readonly path: string };

/** What bytes are called in messages. */
const BYTES_NAME = "bytes";

function invalidSource(found: string): ArgumentError {
  const expected = "a path, a file: URL, a Uint8Array or an IoHandle";
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", `source: expected ${expected}, found ${found}`, {
    parameter: "source",
    expected,
    found,
  });
}

function isHandle(value: object): value is IoHandle {
  const handle = value as Partial<Record<keyof IoHandle, unknown>>;
  return (
    typeof handle.size === "function" && typeof handle.readInto === "function" && typeof handle.read === "function"
  );
}

function pathOf(url: URL): string {
  if (url.protocol !== "file:") throw invalidSource(`a URL of protocol ${url.protocol} (fetch it, and give the bytes)`);
  try {
    return fileURLToPath(url);
  } catch (error) {
    throw invalidSource(`the URL ${describeValue(url.href)}: ${error instanceof Error ? error.message : "no path"}`);
  }
}

/**
 * Tells a source apart. Bytes are read in place: they must stay as they are while it is open.
 *
 * @throws ArgumentError for anything else
 */
export function resolveSource(source: Source): KnownSource {
  if (typeof source === "string") {
    if (source === "" || source.includes("\0")) throw invalidSource(`${describeValue(source)}, which is no path`);
    return { kind: "path", path: source };
  }
  if (source instanceof URL) return { kind: "path", path: pathOf(source) };
  if (source instanceof ArrayBuffer || source instanceof SharedArrayBuffer) {
    return resolveSource(new Uint8Array(source));
  }
  if (source instanceof Uint8Array) {
    return { kind: "handle", handle: memoryHandle(source, { mode: "c", path: BYTES_NAME }), path: BYTES_NAME };
  }
  if (typeof source === "object" && source !== null && isHandle(source)) {
    return { kind: "handle", handle: source, path: "file" };
  }
  throw invalidSource(describeValue(source));
}

/** The path of a source that is one. @throws ArgumentError for bytes and open files */
export function requirePath(source: string | URL, parameter = "path"): string {
  if (source instanceof URL) return pathOf(source);
  if (typeof source === "string" && source !== "" && !source.includes("\0")) return source;
  const expected = "a path or a file: URL";
  const found = describeValue(source);
  throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${parameter}: expected ${expected}, found ${found}`, {
    parameter,
    expected,
    found,
  });
}
