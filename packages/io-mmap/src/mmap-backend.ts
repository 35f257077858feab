/** The backend that maps files into memory. @module */
import { closeSync, fstatSync, openSync } from "node:fs";
import { type IoBackend, type IoHandle, type OpenMode, UnsupportedError } from "@b2frame/core";
import {
  checkHandle,
  type IoCapabilities,
  type IoLock,
  type IoLockOptions,
  ioFailure,
  type NameChange,
  requireOpenable,
} from "@b2frame/core/backend";
import { FrameLock } from "@b2frame/file-lock";
import {
  fileExists,
  identityAt,
  NODE_FILE_SYSTEM,
  openNewFile,
  removeFile,
  renameFile,
  resolveLinks,
  withRoom,
} from "@b2frame/io-files";
import { canDetach } from "./detach-buffer.js";
import type { WindowPlan } from "./mapped-windows.js";
import type { MappingDriver, MappingDriverName } from "./mapping-driver.js";
import type { MmapDiagnostic } from "./mmap-diagnostic.js";
import { MmapHandle, newFiles } from "./mmap-handle.js";
import { type MmapOptions, type ResolvedMmapOptions, resolveMmapOptions } from "./mmap-options.js";
import { PrivateHandle } from "./private-handle.js";
import { selectDrivers } from "./select-drivers.js";

/** What {@link mmap} gives. */
export interface MmapBackend extends IoBackend {
  /** What maps memory. Ranges that it can't map are served another way, which `diagnostics` then says. */
  readonly driver: MappingDriverName;
  /** What went another way than asked for, each kind once. */
  readonly diagnostics: readonly MmapDiagnostic[];
}

/** How `node:fs` opens a file for each mode. A private map needs no right to write. */
const OPEN_FLAGS: Readonly<Record<OpenMode, string>> = { r: "r", "r+": "r+", "w+": "w+", c: "r" };

class MappingBackend implements MmapBackend {
  readonly name: string = "mmap";
  readonly capabilities: IoCapabilities;
  readonly diagnostics: MmapDiagnostic[] = [];
  readonly #drivers: readonly [MappingDriver, ...MappingDriver[]];
  readonly #options: ResolvedMmapOptions;
  readonly #windowSize: number;
  readonly #initialMappingSize: number;

  constructor(drivers: readonly [MappingDriver, ...MappingDriver[]], options: ResolvedMmapOptions) {
    this.#drivers = drivers;
    this.#options = options;
    const pageSize = Math.max(...drivers.map((driver) => driver.limits.pageSize));
    const wholePages = (bytes: number): number => Math.ceil(bytes / pageSize) * pageSize;
    this.#windowSize = wholePages(options.windowSize);
    this.#initialMappingSize = wholePages(options.initialMappingSize);
    this.capabilities = {
      write: true,
      zeroCopy: canDetach(),
      copyOnWrite: true,
      sparseFrames: false,
      mapsInto: drivers[0].mapOver !== undefined,
    };
  }

  get driver(): MappingDriverName {
    return this.#drivers[0].name;
  }

  open(path: string, mode: OpenMode): IoHandle {
    requireOpenable(this, path, mode);
    return this.#opened(path, mode, () => withRoom("open", path, () => openSync(path, OPEN_FLAGS[mode])));
  }

  openNew(path: string, like?: string): IoHandle {
    requireOpenable(this, path, "w+");
    return this.#opened(path, "w+", () => withRoom("open", path, () => openNewFile(NODE_FILE_SYSTEM, path, like)));
  }

  resolveLinks(path: string): string {
    return resolveLinks(NODE_FILE_SYSTEM, path);
  }

  identify(path: string): string | undefined {
    return identityAt(NODE_FILE_SYSTEM, path);
  }

  exists(path: string): boolean {
    return fileExists(NODE_FILE_SYSTEM, path);
  }

  remove(path: string): void {
    removeFile(NODE_FILE_SYSTEM, path);
  }

  rename(from: string, to: string, change?: NameChange): void {
    renameFile(NODE_FILE_SYSTEM, from, to, change);
    newFiles.renamed(from, to);
  }

  openLock(path: string, options: IoLockOptions): IoLock {
    return new FrameLock(path, options);
  }

  #opened(path: string, mode: OpenMode, openDescriptor: () => number): IoHandle {
    let descriptor: number;
    try {
      descriptor = openDescriptor();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EISDIR") throw this.#directory(path);
      throw ioFailure(error, { operation: "open", path });
    }
    try {
      return checkHandle(this.#handle(path, mode, descriptor), { path, mode });
    } catch (error) {
      closeSync(descriptor);
      throw ioFailure(error, { operation: "open", path });
    }
  }

  #handle(path: string, mode: OpenMode, descriptor: number): IoHandle {
    const kind = fstatSync(descriptor);
    if (kind.isDirectory()) throw this.#directory(path);
    if (!kind.isFile()) {
      throw new UnsupportedError("BLOSC2_UNSUPPORTED_BACKEND", `${path}: only regular files can be mapped`, {
        feature: "mapping what is no regular file",
        backend: this.name,
        path,
      });
    }
    const { advice, maxMaps, writes } = this.#options;
    const plan: WindowPlan = {
      path,
      descriptor,
      drivers: this.#drivers,
      windowSize: this.#windowSize,
      // A stray store through a borrowed view then stays in this process, where the file need not be mapped to be written.
      share: writes === "map" && (mode === "r+" || mode === "w+") ? "shared" : "private",
      advice,
      maxMaps,
      pinned: mode === "c",
      report: (diagnostic) => this.#report(diagnostic),
    };
    const driver = this.#drivers[0];
    if (driver.mapOver === undefined) {
      const reason = `${driver.name} can't map into memory of WebAssembly here: compressed bytes are copied`;
      this.#report({ kind: "copied", path, position: 0, reason });
    }
    if (mode === "c") return new PrivateHandle({ path, descriptor, driver, plan });
    const initialMappingSize = mode === "r" ? undefined : this.#initialMappingSize;
    return new MmapHandle({ path, descriptor, driver, plan, initialMappingSize, writes, created: mode === "w+" });
  }

  #directory(path: string): UnsupportedError {
    return new UnsupportedError(
      "BLOSC2_UNSUPPORTED_BACKEND",
      `${path}: is a directory; sparse frames can't be mapped: use the stdio backend`,
      { feature: "sparse frames", backend: this.name, path },
    );
  }

  #report(diagnostic: MmapDiagnostic): void {
    if (this.diagnostics.some((known) => known.kind === diagnostic.kind)) return;
    this.diagnostics.push(diagnostic);
    // Copies into the kernels' memory are what many systems can do: whoever wants to know looks at the diagnostics.
    if (diagnostic.kind !== "copied") this.#options.onDiagnostic(diagnostic);
  }
}

/**
 * A backend that maps files into memory: reads are views of the file, without a copy and, after the first touch, without a
 * system call that moves bytes.
 *
 * Before each access the file's size is asked for, so a file that another process has cut gives an error; a cut between that
 * question and the use of the bytes can still kill the process. Close or copy before someone cuts the file.
 *
 * @throws UnsupportedError `BLOSC2_UNSUPPORTED_BACKEND` if no driver can be loaded, with the reason of each; ArgumentError for an
 * option that can't be.
 *
 * @example
 * ```ts
 * using s = openUdio("t.b2frame", mmap());
 * using log = SChunk.create({ urlpath: "log.b2frame", io: mmap({ initialMappingSize: 2 ** 26 }) });
 * ```
 */
export function mmap(options: MmapOptions = {}): MmapBackend {
  const resolved = resolveMmapOptions(options);
  const drivers = selectDrivers(resolved.driver);
  if (resolved.writes === "map" && drivers[0].allocate === undefined) {
    throw new UnsupportedError(
      "BLOSC2_UNSUPPORTED_BACKEND",
      `writing through the map needs a driver that allocates disk space; ${drivers[0].name} does not here: use writes: "descriptor"`,
      { feature: "writes through the map", backend: "mmap", driver: drivers[0].name },
    );
  }
  return new MappingBackend(drivers, resolved);
}
