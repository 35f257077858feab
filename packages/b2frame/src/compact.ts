/** Giving back superseded bytes. @module */
import {
  ArgumentError,
  type Durability,
  frameKindOf,
  type IoOption,
  type Locking,
  openUdio,
  type SChunkEnvironmentOptions,
} from "@b2frame/core";
import { chooseBackend } from "@b2frame/core/backend";
import { compactStore, pathKindOf, type StoreCompaction } from "@b2frame/stores";
import { requirePath } from "./source.js";

/** How to compact a frame or a store. */
export interface CompactOptions extends SChunkEnvironmentOptions, IoOption {
  /** What the new frame outlives; of stores always `"disk"`. */
  readonly durability?: Durability | undefined;
  /** Has the frame's lock alone for as long as it is rewritten. Default false. */
  readonly locking?: Locking | undefined;
}

/** What a frame, or all frames of a store, come to after {@link compact}. */
export interface CompactReport extends StoreCompaction {
  readonly path: string;
}

function requireForStores(path: string, { durability = "disk", locking = false }: CompactOptions): void {
  const refused = locking !== false ? "locking" : durability !== "disk" ? "durability" : undefined;
  if (refused === undefined) return;
  throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${path}: is a store; ${refused} is for frames`, {
    parameter: refused,
    path,
  });
}

/**
 * Rewrites a frame, or the frames of a store, without superseded bytes: beside its place, then moved into it, so that it is whole at any
 * instant. Chunks are copied as they are. Nothing is written where there is nothing to give back.
 *
 * @throws IoError; FormatError; UnsupportedError for recipes and caches of python-blosc2, and for a `.b2z` with compressed members;
 * ArgumentError for a store that is to be locked
 * @example
 * ```ts
 * import { compact } from "b2frame";
 *
 * const { reclaimed } = compact("log.b2frame");
 * ```
 */
export function compact(path: string | URL, options: CompactOptions = {}): CompactReport {
  const { io, ioOptions, durability, locking = false, ...environment } = options;
  const backend = chooseBackend({ io, ioOptions });
  const plainPath = requirePath(path);
  const kind = pathKindOf(plainPath, backend);
  const storeReport = (): CompactReport => {
    requireForStores(plainPath, options);
    return { path: plainPath, ...compactStore(plainPath, backend, environment) };
  };
  if (kind === "zip" || kind === "store-directory") return storeReport();
  using schunk = openUdio(plainPath, backend, { ...environment, mode: "r+", durability, locking });
  if (frameKindOf(schunk) === "store") {
    schunk.close();
    return storeReport();
  }
  if (locking !== false) schunk.lock();
  const { deadBytes } = schunk;
  if (deadBytes > 0) schunk.compact();
  const { nbytes, cbytes, nchunks } = schunk;
  return { path: plainPath, nbytes, cbytes, nchunks, reclaimed: deadBytes - schunk.deadBytes };
}
