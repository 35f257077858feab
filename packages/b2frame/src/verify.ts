/** Finding out whether what is at a path is whole. @module */
import {
  ArgumentError,
  type VerifyOptions as FrameVerifyOptions,
  frameKindOf,
  type IoBackend,
  type IoOption,
  isBlosc2Error,
  openUdio,
  UnsupportedError,
  type VerifyReport,
  verifyFrame,
} from "@b2frame/core";
import { chooseBackend } from "@b2frame/core/backend";
import { describeForeignPath, type PathKind, pathKindOf, type StoreReport, verifyStore } from "@b2frame/stores";
import { requirePath } from "./source.js";

/** How to check a frame or a store. */
export interface VerifyOptions extends Omit<FrameVerifyOptions, "onProgress">, IoOption {
  /** Called with what has been checked and all that is to be: chunks of a frame, stored bytes of a store. */
  readonly onProgress?: ((done: number, total: number, unit: "chunks" | "bytes") => void) | undefined;
}

/** What may be a frame or a store that is damaged; anything else is a file of another kind. */
const OUR_KINDS: readonly PathKind[] = [
  "frame",
  "sparse-frame",
  "zip",
  "store-directory",
  "directory",
  "other",
  "empty",
  "zeros",
];

/** Whether a frame is one with the members of a store inside. */
function isStoreFrame(path: string, backend: IoBackend, environment: FrameVerifyOptions): boolean {
  const { engine, codecs, filters, limits } = environment;
  try {
    using schunk = openUdio(path, backend, { engine, codecs, filters, limits, recipes: "describe" });
    return frameKindOf(schunk) === "store";
  } catch (error) {
    if (!isBlosc2Error(error)) throw error;
    // What is wrong with it comes up in the report.
    return path.endsWith(".b2e");
  }
}

function isStore(path: string, backend: IoBackend, options: FrameVerifyOptions): boolean {
  const kind = pathKindOf(path, backend);
  if (!OUR_KINDS.includes(kind)) {
    const what = describeForeignPath(kind) ?? "of another kind";
    const message = `${path}: not supported: neither a Blosc2 frame nor a store, but ${what}`;
    throw new UnsupportedError("BLOSC2_UNSUPPORTED", message, { feature: kind, path });
  }
  if (kind === "zip" || kind === "store-directory") return true;
  if (kind === "frame") return isStoreFrame(path, backend, options);
  // A store that has lost what it is known by.
  if (kind === "directory") return path.endsWith(".b2d");
  return kind !== "sparse-frame" && (path.endsWith(".b2z") || path.endsWith(".b2e"));
}

/**
 * Checks what is at a path: a frame, as `verifyFrame` of `@b2frame/core` does, or a store with every member and, of a `.b2z`, every sum of the
 * ZIP file. Nothing is changed.
 *
 * `problems` are damage; `unsupported` is what could not be checked here and may well be whole: chunks of a codec that is not registered,
 * recipes and proxy caches of python-blosc2. A store's report has both for each member.
 *
 * @returns a {@link VerifyReport}, or, of a store, a {@link StoreReport}; their `kind` tells them apart.
 * @throws IoError, `BLOSC2_IO_NOT_FOUND` if nothing is there; UnsupportedError for a file of another kind, which is named; Blosc2Error
 * `BLOSC2_ABORTED`; ArgumentError, also for a store that is to be locked.
 * @example
 * ```ts
 * import { verify } from "b2frame";
 *
 * const report = verify("run.b2z");
 * if (report.kind === "store") for (const { key, ok } of report.members) console.log(key, ok);
 * else console.log(report.ok, report.problems);
 * ```
 */
export function verify(path: string | URL, options: VerifyOptions = {}): VerifyReport | StoreReport {
  const { io, ioOptions, onProgress, ...rest } = options;
  const backend = chooseBackend({ io, ioOptions });
  const plainPath = requirePath(path);
  const { offset = 0, locking = false } = rest;
  if (offset === 0 && isStore(plainPath, backend, rest)) {
    if (locking !== false) {
      const message = `${plainPath}: is a store; locking is for frames`;
      throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter: "locking", path: plainPath });
    }
    return verifyStore(plainPath, backend, {
      ...rest,
      onProgress: (done, total) => onProgress?.(done, total, "bytes"),
    });
  }
  return verifyFrame(plainPath, backend, { ...rest, onProgress: (done, total) => onProgress?.(done, total, "chunks") });
}
