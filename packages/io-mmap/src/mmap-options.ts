/** What `mmap()` takes, checked and completed. @module */
import { ArgumentError } from "@b2frame/core";
import { checkOptionNames, type OptionNames } from "@b2frame/core/backend";
import type { MappingAdvice, MappingDriverName } from "./mapping-driver.js";
import { type MmapDiagnosticListener, warnAboutMapping } from "./mmap-diagnostic.js";

/** Options of {@link mmap}. They are copied: changing the object afterwards changes nothing. */
export interface MmapOptions {
  /**
   * Bytes of address space (not of disk, not of memory) that the writable modes `r+` and `w+` reserve at first; the
   * reservation doubles when the file outgrows it. 1 to 2^47, rounded up to whole pages. Default 1 GiB.
   */
  readonly initialMappingSize?: number;
  /**
   * Files are mapped in windows of this many bytes, one by one as they are read; a read that straddles two windows is a
   * copy. 1 to 1 GiB, rounded up to whole pages. Default 1 GiB.
   */
  readonly windowSize?: number;
  /** What maps memory. `"auto"` (default): `koffi`, else `mmap-io`. */
  readonly driver?: "auto" | MappingDriverName;
  /**
   * How the writable modes write. `"descriptor"` (default): by positioned writes on the open file, which the map shows at
   * once; it is faster, and a full disk is an error. `"map"`: by stores into a shared map, after the disk space has been
   * allocated; needs `koffi` and Linux.
   */
  readonly writes?: "descriptor" | "map";
  /** The access pattern that the operating system is told about, for each window. Default: none is told. */
  readonly advice?: MappingAdvice;
  /**
   * Most maps of one thread. When it is reached, a handle gives up windows of its own, and reads without a map if it has none.
   * Linux allows a process 65,530 maps by default. 1 to 2^31. Default 16,384.
   */
  readonly maxMaps?: number;
  /** Is told when something can't be mapped as asked. Default: a process warning of type `B2frameMmapWarning`. */
  readonly onDiagnostic?: MmapDiagnosticListener;
}

const MMAP_NAMES: OptionNames<MmapOptions> = {
  initialMappingSize: true,
  windowSize: true,
  driver: true,
  writes: true,
  advice: true,
  maxMaps: true,
  onDiagnostic: true,
};

/** {@link MmapOptions} with nothing left open. */
export interface ResolvedMmapOptions {
  readonly initialMappingSize: number;
  readonly windowSize: number;
  readonly driver: "auto" | MappingDriverName;
  readonly writes: "descriptor" | "map";
  readonly advice: MappingAdvice | undefined;
  readonly maxMaps: number;
  readonly onDiagnostic: MmapDiagnosticListener;
}

const GIB = 2 ** 30;
const LARGEST_ADDRESS_SPACE = 2 ** 47;
const DEFAULT_MAX_MAPS = 16_384;
const ADVICES: readonly MappingAdvice[] = ["normal", "sequential", "random", "willneed"];

function refuse(parameter: string, expected: string, found: unknown): never {
  throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${parameter}: expected ${expected}, found ${String(found)}`, {
    parameter,
    expected,
    found: String(found),
  });
}

function integer(parameter: string, value: number | undefined, otherwise: number, largest: number): number {
  const resolved = value ?? otherwise;
  if (!Number.isSafeInteger(resolved) || resolved < 1 || resolved > largest) {
    refuse(parameter, `an integer from 1 to ${largest}`, value);
  }
  return resolved;
}

function oneOf<T extends string>(parameter: string, value: T, values: readonly T[]): T {
  return values.includes(value) ? value : refuse(parameter, values.join(", "), value);
}

/** @throws ArgumentError `BLOSC2_ARGUMENT_INVALID`, naming the option. */
export function resolveMmapOptions(options: MmapOptions): ResolvedMmapOptions {
  checkOptionNames(MMAP_NAMES, options);
  const { advice, onDiagnostic = warnAboutMapping } = options;
  if (typeof onDiagnostic !== "function") refuse("onDiagnostic", "a function", onDiagnostic);
  return {
    initialMappingSize: integer("initialMappingSize", options.initialMappingSize, GIB, LARGEST_ADDRESS_SPACE),
    windowSize: integer("windowSize", options.windowSize, GIB, GIB),
    driver: oneOf("driver", options.driver ?? "auto", ["auto", "koffi", "mmap-io"]),
    writes: oneOf("writes", options.writes ?? "descriptor", ["descriptor", "map"]),
    advice: advice === undefined ? undefined : oneOf("advice", advice, ADVICES),
    maxMaps: integer("maxMaps", options.maxMaps, DEFAULT_MAX_MAPS, 2 ** 31),
    onDiagnostic,
  };
}
