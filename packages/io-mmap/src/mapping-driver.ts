/**
 * What the rest of the package asks of the code that maps memory. Two implementations: `koffi-driver.ts` and
 * `mmap-io-driver.ts`.
 *
 * @module
 */

/** The package that maps memory. */
export type MappingDriverName = "koffi" | "mmap-io";

/** Where a store into the mapped bytes goes: `"private"`: nowhere but into this mapping's own copy; `"shared"`: into the file. */
export type MappingShare = "private" | "shared";

/** The access pattern that the operating system is told about (`madvise`). */
export type MappingAdvice = "normal" | "sequential" | "random" | "willneed";

/** What a driver can map. Everything outside is refused here, before the driver is called. */
export interface MappingLimits {
  /** Positions and lengths are multiples of it. */
  readonly pageSize: number;
  /** Longest mapping in bytes. */
  readonly maxLength: number;
  /** A mapping ends at this position of the file, or before. */
  readonly maxEnd: number;
}

/** A range of a file in this process's memory. Bytes past the end of the file must not be touched: that kills the process. */
export interface Mapping {
  readonly byteLength: number;
  /**
   * The first bytes of the mapping, at least `length` of them. Views given before stay good until `release`.
   *
   * @throws UnsupportedError where the runtime forbids ArrayBuffers over foreign memory.
   */
  view(length: number): Uint8Array;
  /** Fills `target` with the bytes at `offset` of the mapping, which are inside it. Makes no view. */
  copyTo(offset: number, target: Uint8Array): void;
  /** Writes changes of a shared mapping's first `length` bytes to the file; durable on return. */
  sync(length: number): void;
  advise(advice: MappingAdvice): void;
  /** Detaches every view (their length becomes 0), then unmaps. Where views can't be detached, none may be in use. */
  release(): void;
}

/** Maps files. Every failure of the operating system is an `Error` with its name in `code`, as those of `node:fs` are. */
export interface MappingDriver {
  readonly name: MappingDriverName;
  readonly limits: MappingLimits;
  /** How many mappings of this driver the calling thread has, those that wait for the garbage collector included. */
  readonly liveMaps: number;
  /** Maps `length` bytes at `position`; both are multiples of `limits.pageSize` and inside the limits. */
  map(descriptor: number, position: number, length: number, share: MappingShare): Mapping;
  /**
   * Maps `length` bytes at `position` read-only over the memory of `target`, which is WebAssembly's: its buffer stays where it is, and
   * nobody frees it while it is held. Both are multiples of `limits.pageSize`. Absent where this can't be.
   */
  mapOver?(descriptor: number, position: number, length: number, target: Uint8Array): void;
  /** Puts plain memory where {@link mapOver} has put a file. */
  unmapOver?(target: Uint8Array): void;
  /** The file's size now. Called before each access, so it is the cheapest way that the driver has. */
  fileSize(descriptor: number): number;
  /** Makes the file at least `position + length` long and gives it disk space there, or throws (`ENOSPC`). */
  allocate?(descriptor: number, position: number, length: number): void;
}

/** A driver, or why there is none. */
export type DriverLoadResult<Driver extends MappingDriver = MappingDriver> =
  | { readonly driver: Driver }
  | { readonly driver: undefined; readonly reason: string };
